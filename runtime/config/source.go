package config

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue/literal"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Source says where each value of a configuration came from.
type Source struct {
	tree   *node
	files  []*file
	places map[side]map[string]place
	hash   string
	// project is the side whose entries are marked as the project's, 0 for none, and
	// theirs the one that a project's layer has, whether or not it is in the tree.
	project, theirs side
}

var plainName = lazyregexp.New(`^[\p{L}_#$][\p{L}\p{N}_#$]*$|^[0-9]+$`)

// whose says whose layer a value is from, where a project has one.
func (s *Source) whose(by side) string {
	switch {
	case s.theirs == 0 || !by.byHand():
		return ""
	case by == s.theirs:
		return " (this project's)"
	}
	return " (yours)"
}

// JoinPath prints a path of the configuration as CUE would: pipelines.ask.stages.find,
// with quotes around names that need them.
func JoinPath(path ...string) string {
	var b strings.Builder
	for i, name := range path {
		if i > 0 {
			b.WriteByte('.')
		}
		if plainName.MatchString(name) {
			b.WriteString(name)
		} else {
			b.WriteString(literal.String.Quote(name))
		}
	}
	return b.String()
}

// At is the place of a value, or of the nearest thing around it that the user
// wrote; where he wrote none of it, the place in the built-in files. A number
// steps into a list, and a field of an input or output is a step as well.
func (s *Source) At(path ...string) diag.Range {
	var user, any span
	at := s.tree
	for i, name := range path {
		kid := at.child(name)
		if kid == nil {
			if sp := s.inType(at, path[:i], path); sp.file != nil {
				any, user = sp, sp
			}
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
		if sp.file.side.byHand() {
			user = sp
		}
	}
	if user.file != nil {
		return user.rng()
	}
	return any.rng()
}

// Name is the place of the label of a value, where that is written; else that of At.
func (s *Source) Name(path ...string) diag.Range {
	at := s.tree
	for _, name := range path {
		if at = at.child(name); at == nil {
			return s.At(path...)
		}
	}
	if at.key.file == nil {
		return s.At(path...)
	}
	return at.key.rng()
}

// inType is the label of a field within a type, or of the deepest one on the
// way to it.
func (s *Source) inType(n *node, outer, path []string) span {
	if n == nil || n.kind != typeNode || n.value.file == nil {
		return span{}
	}
	for i := len(path); i > len(outer); i-- {
		if at, ok := s.places[n.value.file.side][joinKey(path[:i])]; ok {
			return at.key
		}
	}
	return span{}
}

// InString is the place of characters from..to of a text, exact where the text
// is written as a literal, escapes and text blocks included. A text that is
// computed has no such place: then it is the whole value.
func (s *Source) InString(path []string, from, to int) diag.Range {
	at := s.tree
	for _, name := range path {
		if at = at.child(name); at == nil {
			return s.At(path...)
		}
	}
	lit := at.literal()
	if lit == "" || at.value.file == nil {
		return s.At(path...)
	}
	a, b, ok := charSpan(lit, from, to)
	if !ok {
		return s.At(path...)
	}
	return span{at.value.file, at.value.from + a, at.value.from + b}.rng()
}

// Origin says in a few words where a value came from: compactor.cue:3:9,
// built-in roles.cue:12:3, or default.
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
	if n.value.file == nil || n.side == preset {
		return "default"
	}
	if n.kind == typeNode && n.key.file != nil {
		return n.key.rng().String()
	}
	return n.value.rng().String()
}

// Files lists what was read, the user's files last.
func (s *Source) Files() []string {
	var out []string
	for _, f := range s.files {
		out = append(out, f.name)
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
