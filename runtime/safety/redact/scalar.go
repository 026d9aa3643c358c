package redact

import (
	"regexp"
	"strings"
	"sync"
)

// scalarStart matches a member whose value is a block of lines, from the start of its line to the block indicator.
var scalarStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ *(?:- +)*["']?([\w.-]+)["']?: [|>]$`) })

// scalarHead matches what may follow the block indicator.
var scalarHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-+1-9]{0,2}[ \t]*(?:#[^\n]*)?\r?\n`) })

// Limits of a block that is searched: longer secrets are recognized by their form.
const (
	maxScalar      = 8 << 10 // bytes
	maxScalarLines = 64
)

// blockScalar searches the YAML block of lines whose indicator ends at text[at]. It checks each line of one word as the
// value of the block's name.
func (s *scan) blockScalar(named, password *detector, at int) {
	s.watch.spend(attemptCost)
	head := lineBefore(s.text, at, 2*maxPassword)
	name := scalarStart().FindStringSubmatch(head)
	if name == nil {
		return
	}
	p := place{name: name[1], kind: classifyName(name[1]), given: true, quoted: true}
	rest := s.text[at:min(len(s.text), at+maxScalar)]
	opened := scalarHead().FindStringIndex(rest)
	if p.kind != namePassword && p.kind != nameSecret || opened == nil {
		return
	}
	indent, lo := skipAny(head, 0, " ", len(head)), opened[1]
	for n := 0; lo < len(rest) && n < maxScalarLines && !s.watch.isOver(); n++ {
		line, _, _ := strings.Cut(rest[lo:], "\n")
		s.watch.spend(attemptCost + len(line))
		value := strings.Trim(line, " \t\r")
		from := at + lo + strings.Index(line, value)
		if value != "" && from-at-lo <= indent {
			return
		}
		lo += len(line) + 1
		if strings.ContainsAny(value, " \t") || isPlaceholder(value) || strings.EqualFold(value, p.name) {
			continue
		}
		if p.kind == namePassword && isPassword(value, plainWord, true) {
			s.addFinding(password, from, from+len(value))
		} else if len(value) >= minToken {
			s.scalarToken(named, p, from, from+len(value))
		}
	}
}

// scalarToken reports a line of a block if it is a token.
func (s *scan) scalarToken(named *detector, p place, start, end int) {
	i := start
	for i < end && tokenByte[s.text[i]] {
		i++
	}
	c := newCandidate(s.text, start, i, alphabetIn(s.text[start:i]))
	if c.end == end && (c.bits >= namedBits || isMade(c.v)) && s.isNamedSecret(p, c) && !isPublicKey(c.v) {
		s.addFinding(named, start, end)
	}
}
