package egress

import (
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// trimmed is a value in a reply whose type defines how it is cut to fit.
type trimmed struct {
	n *node
	s *schema.Schema
}

// findTrimmed finds the trimmed values below n. It also puts their members into the order of their type, which a value
// that went through an expression has lost.
func findTrimmed(n *node, s *schema.Schema) []trimmed {
	if s == nil || n.delim == 0 {
		return nil
	}
	if s.Trim != nil && n.delim == '{' {
		n.orderMembers(s)
		return []trimmed{{n, s}}
	}
	var out []trimmed
	for i, kid := range n.kids {
		if n.delim == '[' {
			out = append(out, findTrimmed(kid, s.Items)...)
		} else if f := s.Field(n.keys[i]); f != nil {
			out = append(out, findTrimmed(kid, f.Schema)...)
		} else {
			out = append(out, findTrimmed(kid, s.Open)...)
		}
	}
	return out
}

// fitToTokens cuts the values that have a cutting order until the reply has at most max tokens. Several such values take turns
// step by step.
func fitToTokens(reply *node, list []trimmed, max int) {
	g := gauge{max: max}
	for step := 0; ; step++ {
		more := false
		for _, t := range list {
			if step >= len(t.s.Trim.Steps) {
				continue
			}
			more = true
			cut := t.s.Trim.Steps[step]
			for g.exceedsLimit(reply) && t.takeFirst(cut) {
				t.noteCut(cut.What)
			}
		}
		if !more {
			return
		}
	}
}

// gauge counts the tokens of a reply exactly when it is near its limit, and scales from the last count when it is
// far above: counting the whole reply for each of many cuts would be too slow.
type gauge struct{ max, tokens, bytes int }

func (g *gauge) exceedsLimit(n *node) bool {
	text := string(n.json())
	if g.bytes > 0 && g.tokens*len(text)/g.bytes > g.max+g.max/20 {
		return true
	}
	if tokens.Estimate(text) <= g.max {
		return false
	}
	g.tokens, g.bytes = tokens.Count(text), len(text)
	return g.tokens > g.max
}

// takeFirst applies the first take of c that has an effect, and reports whether one did.
func (t trimmed) takeFirst(c schema.Cut) bool {
	return slices.ContainsFunc(c.Takes, func(take schema.Take) bool { return t.applyTake(take) })
}

func (t trimmed) applyTake(take schema.Take) bool {
	n := t.n.follow(take.Path)
	switch {
	case n == nil || n.leaf == "null":
		return false
	case take.Away:
		t.remove(take.Path)
		return true
	case take.From != "":
		return n.isStr && shortBehind(&n.text, take.From)
	case n.delim == '[' && len(n.kids) > take.Keep:
		n.kids = n.kids[:len(n.kids)-1]
		return true
	}
	return n.isStr && shortenText(&n.text, take.Keep)
}

// remove deletes a member, or sets it to null if its type requires it.
func (t trimmed) remove(path []string) {
	last := len(path) - 1
	parent, s := t.n.follow(path[:last]), fieldAt(t.s, path[:last])
	if f := s.Field(path[last]); f != nil && f.Required {
		*parent.get(path[last]) = node{leaf: "null"}
		return
	}
	parent.drop(path[last])
}

// noteCut records once that something was cut.
func (t trimmed) noteCut(what string) {
	if what == "" {
		return
	}
	list := t.ensureMember(t.s.Trim.Cut, node{delim: '['})
	if list != nil && !slices.ContainsFunc(list.kids, func(k *node) bool { return k.text == what }) {
		list.kids = append(list.kids, &node{isStr: true, text: what})
	}
}

// addRemark records a remark on the call: in the list that a type declares for it, else in the notes of the reply.
func addRemark(reply *node, list []trimmed, text string) {
	for _, t := range list {
		if l := t.ensureMember(t.s.Trim.Noted, node{delim: '['}); l != nil {
			l.kids = append(l.kids, &node{isStr: true, text: text})
			return
		}
	}
	switch n := reply.get("notes"); {
	case n == nil || n.delim != 0:
	case n.isStr:
		n.text += "; " + text
	case n.leaf == "null":
		*n = node{isStr: true, text: text}
	}
}

// addCount adds more to the number at path.
func (t trimmed) addCount(path []string, more int) {
	if more == 0 {
		return
	}
	if n := t.ensureMember(path, node{leaf: "0"}); n != nil {
		have, _ := strconv.Atoi(n.leaf)
		n.leaf = strconv.Itoa(have + more)
	}
}

// ensureMember returns the member at path. A missing one is set to made and inserted at its place in the order of its
// type. It returns nil for a nil path and if the parent is missing.
func (t trimmed) ensureMember(path []string, made node) *node {
	if path == nil {
		return nil
	}
	last := len(path) - 1
	parent := t.n.follow(path[:last])
	if parent == nil || parent.delim != '{' {
		return nil
	}
	if n := parent.get(path[last]); n != nil {
		return n
	}
	parent.insert(path[last], &made, fieldAt(t.s, path[:last]))
	return &made
}

// fieldAt returns the schema of the member at path, or nil if it is not declared.
func fieldAt(s *schema.Schema, path []string) *schema.Schema {
	for _, name := range path {
		f := s.Field(name)
		if f == nil {
			return nil
		}
		s = f.Schema
	}
	return s
}

// shortBehind removes the last sentence after the last mark from a text. The only sentence goes together with the
// mark.
func shortBehind(s *string, mark string) bool {
	at := strings.LastIndex(*s, mark)
	if at < 0 {
		return false
	}
	to := at
	if i := strings.LastIndex((*s)[at+len(mark):], ". "); i >= 0 {
		to = at + len(mark) + i + 1
	}
	*s = (*s)[:to]
	return true
}

// shortenText removes a third of a text, but leaves at least floor bytes.
func shortenText(s *string, floor int) bool {
	if len(*s) <= floor {
		return false
	}
	to := max(len(*s)*2/3, floor)
	if to == 0 {
		*s = ""
		return true
	}
	cut := contract.Shorten(*s, to)
	if cut == *s {
		return false
	}
	*s = cut
	return true
}
