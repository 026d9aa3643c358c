package compact

import (
	"cmp"
	"slices"
	"strings"
)

// node is a directory or a file of a tree.
type node struct {
	name  string
	kids  []*node
	at    map[string]*node
	dir   bool
	path  bool // the text names it, not only what is below it
	files int  // number of files below it
	size  string
	own   float64 // its worth in addition to that of its name
	worth float64 // including what is below it
}

const maxTreeDepth = 60

// shortenTree writes paths as a tree: one directory per line with its files after it, and counts for what does not fit.
// It reads paths and the output of ls -R and tree. What the subject names is shown at any depth.
func (s *shortener) shortenTree(text string, bytes int) Summary {
	var made nodes
	root := made.newNode("")
	root.dir = true
	units := 0
	var sized []*node
	for path, size := range eachPath(text) {
		units++
		n := made.add(root, path)
		if n.path = true; size != "" {
			n.size = size
			sized = append(sized, n)
		}
	}
	slices.SortStableFunc(sized, largerFirst)
	for _, n := range sized[:min(len(sized), maxLargest)] {
		n.own = 1
	}
	s.rankTree(root)
	var page []byte
	write := func(names, more, depth int) (Summary, bool) {
		w := treeWriter{count: s.formatCount, what: "files", names: names, more: more, depth: depth, most: bytes, b: page[:0]}
		t, ok := w.tree(root)
		page = w.b
		return Summary{Text: t, Units: units, Kept: w.shown}, ok
	}
	if s, ok := s.mostNames(root, write); ok {
		return s
	}
	for depth := min(maxTreeDepth/2, root.depth()); depth >= 0; depth-- {
		if s, ok := write(2, 0, depth); ok {
			return s
		}
	}
	out, _ := write(2, 0, 0)
	return Summary{Text: cutWhole(out.Text, bytes), Units: units, Kept: min(out.Kept, units-1)}
}

// mostNames writes all directories with as many names of each as fit, and twice as many of the first directories.
func (s *shortener) mostNames(root *node, write func(names, more, depth int) (Summary, bool)) (Summary, bool) {
	best, ok := write(0, 0, maxTreeDepth)
	if !ok {
		return best, false
	}
	names := 0
	for step := 4096; step > 0; step /= 2 {
		if t, ok := write(names+step, 0, maxTreeDepth); ok {
			best, names = t, names+step
		}
	}
	more := 0
	for step := root.dirs(); step > 0; step /= 2 {
		if t, ok := write(names, more+step, maxTreeDepth); ok {
			best, more = t, more+step
		}
	}
	return best, true
}

// dirs returns the number of directories below n.
func (n *node) dirs() int {
	c := 0
	for _, k := range n.kids {
		if k.dir {
			c += 1 + k.dirs()
		}
	}
	return c
}

// depth returns the maximum depth of directories below n.
func (n *node) depth() int {
	d := 0
	for _, k := range n.kids {
		if k.dir {
			d = max(d, 1+k.depth())
		}
	}
	return d
}

// nodes allocates nodes, many at a time.
type nodes struct{ free []node }

func (a *nodes) newNode(name string) *node {
	if len(a.free) == 0 {
		a.free = make([]node, 128)
	}
	n := &a.free[0]
	a.free = a.free[1:]
	n.name = name
	return n
}

// add adds a path below a node and returns its last node.
func (a *nodes) add(n *node, path string) *node {
	rest, more := path, true
	for i := 0; more && i < maxTreeDepth; i++ {
		var name string
		name, rest, more = strings.Cut(rest, "/")
		n.dir = true
		if name == "" && i > 0 {
			continue
		}
		k := n.kid(name)
		if k == nil {
			k = a.newNode(name)
			n.kids = append(n.kids, k)
			if n.at != nil {
				n.at[name] = k
			}
		}
		n = k
	}
	return n
}

// fewKids is the number of children up to which no map is needed.
const fewKids = 8

