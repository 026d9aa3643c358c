package rules

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxPattern limits a pattern in bytes, so that matching takes time proportional to the name.
const maxPattern = 1000

// pattern is one compiled pattern without its negation.
type pattern struct {
	written   string // as in the configuration, including the !
	qualified bool   // also names a server
	regex     *regexp.Regexp
	glob      forms // if regex is nil
}

// names are the spellings of one tool that patterns are compared with.
type names struct {
	plain, dotted, joined string
	server                string // globs use the lower-case ones
	plainFold             string
	dottedFold            string
	joinedFold            string
}

func namesOf(server, tool string) names {
	n := names{plain: tool, dotted: server + "." + tool, joined: server + "__" + tool}
	n.server, n.plainFold = fold(server), fold(tool)
	n.dottedFold, n.joinedFold = fold(n.dotted), fold(n.joined)
	return n
}

func (p *pattern) match(n *names) bool {
	if p.regex != nil {
		return p.regex.MatchString(n.plain) ||
			p.qualified && (p.regex.MatchString(n.dotted) || p.regex.MatchString(n.joined))
	}
	return p.glob.match(n.plainFold) ||
		p.qualified && (p.glob.match(n.dottedFold) || p.glob.match(n.joinedFold))
}

// compilePattern compiles a pattern of a rule; negated reports whether it began with an exclamation mark.
func compilePattern(written string) (p pattern, negated bool, err error) {
	p.written = written
	body, negated := strings.CutPrefix(written, "!")
	if err := checkPlausible(written, body); err != nil {
		return p, negated, err
	}
	p.qualified = strings.Contains(body, ".") || strings.Contains(body, "__")
	if strings.HasPrefix(body, "/") {
		p.regex, err = compileRegex(body)
	} else {
		p.glob, err = compileGlob(body)
	}
	return p, negated, err
}

// checkPlausible refuses what could never match a tool.
func checkPlausible(written, body string) error {
	switch {
	case written == "":
		return errors.New(`is empty: write "*" for every tool`)
	case body == "":
		return errors.New(`"!" excludes nothing: put the pattern after it, as in "!*delete*"`)
	case strings.HasPrefix(body, "!"):
		return fmt.Errorf("%q negates twice: write %q", written, strings.TrimLeft(body, "!"))
	case len(written) > maxPattern:
		return fmt.Errorf("is %d bytes long, more than %d: make it several patterns", len(written), maxPattern)
	case !utf8.ValidString(written):
		return fmt.Errorf("%q is not UTF-8", written)
	case strings.TrimSpace(body) != body:
		return fmt.Errorf("%q has blanks around it, which no tool's name has: take them out", written)
	}
	return nil
}

// compileRegex compiles /expression/flags.
func compileRegex(body string) (*regexp.Regexp, error) {
	end := strings.LastIndexByte(body, '/')
	if end == 0 {
		return nil, fmt.Errorf(`%q begins like a regular expression but has no closing "/": write %q, or %q for a name that begins with "/"`, body, body+"/", `\`+body)
	}
	expression, flags := body[1:end], body[end+1:]
	if expression == "" {
		return nil, fmt.Errorf(`%q is an empty regular expression: write "*" for every tool`, body)
	}
	for _, f := range flags {
		switch {
		case strings.ContainsRune("ismU", f):
		case f == 'g':
			return nil, fmt.Errorf("%q: the flag g has no meaning here, one match is enough: leave it out", body)
		default:
			return nil, fmt.Errorf("%q: the flag %q is not known; there are i (ignore case), s, m and U", body, f)
		}
	}
	if flags != "" {
		expression = "(?" + flags + ")" + expression
	}
	re, err := regexp.Compile(expression)
	if err != nil {
		return nil, fmt.Errorf("%q: %s", body, regexMistake(err))
	}
	return re, nil
}

// regexMistake adds advice for the most common limits of RE2.
func regexMistake(err error) string {
	message := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	if strings.Contains(message, "(?!") || strings.Contains(message, "(?<!") {
		return message + `; there is no look-around here: use a second pattern that begins with "!"`
	}
	if strings.Contains(message, "(?=") || strings.Contains(message, "(?<=") {
		return message + "; there is no look-around here: match the whole and list the parts"
	}
	return message
}

// compileServer compiles a rule's server field.
func compileServer(text string) (forms, error) {
	switch {
	case len(text) > maxPattern:
		return nil, fmt.Errorf("server is %d bytes long, more than %d", len(text), maxPattern)
	case strings.HasPrefix(text, "!"):
		return nil, fmt.Errorf("server %q: a server cannot be negated; put %q into pattern instead", text, text+".*")
	case strings.HasPrefix(text, "/"):
		return nil, fmt.Errorf(`server %q: a server is a name or a glob such as "git*", not a regular expression`, text)
	}
	g, err := compileGlob(text)
	if err != nil {
		return nil, fmt.Errorf("server %w", err)
	}
	return g, nil
}

// FitsServer reports whether a rule's server field matches a server name. An invalid field matches all: Compile reports
// what is wrong with it.
func FitsServer(field, name string) bool {
	g, err := compileServer(field)
	if err != nil {
		return true
	}
	return g.match(fold(name))
}
