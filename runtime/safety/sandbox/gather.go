package sandbox

import (
	"slices"
	"strings"
)

// found is what one directory brought, both sorted by path.
type found struct {
	files []Entry
	dirs  []string
}

// gather puts the files of all directories below dir into the order of their paths. Sorting each directory by itself
// and joining them is cheaper than sorting all paths. A directory takes its place among the files as its name with a
// slash behind it: "a-b" and "a.go" come before "a/x", "a0" after it.
func gather(all map[string]found, dir string, out []Entry) []Entry {
	here := all[dir]
	files := here.files
	for _, sub := range here.dirs {
		n, _ := slices.BinarySearchFunc(files, sub, func(e Entry, sub string) int { return compareToDir(e.Path, sub) })
		out = append(out, files[:n]...)
		files = files[n:]
		out = gather(all, sub, out)
	}
	return append(out, files...)
}

// compareToDir compares a path with a directory's path and a slash.
func compareToDir(path, dir string) int {
	n := min(len(path), len(dir))
	if c := strings.Compare(path[:n], dir[:n]); c != 0 {
		return c
	}
	if len(path) <= len(dir) || path[len(dir)] < '/' {
		return -1
	}
	return 1
}

// compareDirs compares two directories' paths, each with a slash behind it.
func compareDirs(a, b string) int {
	if len(a) <= len(b) {
		return -compareToDir(b, a)
	}
	return compareToDir(a, b)
}

// sortByPath sorts entries of one directory, whose paths have the first skip bytes in common.
func sortByPath(entries []Entry, skip int) {
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Path[skip:], b.Path[skip:]) })
}
