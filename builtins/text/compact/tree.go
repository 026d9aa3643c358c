package compact

import (
	"slices"
	"strings"
)

// node is a directory of a tree, or a file.
type node struct {
	name  string
	kids  []*node
	at    map[string]*node
	dir   bool
	files int // below it
	worth float64
}

const mostTreeDepth = 60

// shortenTree writes paths as a tree: a directory a line, its files behind it, and of what does not fit how much there
// is. It reads paths, and what ls -R and tree print. What the subject names is shown however deep it lies.
func (s *shortener) shortenTree(text string, bytes int) Summary {
	root := &node{dir: true}
	units := 0
	for path := range eachPath(text) {
		units++
		root.add(path)
	}
	s.rankTree(root, 0)
	write := func(names, more, depth int) (Summary, bool) {
		w := treeWriter{count: s.count, names: names, more: more, depth: depth, most: bytes}
		t, ok := w.tree(root)
		return Summary{Text: t, Units: units, Kept: w.shown}, ok
	}
	if s, ok := s.mostNames(root, write); ok {
		return s
	}
	for depth := mostTreeDepth / 2; depth >= 0; depth-- {
		if s, ok := write(2, 0, depth); ok {
			return s
		}
	}
	out, _ := write(2, 0, 0)
	return Summary{Text: cutWhole(out.Text, bytes), Units: units, Kept: min(out.Kept, units-1)}
}

// mostNames writes all directories with as many names of each as fit, and with twice as many of the first ones.
func (s *shortener) mostNames(root *node, write func(names, more, depth int) (Summary, bool)) (Summary, bool) {
	best, ok := write(0, 0, mostTreeDepth)
	if !ok {
		return best, false
	}
	names := 0
	for step := 4096; step > 0; step /= 2 {
		if t, ok := write(names+step, 0, mostTreeDepth); ok {
			best, names = t, names+step
		}
	}
	more := 0
	for step := root.dirs(); step > 0; step /= 2 {
		if t, ok := write(names, more+step, mostTreeDepth); ok {
			best, more = t, more+step
		}
	}
	return best, true
}

// dirs is how many directories there are.
func (n *node) dirs() int {
	c := 0
	for _, k := range n.kids {
		if k.dir {
			c += 1 + k.dirs()
		}
	}
	return c
}

func (n *node) add(path string) {
	parts := strings.Split(path, "/")
	if len(parts) > mostTreeDepth {
		parts = parts[:mostTreeDepth]
	}
	for i, p := range parts {
		if p == "" && i > 0 {
			n.dir = true
			continue
		}
		if n.at == nil {
			n.at = map[string]*node{}
		}
		k := n.at[p]
		if k == nil {
			k = &node{name: p}
			n.at[p] = k
			n.kids = append(n.kids, k)
		}
		n.dir = true
		n = k
	}
}

// rankTree counts files and brings what the subject names to the front.
func (s *shortener) rankTree(n *node, depth int) {
	n.worth = float64(len(s.subject.in(n.name)))
	if !n.dir {
		n.files = 1
		return
	}
	for _, k := range n.kids {
		s.rankTree(k, depth+1)
		n.files += k.files
		n.worth += k.worth
	}
	slices.SortStableFunc(n.kids, func(a, b *node) int {
		switch {
		case a.dir != b.dir:
			if a.dir {
				return 1
			}
			return -1
		case a.worth > b.worth:
			return -1
		case a.worth < b.worth:
			return 1
		}
		return 0
	})
}

// treeWriter writes a tree within limits.
type treeWriter struct {
	count  func(int) string
	names  int // of the files of a directory
	more   int // directories that show twice as many, and two
	opened int
	depth  int // of directories that are opened
	most   int
	shown  int
	b      strings.Builder
}

func (w *treeWriter) tree(root *node) (string, bool) {
	w.dir(root, -1)
	return strings.TrimSuffix(w.b.String(), "\n"), w.b.Len() <= w.most+1
}

func (w *treeWriter) dir(n *node, depth int) {
	if w.b.Len() > w.most+1 {
		return
	}
	if depth >= 0 {
		name := n.name
		for len(n.kids) == 1 && n.kids[0].dir { // a chain of directories on one line
			n = n.kids[0]
			name += "/" + n.name
		}
		w.b.WriteString(strings.Repeat(" ", depth) + name + "/")
		if depth >= w.depth && n.worth == 0 {
			if n.files > 0 {
				w.b.WriteString(" " + note("%s files", w.count(n.files)))
			}
			w.b.WriteByte('\n')
			return
		}
	}
	w.files(n, depth)
	for _, k := range n.kids {
		if k.dir {
			w.dir(k, depth+1)
		}
	}
}

// files writes the names of a directory's files behind it: the best, and how many more.
func (w *treeWriter) files(n *node, depth int) {
	names := w.names
	if w.opened++; w.opened <= w.more {
		names = 2*names + 2
	}
	k, left := 0, 0
	for _, f := range n.kids {
		if f.dir {
			continue
		}
		if k >= names && f.worth == 0 {
			left++
			continue
		}
		if k > 0 || depth >= 0 {
			w.b.WriteByte(' ')
		}
		w.b.WriteString(f.name)
		w.shown++
		k++
	}
	if left > 0 {
		w.b.WriteString(" " + note("%s more files", w.count(left)))
	}
	if depth >= 0 || k > 0 || left > 0 {
		w.b.WriteByte('\n')
	}
}
