package compact

import (
	"fmt"
	"slices"
	"strings"
)

// shortenListing keeps paths verbatim as long as they fit, first those that the subject names; the others are counted
// by directory.
func (s *shortener) shortenListing(text string, bytes int) Summary {
	var paths []string
	var others strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		switch t := strings.TrimSpace(line); {
		case t == "":
		case saysOf(t): // error messages of find and tar
			others.WriteString(t + "\n")
		default:
			paths = append(paths, t)
		}
	}
	rest := s.shortenAside(others.String(), max(bytes/asideShare, minAside))
	bytes -= len(rest)
	p := s.newPicker(len(paths))
	if !slices.ContainsFunc(paths, func(path string) bool { return strings.Contains(path, "/") }) {
		p.mostOfAtoms = 0 // only names: prefer short ones, of which more fit
	}
	for i, path := range paths {
		own := listedWorth + listedWord*float64(len(s.subject.wordsOf(path)))
		if strings.HasPrefix(path, "* ") { // the branch that is checked out
			own += decides
		}
		if named := own > listedWorth; !named && inUnread(path) {
			path = ""
		}
		p.add(unit{text: path, line: i, own: own, like: templateHash(dirOf(path))})
	}
	out := s.treeOfPaths(paths, p, bytes)
	if out.Text == "" {
		out = s.flatPaths(paths, p, bytes)
	}
	out.Text += rest
	return out
}

// treeOfPaths writes the paths that are worth most as a tree that counts all others by directory; the summary is empty
// if directories alone would take most of it.
func (s *shortener) treeOfPaths(paths []string, p *picker, bytes int) Summary {
	var made nodes
	root, leaves := made.newNode(""), make([]*node, len(paths))
	root.dir = true
	head, below := commonDir(paths, bytes)
	for i, path := range paths {
		leaves[i] = made.add(root, strings.TrimPrefix(path[len(below):], "./"))
		leaves[i].path = true
	}
	s.rankTree(root)
	what := "names"
	if areFiles(paths) {
		what = "files"
	}
	var page []byte
	write := func(depth, most int) (Summary, bool) {
		w := treeWriter{count: s.formatCount, what: what, depth: depth, most: most - len(head), whole: true, b: page[:0]}
		t, ok := w.tree(root)
		page = w.b
		return Summary{Text: head + t, Units: len(paths), Kept: w.shown}, ok
	}
	depth, best := min(maxTreeDepth/2, root.depth()), Summary{}
	for ok := false; !ok; depth-- {
		if depth < 0 {
			return Summary{}
		}
		best, ok = write(depth, bytes/dirsShare)
	}
	depth++
	least, most := 0, 4*bytes
	for range 6 { // search for the number of bytes of paths whose tree fits
		room := (least + most) / 2
		chosen := p.pick(room)
		for _, n := range leaves {
			n.own = 0
		}
		for _, i := range chosen {
			leaves[i].own = 1
		}
		s.rankTree(root)
		if t, ok := write(depth, bytes); ok {
			best, least = t, room
		} else {
			most = room
		}
	}
	if best.Kept == 0 {
		return Summary{}
	}
	return best
}

// areFiles reports whether paths are those of files, as absolute paths and names with extensions are, rather than names
// with slashes or hyphens.
func areFiles(paths []string) bool {
	dotted := 0
	for _, p := range paths {
		if strings.HasPrefix(p, "/") {
			return true
		}
		if strings.Contains(p, ".") {
			dotted++
		}
	}
	return dotted*4 >= len(paths)
}

// inUnread reports whether a path is below a directory whose files nobody looks for by name.
func inUnread(path string) bool {
	for dir := range strings.SplitSeq(dirOf(path), "/") {
		if unread[dir] {
			return true
		}
	}
	return false
}

// dirsShare limits directories to 1/dirsShare of a listing.
const dirsShare = 2

// flatPaths keeps paths verbatim, and counts the others by directory.
func (s *shortener) flatPaths(paths []string, p *picker, bytes int) Summary {
	dirs := dirsOf(paths)
	for share := 10; ; share -= 2 { // tenths of the bytes, for the paths themselves
		chosen := p.pick(bytes * share / 10)
		out := p.join(chosen)
		if left := s.leftOut(dirs, chosen); left != "" {
			out += "\n" + left
		}
		if len(out) > bytes && share == 6 {
			out = p.join(chosen) // without the directories of the others
		}
		if len(out) <= bytes || share == 6 {
			return Summary{Text: out, Units: len(paths), Kept: len(chosen)}
		}
	}
}

// saysOf reports whether a line is a message of a program about a path, after the program's name.
func saysOf(t string) bool {
	name, _, ok := strings.Cut(t, ": ")
	return ok && !strings.ContainsAny(name, "/\\.")
}

// directories are the directories of paths, numbered in the order in which they first appear.
type directories struct {
	names []string
	of    []int32 // the directory of each path
}

func dirsOf(paths []string) directories {
	d := directories{of: make([]int32, len(paths))}
	seen := newNumbers(len(paths) / 8)
	for i, p := range paths {
		dir := dirOf(p)
		n, fresh := seen.of(dir)
		if fresh {
			d.names = append(d.names, dir)
		}
		d.of[i] = n
	}
	return d
}

const namedDirs = 8 // of those left out

// leftOut returns a note that counts the paths that were not chosen by directory, those with most first.
func (s *shortener) leftOut(d directories, chosen []int32) string {
	count := make([]int, len(d.names))
	for _, k := range d.of {
		count[k]++
	}
	for _, i := range chosen {
		count[d.of[i]]--
	}
	var most []int // of equals the first
	for k, n := range count {
		if n == 0 || len(most) == namedDirs && n <= count[most[namedDirs-1]] {
			continue
		}
		if len(most) < namedDirs {
			most = append(most, k)
		} else {
			most[namedDirs-1] = k
		}
		for i := len(most) - 1; i > 0 && count[most[i-1]] < n; i-- {
			most[i-1], most[i] = most[i], most[i-1]
		}
	}
	if len(most) == 0 {
		return ""
	}
	var parts []string
	for _, k := range most {
		if s.part {
			parts = append(parts, d.names[k])
			continue
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", d.names[k], withCommas(count[k])))
	}
	if s.part {
		return note("many of them below %s", strings.Join(parts, ", "))
	}
	return note("most of them below %s", strings.Join(parts, ", "))
}

// dirOf returns the directory of a path.
func dirOf(path string) string {
	if i := strings.LastIndexAny(path, "/\\"); i > 0 {
		return path[:i]
	}
	return "."
}
