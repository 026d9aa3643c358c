// Package rules decides which tools of upstream servers a client may see and run, from the toolRules of the
// configuration.
//
// A rule matches a tool if its server field matches the tool's server, one of its patterns matches the tool, and none
// of its negations does. A pattern is a glob, which must match the whole name and ignores case, so that "*delete*" also
// matches bulkDelete; or a regular expression /.../, which may match anywhere in the name and is case-sensitive unless
// it has the flag i. A pattern that contains a dot or "__" is also compared with server.tool and server__tool; any
// other is compared only with the tool's name, so that "*issue*" does not match all tools of a server called issues. A
// star matches any characters, separators too: a tool's name is not a path.
//
// A matching negation excludes the tool from its rule, wherever it is in the list. If patterns were applied in order,
// ["*", "!*delete*"] would mean "*", the opposite of what such a list is written for.
//
// The first matching rule with an enabled setting decides. Tags come from all matching rules. As soon as one rule of
// the list enables anything, tools without a deciding rule are disabled.
package rules

import "slices"

// Rule is one entry of toolRules.
type Rule struct {
	Pattern []string
	Server  string // name or glob; "" for all
	Enabled *bool  // nil: only tags
	Tags    []string
}

// Mistake says what is wrong in a rule and how to correct it.
type Mistake struct {
	Rule    int // index in the list
	Pattern int // index in the rule's pattern list; -1: the rule itself or its server field
	Message string
}

// Set is a compiled list of rules. It is immutable and safe for concurrent use. A nil Set has no rules and enables
// everything.
type Set struct {
	rules     []rule
	whitelist int // first rule that enables something; -1 for none
	broken    bool
	offset    int  // index of the first rule in the list as its user wrote it
	narrower  *Set // a tool must be enabled by this set as well
}

type rule struct {
	server  forms // nil: all
	written string
	accept  []pattern
	reject  []pattern
	enabled *bool
	tags    []string
}

// Compile checks and compiles the rules. On errors it returns a set that disables every tool, so that a mistake in a
// rule never lets a tool through.
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

// Narrowed returns a set that enables only tools enabled by both sets. The rules of the other set are numbered after
// those of this one.
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

// Whitelist reports whether tools without a deciding rule are disabled.
func (s *Set) Whitelist() bool {
	return s != nil && (s.broken || s.whitelist >= 0 || s.narrower.Whitelist())
}

// Unused lists the rules that match none of the tools, each given as a server and a tool's name.
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
