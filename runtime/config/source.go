package config

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"

	"compactor/runtime/diag"
)

// Source says where each value of a configuration came from.
type Source struct {
	tree  *node
	files []*file
	hash  string
}

// JoinPath prints a path of the configuration: pipelines.ask.stages.find.
func JoinPath(path ...string) string { return strings.Join(path, ".") }

// At is the place of a value, or of the nearest thing around it that the user
// wrote; where he wrote none of it, the place in the built-in files.
func (s *Source) At(path ...string) diag.Range {
	var user, any span
	at := s.tree
	for _, name := range path {
		kid := at.child(name)
		if kid == nil {
			break
		}
		at = kid
		sp := at.value
		if at.kind == structNode {
			sp = at.key
		}
		if sp.file == nil {
			continue
		}
		any = sp
		if sp.file.side == written {
			user = sp
		}
	}
	if user.file != nil {
		return user.rng()
	}
	return any.rng()
}

// InString is the place of characters from..to of a text. Where the text is
// computed, or written in a way that does not map back, it is the whole value.
func (s *Source) InString(path []string, from, to int) diag.Range {
	at := s.tree
	for _, name := range path {
		if at = at.child(name); at == nil {
			return s.At(path...)
		}
	}
	lit, ok := at.expr.(*ast.BasicLit)
	if !ok || at.value.file == nil {
		return s.At(path...)
	}
	info, _, _, err := literal.ParseQuotes(lit.Value, lit.Value)
	if err != nil || info.IsMulti() || strings.Contains(lit.Value, `\`) {
		return s.At(path...)
	}
	text := []rune(at.text())
	if from > len(text) || to < from {
		return s.At(path...)
	}
	to = min(to, len(text))
	open := strings.Index(lit.Value, `"`) + 1
	start := at.value.from + open + len(string(text[:from]))
	return span{at.value.file, start, start + len(string(text[from:to]))}.rng()
}

// Origin says in a few words where a value came from.
func (s *Source) Origin(path ...string) string {
	at := s.tree
	for _, name := range path {
		if at = at.child(name); at == nil {
			return "default"
		}
	}
	return origin(at)
}

func origin(n *node) string {
	switch {
	case n.value.file == nil || n.side == preset:
		return "default"
	case n.value.file.side == written:
		return n.value.rng().String()
	}
	return "built-in " + n.value.rng().String()
}

// Files lists what was read, the user's files last.
func (s *Source) Files() []string {
	var out []string
	for _, f := range s.files {
		if f.side != preset {
			out = append(out, f.name)
		}
	}
	return out
}

// Hash is a digest of everything that was read; equal configurations have
// equal ones.
func (s *Source) Hash() string { return s.hash }

// Text is the content of a file that was read, for excerpts.
func (s *Source) Text(file string) []byte {
	for _, f := range s.files {
		if f.name == file {
			return f.text
		}
	}
	return nil
}

func (s *Source) String() string { return fmt.Sprintf("configuration %s", s.hash) }
