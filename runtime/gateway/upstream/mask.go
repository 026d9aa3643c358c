package upstream

import (
	"net/url"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// maxLine limits a foreign text that is shown, in bytes.
const maxLine = 300

// minSecret is the length from which secrets are masked: values such as "1" or "en" are not secrets and occur anywhere.
const minSecret = 4

// masker removes from texts the values that came from a Spec or a login.
type masker struct {
	replacer *strings.Replacer
	login    Login // nil: none
}

func newMasker(s Spec, login Login) *masker {
	values := slices.Clone(s.Secrets)
	for _, v := range s.Env {
		values = append(values, v)
	}
	for _, v := range s.Headers {
		values = append(values, v)
		if _, word, ok := strings.Cut(v, " "); ok { // "Bearer TOKEN": also the token alone
			values = append(values, word)
		}
	}
	if u, err := url.Parse(s.URL); err == nil {
		if password, ok := u.User.Password(); ok {
			values = append(values, password, u.User.String())
		}
		values = append(values, u.RawQuery)
		for _, list := range u.Query() {
			values = append(values, list...)
		}
	}
	values = slices.DeleteFunc(values, func(v string) bool { return len(v) < minSecret })
	// Longest first, as one may be part of another.
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, v := range values {
		pairs = append(pairs, v, "***")
	}
	return &masker{strings.NewReplacer(pairs...), login}
}

// mask returns text without the values.
func (m *masker) mask(text string) string {
	if m.login != nil {
		for _, v := range m.login.Secrets() {
			text = strings.ReplaceAll(text, v, "***")
		}
	}
	return m.replacer.Replace(text)
}

// line returns text in one line without the values.
func (m *masker) line(text string) string { return sanitize.OneLine(m.mask(text), maxLine) }

// maxIndent limits the indentation of a line, in columns.
const maxIndent = 40

// indented works like line but keeps the indentation, with a tab as four columns: tracebacks need it.
func (m *masker) indented(text string) string {
	out := m.line(text)
	if out == "" {
		return ""
	}
	columns := 0
	for _, c := range text {
		switch c {
		case ' ':
			columns++
			continue
		case '\t':
			columns += 4
			continue
		}
		break
	}
	return strings.Repeat(" ", min(columns, maxIndent)) + out
}

// place returns the part of a URL that may be shown: scheme and host. A path may be a secret too.
func place(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return "its URL"
	}
	return sanitize.OneLine((&url.URL{Scheme: u.Scheme, Host: u.Host}).String(), maxLine)
}
