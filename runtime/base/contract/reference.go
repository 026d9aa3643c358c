// Package contract holds the types that compactor sends: references, findings, results
// and outcomes, and the rules that each must satisfy before it is sent. Types for the
// data of a particular job belong to that job.
//
// The package opens no file: a Tree answers whether a reference resolves. It does not
// redact: runtime/safety/egress does both, in order.
package contract

import (
	"strconv"
	"strings"
)

// Reference points into a root: path, path:line or path:line:col. Path is
// slash-separated and relative to the root searched (with several roots it begins with
// the root's name). Line and Col count from 1; 0 means none.
type Reference struct {
	Path string
	Line int
	Col  int
}

// String returns the reference in the form in which it is sent.
func (r Reference) String() string {
	switch {
	case r.Line <= 0:
		return r.Path
	case r.Col <= 0:
		return r.Path + ":" + strconv.Itoa(r.Line)
	}
	return r.Path + ":" + strconv.Itoa(r.Line) + ":" + strconv.Itoa(r.Col)
}

// ParseReference parses these three forms. A tail that is not a number belongs to the
// path, so any text is a reference to something; a Tree decides whether it resolves.
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

// Readings returns what a text may refer to, the likeliest first: "a:12:2" is a column
// of a, or a line of a file named a:12, or that file's name.
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

// IsAddress reports whether a reference is to a web page and not to a file.
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

// Dedupe drops repeated entries and keeps the first of each. It also drops a bare path
// if the same file is listed with a line.
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
