package sandbox

import (
	"slices"
	"strings"
)

// found holds the files and subdirectories of one directory, both sorted by path.
type found struct {
	files []Entry
	dirs  []string
}

// gatherSorted appends the files of dir and all directories below it in path order. Sorting each directory separately and
// merging is cheaper than sorting all paths. A directory sorts among the files as its name with a slash appended: "a-b"
// and "a.go" come before "a/x", "a0" after it.
func gatherSorted(all map[string]found, dir string, out []Entry) []Entry {
	here := all[dir]
	files := here.files
	for _, sub := range here.dirs {
		n, _ := slices.BinarySearchFunc(files, sub, func(e Entry, sub string) int { return compareToDir(e.Path, sub) })
		out = append(out, files[:n]...)
		files = files[n:]
		out = gatherSorted(all, sub, out)
	}
	return append(out, files...)
}

// compareToDir compares a path with a directory's path followed by a slash.
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

// compareDirs compares two directories' paths, each followed by a slash.
func compareDirs(a, b string) int {
	if len(a) <= len(b) {
		return -compareToDir(b, a)
	}
	return compareToDir(a, b)
}

// sortByPath sorts entries of one directory, whose paths share their first skip bytes.
func sortByPath(entries []Entry, skip int) {
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Path[skip:], b.Path[skip:]) })
}
