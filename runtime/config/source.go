package config

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue/literal"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Source records where each value of a configuration came from.
type Source struct {
	tree   *node
	files  []*file
	places map[side]map[string]place
	hash   string
	// project is the side whose entries are marked as the project's, 0 for none, and
	// theirs the side of a project's layer, whether or not it is in the tree.
	project, theirs side
}

var plainName = lazyregexp.New(`^[\p{L}_#$][\p{L}\p{N}_#$]*$|^[0-9]+$`)

// layerOwner describes whose layer a value is from, if a project has one.
func (s *Source) layerOwner(by side) string {
	switch {
	case s.theirs == 0 || !by.byHand():
		return ""
	case by == s.theirs:
		return " (this project's)"
	}
	return " (yours)"
}

// JoinPath formats a path of the configuration as CUE would: pipelines.ask.stages.find,
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

// At returns the location of a value, or of the nearest thing around it that the user wrote; otherwise the location in
// the built-in files. A number steps into a list, and a field of an input or output is a step too.
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

// Name returns the location of a value's label, if it is written; otherwise the location from At.
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

// inType returns the label of a field within a type, or of the deepest one on the way to it.
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

// InString returns the location of characters from..to of a text. It is exact if the text
// is written as a literal, including escapes and text blocks. For a computed text it
// returns the location of the whole value.
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

// Origin describes briefly where a value came from: compactor.cue:3:9, built-in
// roles.cue:12:3, or default.
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

// Files lists the files that were read, the user's last.
func (s *Source) Files() []string {
	var out []string
	for _, f := range s.files {
		out = append(out, f.name)
	}
	return out
}

// Hash returns a digest of everything that was read; equal configurations have equal digests.
func (s *Source) Hash() string { return s.hash }

// Text returns the contents of a file that was read, for excerpts.
func (s *Source) Text(file string) []byte {
	for _, f := range s.files {
		if f.name == file {
			return f.text
		}
	}
	return nil
}

func (s *Source) String() string { return fmt.Sprintf("configuration %s", s.hash) }
