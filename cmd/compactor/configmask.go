package main

import (
	"net/url"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/format"
	"cuelang.org/go/cue/literal"
	"cuelang.org/go/cue/parser"

	"compactor/runtime/gateway"
	"compactor/runtime/redact"
)

// withoutKeys is the CUE of a configuration without the keys that are written in
// it. What programs are run with, addresses and names of variables stay.
func withoutKeys(source []byte, r *redact.Redactor) []byte {
	file, err := parser.ParseFile("", source, parser.ParseComments)
	if err != nil { // of our own making, so it is CUE
		masked, _ := r.RedactBytes(source)
		return masked
	}
	m := configMask{redactor: r}
	for _, d := range file.Decls {
		m.node(nil, d)
	}
	if !m.changed {
		return source
	}
	out, err := format.Node(file, format.Simplify())
	if err != nil {
		out, _ = r.RedactBytes(source)
	}
	return out
}

type configMask struct {
	redactor *redact.Redactor
	changed  bool
}

// node masks what stands under a path.
func (m *configMask) node(path []string, n ast.Node) {
	switch n := n.(type) {
	case *ast.Field:
		name, _, _ := ast.LabelName(n.Label)
		m.node(append(path[:len(path):len(path)], name), n.Value)
	case *ast.StructLit:
		for _, e := range n.Elts {
			m.node(path, e)
		}
	case *ast.ListLit:
		if len(path) == 3 && path[0] == "servers" && path[2] == "args" {
			m.args(n.Elts)
			return
		}
		for _, e := range n.Elts {
			m.node(path, e)
		}
	case *ast.BasicLit:
		if v, err := literal.Unquote(n.Value); err == nil {
			m.put(n, v, m.value(path, v))
		}
	}
}

// args masks the arguments of a program.
func (m *configMask) args(list []ast.Expr) {
	values := make([]string, len(list))
	for i, e := range list {
		if lit, ok := e.(*ast.BasicLit); ok {
			values[i], _ = literal.Unquote(lit.Value)
		}
	}
	for i, shown := range gateway.ShownArgs(values) {
		if lit, ok := list[i].(*ast.BasicLit); ok && !strings.Contains(values[i], "${") {
			m.put(lit, values[i], m.text("", shown))
		}
	}
}

// value is one text as it may be shown.
func (m *configMask) value(path []string, v string) string {
	if strings.Contains(v, "${") {
		return v // a name stands for the value
	}
	name := path[len(path)-1]
	if len(path) == 4 && path[0] == "servers" && (path[2] == "env" || path[2] == "headers") && holdsSecret(name, v) {
		return "[REDACTED:" + name + "]"
	}
	if u, err := url.Parse(v); err == nil && u.Host != "" && (u.User != nil || u.RawQuery != "") {
		return m.text(name, address(u))
	}
	return m.text(name, v)
}

// address is one without what only its owner knows.
func address(u *url.URL) string {
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

// text masks by the name of a field and by what the text holds.
func (m *configMask) text(name, v string) string {
	out := m.redactor.Value(map[string]any{name: v}).(map[string]any)
	for _, masked := range out {
		if s, ok := masked.(string); ok {
			return s
		}
	}
	return v
}

func (m *configMask) put(lit *ast.BasicLit, old, shown string) {
	if shown != old {
		lit.Value, m.changed = literal.String.Quote(shown), true
	}
}
