// Package rules decides which tools of upstream servers a client may see and
// run, from the toolRules of the configuration.
//
// A rule matches a tool when its server field fits the tool's server, one of
// its patterns fits the tool, and none of its negations does. A pattern is a
// glob, which is compared with the whole name and ignores case, so that
// "*delete*" also catches bulkDelete; or a regular expression /.../, which is
// found anywhere in the name and heeds case unless it carries the flag i. A
// pattern with a dot or a "__" in it is compared with server.tool and
// server__tool too; without one it sees the tool's name alone, so that
// "*issue*" does not take in all tools of a server called issues. A star
// crosses every character: a tool's name is not a path.
//
// A matching negation excludes the tool from its rule wherever it stands in
// the list. Taking patterns in order instead would make ["*", "!*delete*"]
// mean "*", the opposite of what such a list is written for.
//
// The first matching rule that says enabled or disabled decides. Tags come
// from all matching rules. As soon as one rule of the list enables anything,
// tools that no rule decides are disabled.
package rules

import "slices"

// Rule is one entry of toolRules.
type Rule struct {
	Pattern []string
	Server  string // name or glob; "" for all
	Enabled *bool  // nil: only tags
	Tags    []string
}

// Mistake is what is wrong in a rule and what to write instead.
type Mistake struct {
	Rule    int // position in the list
	Pattern int // position in the rule's pattern list; -1: the rule itself or its server field
	Message string
}

// Set is a compiled list of rules. It is immutable and may be used by many
// goroutines. A nil Set has no rules and enables everything.
type Set struct {
	rules     []rule
	whitelist int // first rule that enables something; -1 none
	broken    bool
	offset    int  // of the first rule in the list as its user wrote it
	narrower  *Set // what is enabled must be enabled by it as well
}

type rule struct {
	server  forms // nil: all
	written string
	accept  []pattern
	reject  []pattern
	enabled *bool
	tags    []string
}

// Compile checks and prepares the rules. With errors it returns a set that
// disables every tool, so that a mistake in a rule never lets a tool through.
func Compile(list []Rule) (*Set, []Mistake) {
	s := &Set{whitelist: -1}
	var errs []Mistake
	for i, r := range list {
		c, bad := compile(i, r)
		errs = append(errs, bad...)
		s.rules = append(s.rules, c)
		if s.whitelist < 0 && r.Enabled != nil && *r.Enabled {
			s.whitelist = i
		}
	}
	if len(errs) > 0 {
		return &Set{whitelist: -1, broken: true}, errs
	}
	return s, nil
}

// Narrowed is a set that enables what both enable. The rules of the other are
// counted on from those of this one.
func (s *Set) Narrowed(by *Set) *Set {
	if by == nil || len(by.rules) == 0 && !by.broken {
		return s
	}
	second := *by
	second.offset = s.offset + len(s.rules)
	out := *s
	out.narrower = &second
	if s.narrower != nil {
		out.narrower = s.narrower.Narrowed(by)
	}
	return &out
}

func compile(i int, r Rule) (rule, []Mistake) {
	c := rule{written: r.Server, tags: slices.Clone(r.Tags)}
	var errs []Mistake
	report := func(at int, message string) { errs = append(errs, Mistake{i, at, message}) }
	if r.Enabled != nil {
		said := *r.Enabled
		c.enabled = &said
	}
	if r.Enabled == nil && len(r.Tags) == 0 {
		report(-1, "says nothing: give it enabled: true, enabled: false or tags: [...]")
	}
	if slices.Contains(r.Tags, "") {
		report(-1, "has an empty tag: name it or take it out")
	}
	if r.Server != "" {
		g, err := compileServer(r.Server)
		if err != nil {
			report(-1, err.Error())
		}
		c.server = g
	}
	for at, text := range r.Pattern {
		p, negated, err := compilePattern(text)
		switch {
		case err != nil:
			report(at, err.Error())
		case negated:
			c.reject = append(c.reject, p)
		default:
			c.accept = append(c.accept, p)
		}
	}
	switch {
	case len(r.Pattern) == 0:
		report(-1, `has no pattern, so it matches nothing: write pattern: ["*"] for every tool`)
	case len(c.accept) == 0 && len(errs) == 0:
		report(-1, `has negations only, so it matches nothing: put "*" before them for "all but these"`)
	}
	return c, errs
}

// Whitelist tells whether tools that no rule decides are disabled.
func (s *Set) Whitelist() bool {
	return s != nil && (s.broken || s.whitelist >= 0 || s.narrower.Whitelist())
}

// Unused lists the rules that match none of the tools, each a server and a
// tool's name.
func (s *Set) Unused(tools [][2]string) []int {
	if s == nil {
		return nil
	}
	known := make([]names, len(tools))
	for i, t := range tools {
		known[i] = namesOf(t[0], t[1])
	}
	var unused []int
	for i := range s.rules {
		matches := func(n names) bool { ok, _, _ := s.rules[i].match(&n); return ok }
		if !slices.ContainsFunc(known, matches) {
			unused = append(unused, i+s.offset)
		}
	}
	return append(unused, s.narrower.Unused(tools)...)
}
