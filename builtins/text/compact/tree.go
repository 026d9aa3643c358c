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
	kept := 0
	out := ""
	// the most names of a directory with which all directories fit, else the deepest level at which they do
	for names := 4096; names >= 0; names /= 2 {
		w := treeWriter{names: names, depth: mostTreeDepth, most: bytes}
		if t, ok := w.tree(root); ok {
			return Summary{Text: t, Units: units, Kept: w.shown}
		}
		if names == 0 {
			break
		}
	}
	for depth := mostTreeDepth / 2; depth >= 0; depth-- {
		w := treeWriter{names: 2, depth: depth, most: bytes}
		t, ok := w.tree(root)
		if ok {
			return Summary{Text: t, Units: units, Kept: w.shown}
		}
		out, kept = t, w.shown
	}
	return Summary{Text: cut(out, bytes), Units: units, Kept: min(kept, units-1)}
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
	names int // of the files of a directory
	depth int // of directories that are opened
	most  int
	shown int
	b     strings.Builder
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
				w.b.WriteString(" " + note("%v files", n.files))
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
	k, left := 0, 0
	for _, f := range n.kids {
		if f.dir {
			continue
		}
		if k >= w.names && f.worth == 0 {
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
		w.b.WriteString(" " + note("%v more files", left))
	}
	if depth >= 0 || k > 0 || left > 0 {
		w.b.WriteByte('\n')
	}
}
