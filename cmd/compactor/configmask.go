package main

import (
	"net/url"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// withoutKeys returns a mask that hides the keys written in a configuration. Programs and
// their arguments, addresses and names of variables stay.
func withoutKeys(r *redact.Redactor) config.Mask {
	m := configMask{r}
	return func(path, texts []string) []string {
		if len(path) == 3 && path[0] == "servers" && path[2] == "args" {
			return m.maskArgs(texts)
		}
		out := make([]string, len(texts))
		for i, text := range texts {
			out[i] = m.maskValue(path, text)
		}
		return out
	}
}

// withoutLiterals returns a mask for output that other programs read: it also hides the literal
// values of servers' headers and variables and shows only their names, and ${VAR} as written.
func withoutLiterals(r *redact.Redactor) config.Mask {
	keys := withoutKeys(r)
	return func(path, texts []string) []string {
		out := keys(path, texts)
		if name, is := literalOf(path); is {
			for i, text := range texts {
				out[i] = literal.ReplaceAllStringFunc(text, func(s string) string {
					if strings.HasPrefix(s, "${") || schemeBefore.MatchString(s) {
						return s
					}
					return "[REDACTED:" + name + "]"
				})
			}
		}
		return out
	}
}

var (
	literal      = lazyregexp.New(`(?s)\$\{[^}]*\}|(?:[^$]|\$[^{]|\$$)+`)
	schemeBefore = lazyregexp.New(`^(?i:basic|bearer|token) $`)
)

// literalOf returns the name of the header or variable of a server at a path.
func literalOf(path []string) (name string, is bool) {
	if len(path) != 4 || path[0] != "servers" || path[2] != "env" && path[2] != "headers" {
		return "", false
	}
	return path[3], true
}

type configMask struct{ redactor *redact.Redactor }

// maskArgs masks the arguments of a program.
func (m configMask) maskArgs(list []string) []string {
	out := gateway.ShownArgs(list)
	for i, shown := range out {
		if out[i] = list[i]; !strings.Contains(list[i], "${") {
			out[i] = m.maskText("", shown)
		}
	}
	return out
}

// maskValue masks one text.
func (m configMask) maskValue(path []string, v string) string {
	if strings.Contains(v, "${") {
		return v // it names a variable instead of the value
	}
	name := path[len(path)-1]
	if _, is := literalOf(path); is && holdsSecret(name, v) {
		return "[REDACTED:" + name + "]"
	}
	if u, err := url.Parse(v); err == nil && u.Host != "" && (u.User != nil || u.RawQuery != "") {
		return m.maskText(name, maskURL(u))
	}
	return m.maskText(name, v)
}

// maskURL returns a URL without its user and without the values of secret parameters.
func maskURL(u *url.URL) string {
	if u.User != nil {
		u.User = url.User("…")
	}
	params := strings.Split(u.RawQuery, "&")
	for i, p := range params {
		if name, value, ok := strings.Cut(p, "="); ok && holdsSecret(name, value) {
			params[i] = name + "=…"
		}
	}
	u.RawQuery = ""
	query := strings.Join(params, "&")
	if query != "" {
		query = "?" + query
	}
	return strings.ReplaceAll(u.String(), "%E2%80%A6", "…") + query
}

// maskText masks by the name of a field and by the content of the text.
func (m configMask) maskText(name, v string) string {
	out := m.redactor.Value(map[string]any{name: v}).(map[string]any)
	for _, masked := range out {
		if s, ok := masked.(string); ok {
			return s
		}
	}
	return v
}
