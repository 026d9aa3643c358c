// Package contract holds the types that leave compactor: references, findings,
// results and outcomes, and what each must satisfy before it leaves. What a job
// makes of them is the job's own type.
//
// It opens no file: whether a reference resolves is asked of a Tree. It does
// not redact: runtime/safety/egress does both, in order.
package contract

import (
	"strconv"
	"strings"
)

// Reference points into a root: path, path:line or path:line:col. Path is
// slash-separated and relative to the root searched (with several roots it
// begins with the root's name). Line and Col count from 1; 0 means none.
type Reference struct {
	Path string
	Line int
	Col  int
}

// String is the form in which a reference leaves.
func (r Reference) String() string {
	switch {
	case r.Line <= 0:
		return r.Path
	case r.Col <= 0:
		return r.Path + ":" + strconv.Itoa(r.Line)
	}
	return r.Path + ":" + strconv.Itoa(r.Line) + ":" + strconv.Itoa(r.Col)
}

// ParseReference reads the three forms back. A tail that is not a number
// belongs to the path, so any text is a reference to something; whether it
// resolves is a question for a Tree.
func ParseReference(s string) Reference {
	head, last, ok := cutNumber(s)
	if !ok {
		return Reference{Path: s}
	}
	if path, line, ok := cutNumber(head); ok {
		return Reference{Path: path, Line: line, Col: last}
	}
	return Reference{Path: head, Line: last}
}

// Readings are what a text may refer to, the likeliest first: "a:12:2" is a
// column of a, or a line of a file that is called a:12, or that file's name.
func Readings(s string) []Reference {
	out := []Reference{ParseReference(s)}
	if r := out[0]; r.Col > 0 {
		out = append(out, Reference{Path: Reference{Path: r.Path, Line: r.Line}.String(), Line: r.Col})
	}
	if out[0].Line > 0 {
		out = append(out, Reference{Path: s})
	}
	return out
}

// IsAddress reports whether a reference is one to a page and not to a file.
func IsAddress(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

func cutNumber(s string) (string, int, bool) {
	i := strings.LastIndexByte(s, ':')
	if i <= 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	if err != nil || n <= 0 {
		return s, 0, false
	}
	return s[:i], n, true
}

// Dedupe drops repeated entries and keeps the first of each. A bare path is
// dropped too when the same file is there with a line.
func Dedupe(refs []string) []string {
	lined := map[string]bool{}
	for _, s := range refs {
		if r := ParseReference(s); r.Line > 0 {
			lined[r.Path] = true
		}
	}
	seen := make(map[string]bool, len(refs))
	out := refs[:0:0]
	for _, s := range refs {
		r := ParseReference(s)
		if seen[s] || (r.Line == 0 && lined[r.Path]) {
			continue
		}
		seen[s] = true
		out = append(out, s)
	}
	return out
}
