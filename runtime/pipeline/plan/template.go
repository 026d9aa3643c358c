package plan

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

// Template is a role's prompt: text interspersed with expressions over its input.
type Template struct {
	Source string // as written
	Parts  []Part
}

// Part is a piece of text or, with Program set, the value of an expression.
type Part struct {
	Text    string
	Program *Program
}

// Plain reports whether the prompt is the same for every input.
func (t *Template) Plain() bool {
	for _, p := range t.Parts {
		if p.Program != nil {
			return false
		}
	}
	return true
}

// maxExprs limits the expressions of one prompt, including empty ones: locating each
// takes a scan of the whole prompt.
const maxExprs = 100

const (
	opening = "{{"
	closing = "}}"
)

// compileTemplate compiles the prompt of a role. A literal {{ is written as {{ '{{' }}.
func (c *compiler) compileTemplate(r *Role) *Template {
	t := &Template{Source: r.Role.Prompt}
	path := []string{"roles", r.Name, "prompt"}
	list, rest := splitPrompt(t.Source)
	exprs := 0
	for _, p := range list {
		switch {
		case !p.expr:
			t.Parts = append(t.Parts, Part{Text: p.text})
			continue
		case exprs == maxExprs:
			c.badPrompt(t.Source, p.at-len(opening), p.at, fmt.Sprintf("has more than %d expressions", maxExprs), path)
			return t
		}
		exprs++
		if strings.TrimSpace(p.text) == "" {
			c.badPrompt(t.Source, p.at-len(opening), p.at+len(p.text)+len(closing), "has {{ }} with nothing between", path)
			continue
		}
		shift := utf8.RuneCountInString(t.Source[:p.at])
		if p := c.compileIn(p.text, shift, r.envSchema(), false, setting{}, path, nil); p != nil {
			t.Parts = append(t.Parts, Part{Program: p})
		}
	}
	if rest < len(t.Source) {
		c.badPrompt(t.Source, rest, rest+len(opening), "has {{ without }}", path)
	}
	return t
}

// piece is a part of a prompt: text, or an expression between braces.
type piece struct {
	text string
	at   int // byte offset of its beginning in the source
	expr bool
}

// splitPrompt splits a prompt, up to braces that are not closed: rest is the offset of those, or the end.
func splitPrompt(source string) (list []piece, rest int) {
	for rest < len(source) {
		text, more, found := strings.Cut(source[rest:], opening)
		if text != "" {
			list = append(list, piece{text: text, at: rest})
			rest += len(text)
		}
		if !found {
			break
		}
		end := exprEnd(more)
		if end < 0 {
			break
		}
		list = append(list, piece{text: more[:end], at: rest + len(opening), expr: true})
		rest += len(opening) + end + len(closing)
	}
	return list, rest
}

func (c *compiler) badPrompt(source string, from, to int, what string, path []string) {
	if c.full() {
		return
	}
	d := diag.Diagnostic{Code: "C143", Severity: diag.Error, Message: "the prompt " + what}
	d.Path = c.at("C143", path...).Path
	d.Range = c.cfg.Source.InString(path, utf8.RuneCountInString(source[:from]), utf8.RuneCountInString(source[:to]))
	d.Help = "an expression over the input stands between {{ and }}; braces themselves are written {{ '{{' }}"
	c.report(d)
}

// exprEnd returns the offset of the }} that ends an expression, skipping strings and
// maps; -1 if there is no end.
func exprEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\'', '"', '`':
			n := quotedLen(s[i:])
			if n < 0 {
				return -1
			}
			i += n - 1
		case '{':
			depth++
		case '}':
			if depth == 0 && strings.HasPrefix(s[i:], closing) {
				return i
			}
			depth--
		}
	}
	return -1
}

// quotedLen returns the length in bytes of the string literal at the beginning of s; -1 if it has no end.
func quotedLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] != '`':
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return -1
}
