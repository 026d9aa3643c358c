package egress

import (
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// trimmed is a value of a reply whose type says how it is made to fit.
type trimmed struct {
	n *node
	s *schema.Schema
}

// trims finds them. Their members are put in the order of their type, which a
// value that went through an expression has lost.
func trims(n *node, s *schema.Schema) []trimmed {
	if s == nil || n.delim == 0 {
		return nil
	}
	if s.Trim != nil && n.delim == '{' {
		n.order(s)
		return []trimmed{{n, s}}
	}
	var out []trimmed
	for i, kid := range n.kids {
		if n.delim == '[' {
			out = append(out, trims(kid, s.Items)...)
		} else if f := s.Field(n.keys[i]); f != nil {
			out = append(out, trims(kid, f.Schema)...)
		} else {
			out = append(out, trims(kid, s.Open)...)
		}
	}
	return out
}

// fit cuts what has an order of cutting until the reply has at most max tokens.
// Values that stand beside each other lose step by step in turn.
func fit(reply *node, list []trimmed, max int) {
	g := gauge{max: max}
	for step := 0; ; step++ {
		more := false
		for _, t := range list {
			if step >= len(t.s.Trim.Steps) {
				continue
			}
			more = true
			cut := t.s.Trim.Steps[step]
			for g.over(reply) && t.once(cut) {
				t.note(cut.What)
			}
		}
		if !more {
			return
		}
	}
}

// gauge counts a reply exactly near its limit and by proportion far above
// it, since each cut of many would otherwise cost a count of the whole.
type gauge struct{ max, tokens, bytes int }

func (g *gauge) over(n *node) bool {
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

// once makes the first take of a step that finds something; false where none does.
func (t trimmed) once(c schema.Cut) bool {
	return slices.ContainsFunc(c.Takes, func(take schema.Take) bool { return t.take(take) })
}

func (t trimmed) take(take schema.Take) bool {
	n := t.n.at(take.Path)
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
	return n.isStr && short(&n.text, take.Keep)
}

// remove takes a member out, or makes null of one that must be there.
func (t trimmed) remove(path []string) {
	last := len(path) - 1
	parent, s := t.n.at(path[:last]), fieldAt(t.s, path[:last])
	if f := s.Field(path[last]); f != nil && f.Required {
		*parent.get(path[last]) = node{leaf: "null"}
		return
	}
	parent.drop(path[last])
}

// note writes down what was cut, once.
func (t trimmed) note(what string) {
	if what == "" {
		return
	}
	list := t.member(t.s.Trim.Cut, node{delim: '['})
	if list != nil && !slices.ContainsFunc(list.kids, func(k *node) bool { return k.text == what }) {
		list.kids = append(list.kids, &node{isStr: true, text: what})
	}
}

// remark notes what is to be known of the call: in the list that a type has for it,
// else in the notes of the reply.
func remark(reply *node, list []trimmed, text string) {
	for _, t := range list {
		if l := t.member(t.s.Trim.Noted, node{delim: '['}); l != nil {
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

// count adds to a number.
func (t trimmed) count(path []string, more int) {
	if more == 0 {
		return
	}
	if n := t.member(path, node{leaf: "0"}); n != nil {
		have, _ := strconv.Atoi(n.leaf)
		n.leaf = strconv.Itoa(have + more)
	}
}

// member is what stands at a path; what is not there is made, at its place in
// the order of its type. It is nil without a path, or where what holds it is missing.
func (t trimmed) member(path []string, made node) *node {
	if path == nil {
		return nil
	}
	last := len(path) - 1
	parent := t.n.at(path[:last])
	if parent == nil || parent.delim != '{' {
		return nil
	}
	if n := parent.get(path[last]); n != nil {
		return n
	}
	parent.insert(path[last], &made, fieldAt(t.s, path[:last]))
	return &made
}

// fieldAt is the schema of a member; nil where there is none.
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

// shortBehind takes off a text the last sentence behind the last place of a mark, and
// with the only one the mark.
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

// short takes a third off a text, down to a floor in bytes.
func short(s *string, floor int) bool {
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
