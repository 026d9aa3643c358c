package config

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Setting is one value of a configuration in a form that may be shown.
type Setting struct {
	Path    string `json:"path"`
	Value   any    `json:"value"`
	From    string `json:"from"`            // where it was written, or "default"
	Whose   string `json:"whose,omitempty"` // set if a project has a layer too
	Default any    `json:"default,omitempty"`

	names    []string
	cue, was string // Value and Default as CUE, on one line
}

// Missing reports that a path leads nowhere, and what it may have been meant to be.
type Missing struct {
	Path    string // as requested
	At      string // the part of it that exists, "" for none
	Nearest string // the path that was meant, "" if none is similar
	There   []string
}

func (m *Missing) Error() string {
	in := "the configuration"
	if m.At != "" {
		in = m.At
	}
	switch {
	case m.Nearest != "":
		return fmt.Sprintf("%s is not set; did you mean %s?", m.Path, m.Nearest)
	case len(m.There) > 0:
		return fmt.Sprintf("%s is not set; in %s there are: %s", m.Path, in, strings.Join(m.There, ", "))
	}
	return fmt.Sprintf("%s is not set; there is nothing below %s", m.Path, in)
}

// Part lists the values at and below a path, "" for all, in the order of the
// configuration. The error is a *Missing.
func Part(cfg *Config, path string, mask Mask) ([]Setting, error) {
	at, names, err := cfg.Source.find(path)
	if err != nil {
		return nil, err
	}
	l := lister{src: cfg.Source, printer: printer{mask: orAll(mask)}}
	l.listLeaves(at, names)
	return l.out, nil
}

// Differing lists the values at and below a path that a person wrote and that differ from
// base, the configuration without that person's layers.
func Differing(cfg, base *Config, path string, mask Mask) ([]Setting, error) {
	at, names, err := cfg.Source.find(path)
	if err != nil {
		return nil, err
	}
	l := lister{src: cfg.Source, base: base.Source, printer: printer{mask: orAll(mask)}}
	l.listLeaves(at, names)
	return l.out, nil
}

// Below lists the paths one step below another.
func Below(cfg *Config, path string) []string {
	at, names, err := cfg.Source.find(path)
	if err != nil {
		return nil
	}
	var out []string
	for _, f := range at.fieldsOrNone() {
		out = append(out, JoinPath(append(names[:len(names):len(names)], f.name)...))
	}
	return out
}

// lister collects leaves.
type lister struct {
	printer
	src, base *Source // with a base, only what differs from it
	out       []Setting
}

func (l *lister) listLeaves(n *node, path []string) {
	if n.kind == structNode && len(n.fields) > 0 {
		for _, f := range n.fields {
			l.listLeaves(f.value, append(path[:len(path):len(path)], f.name))
		}
		return
	}
	s := Setting{Path: JoinPath(path...), From: origin(n), names: path, Value: l.plainValue(n, path)}
	s.cue = inlineValue(n, s.Value)
	if n.side.byHand() {
		s.Whose = strings.Trim(l.src.layerOwner(n.side), " ()")
	}
	if l.base != nil {
		if !n.side.byHand() {
			return
		}
		if before := l.base.tree.at(path); before != nil {
			s.Default = l.plainValue(before, path)
			if s.was = inlineValue(before, s.Default); s.was == s.cue {
				return
			}
		}
	}
	l.out = append(l.out, s)
}

// plainValue returns a value as JSON has it; a type is shown as CUE.
func (l *lister) plainValue(n *node, path []string) any {
	if n.kind == typeNode {
		return l.maskedText(n, path, "")
	}
	return l.maskTexts(n, path).plain()
}

// inlineValue writes a value as CUE, on one line unless it is a type.
func inlineValue(n *node, plain any) string {
	if text, ok := plain.(string); ok && n.kind == typeNode {
		return text
	}
	raw, _ := rawjson.Marshal(plain) // of nodes, which always have a JSON form
	return string(raw)
}

func (n *node) at(path []string) *node {
	for _, name := range path {
		if n = n.child(name); n == nil {
			return nil
		}
	}
	return n
}

// find follows a path as people write it.
func (s *Source) find(path string) (*node, []string, error) {
	names := SplitPath(path)
	at := s.tree
	for i, name := range names {
		next := at.child(name)
		if next == nil {
			return nil, nil, missingError(path, at, names, i)
		}
		at = next
	}
	return at, names, nil
}

func missingError(path string, at *node, names []string, i int) *Missing {
	m := &Missing{Path: path, At: JoinPath(names[:i]...)}
	for _, f := range at.fields {
		m.There = append(m.There, f.name)
	}
	for k := range at.items {
		m.There = append(m.There, strconv.Itoa(k))
	}
	if near := diag.Nearest(names[i], m.There); near != "" {
		meant := append(append(names[:i:i], near), names[i+1:]...)
		if at.at(meant[i:]) == nil {
			meant = meant[:i+1]
		}
		m.Nearest = JoinPath(meant...)
	}
	return m
}

// SplitPath splits a path: names separated by dots, quoted if they contain one, and numbers in brackets.
func SplitPath(path string) []string {
	var names []string
	for path != "" {
		switch path[0] {
		case '.', ']':
			path = path[1:]
		case '[':
			path = path[1:]
		case '"':
			quoted, err := strconv.QuotedPrefix(path)
			if err != nil {
				return append(names, path)
			}
			name, _ := strconv.Unquote(quoted)
			names, path = append(names, name), path[len(quoted):]
		default:
			end := strings.IndexAny(path, ".[]")
			if end < 0 {
				end = len(path)
			}
			names, path = append(names, path[:end]), path[end:]
		}
	}
	return names
}

// Line returns a setting as CUE, on several lines for a type, and where it came from.
func (s Setting) Line() (cue, from string) {
	for _, name := range s.names {
		cue += quoteLabel(name) + ": "
	}
	if from = s.From; from != "default" {
		from = "from " + from
	}
	if s.Whose != "" {
		from += " (" + s.Whose + ")"
	}
	if s.was != "" {
		from += ", without it " + sanitize.Cut(strings.Join(strings.Fields(s.was), " "), 60)
	}
	return cue + s.cue, from
}