// kid returns the child of a directory with a name, or nil.
func (n *node) kid(name string) *node {
	if c := len(n.kids); c > 0 && n.kids[c-1].name == name {
		return n.kids[c-1]
	}
	if len(n.kids) <= fewKids {
		for _, k := range n.kids {
			if k.name == name {
				return k
			}
		}
		return nil
	}
	if n.at == nil {
		n.at = make(map[string]*node, 2*len(n.kids))
		for _, k := range n.kids {
			n.at[k.name] = k
		}
	}
	return n.at[name]
}

// rankTree counts files and moves what the subject names to the front.
func (s *shortener) rankTree(n *node) {
	n.worth = n.own + float64(len(s.subject.wordsOf(n.name)))
	if n.files = 0; !n.dir {
		n.files = 1
		return
	}
	for _, k := range n.kids {
		s.rankTree(k)
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
		return largerFirst(a, b)
	})
}

// unread are directories whose files nobody looks for by name.
var unread = setOf(".git .hg .svn node_modules __pycache__ .venv .tox .mypy_cache")

// maxLargest is the number of the largest files that are shown wherever they are.
const maxLargest = 10

func largerFirst(a, b *node) int {
	if a.size == b.size {
		return 0
	}
	m, _ := numberOf(a.size)
	n, _ := numberOf(b.size)
	return cmp.Compare(n, m)
}

// treeWriter writes a tree within limits.
type treeWriter struct {
	count  func(int) string
	names  int // maximum number of files shown per directory
	more   int // number of first directories that show twice as many, plus two
	opened int
	depth  int // maximum depth of directories whose content is shown
	most   int
	shown  int
	what   string // what is counted: "files", or "names" if they may be something else
	whole  bool   // directories have their whole path and are not indented
	above  string // the path of the current directory
	b      []byte
}

func (w *treeWriter) tree(root *node) (string, bool) {
	w.dir(root, -1)
	return strings.TrimSuffix(string(w.b), "\n"), len(w.b) <= w.most+1
}

func (w *treeWriter) write(text string) { w.b = append(w.b, text...) }

func (w *treeWriter) name(n *node) {
	w.write(n.name)
	if n.path {
		w.shown++
	}
}

func (w *treeWriter) dir(n *node, depth int) {
	if len(w.b) > w.most+1 {
		return
	}
	defer func(above string) { w.above = above }(w.above)
	if depth >= 0 {
		begin := len(w.b)
		for range depth {
			if !w.whole {
				w.write(" ")
			}
		}
		name := n.name
		w.write(w.above)
		w.name(n)
		for len(n.kids) == 1 && n.kids[0].dir { // a chain of directories on one line
			n = n.kids[0]
			w.write("/")
			w.name(n)
		}
		w.write("/")
		if w.whole {
			w.above = string(w.b[begin:])
		}
		if (depth >= w.depth || unread[name]) && n.worth == 0 {
			if n.files > 0 {
				w.write(" " + note("%s "+w.what, w.count(n.files)))
			}
			w.write("\n")
			return
		}
		if w.whole && len(n.kids) > 0 && n.kids[0].dir { // it has no files, which would come first
			w.b = w.b[:begin]
			depth++
			for _, k := range n.kids {
				w.dir(k, depth)
			}
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

// files writes the names of a directory's files after it: the best ones, and the number of the others.
func (w *treeWriter) files(n *node, depth int) {
	names := w.names
	if w.opened++; w.opened <= w.more {
		names = 2*names + 2
	}
	k, left := 0, 0
	var last *node // the last one left out
	for _, f := range n.kids {
		if f.dir {
			continue
		}
		if k >= names && f.worth == 0 {
			left++
			last = f
			continue
		}
		if k > 0 || depth >= 0 {
			w.write(" ")
		}
		w.name(f)
		if f.size != "" {
			w.write("(" + f.size + ")")
		}
		k++
	}
	switch {
	case left == 1 && len(last.name)+len(last.size) < len("[… 1 more file]"):
		w.write(" ")
		w.name(last)
		if last.size != "" {
			w.write("(" + last.size + ")")
		}
	case left > 0 && k == 0:
		w.write(" " + note("%s "+w.what, w.count(left)))
	case left > 0:
		w.write(" " + note("%s more "+w.what, w.count(left)))
	}
	if depth >= 0 || k > 0 || left > 0 {
		w.write("\n")
	}
}
