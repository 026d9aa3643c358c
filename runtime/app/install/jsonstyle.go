package install

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tailscale/hujson"
)

// style is the formatting of a file.
type style struct {
	newline string
	unit    string // one level of indentation
	flat    bool   // all on one line
}

func styleOf(text []byte, root *hujson.Object) style {
	s := style{newline: newline(text), unit: "  "}
	if len(root.Members) > 0 {
		s.flat = !bytes.ContainsRune(bytes.TrimSpace(text), '\n')
		s.unit = s.indentOf(root, s.unit)
	}
	return s
}

// indentOf returns the indentation of an object's members, or fallback if they are not on
// lines of their own.
func (s style) indentOf(o *hujson.Object, fallback string) string {
	for _, m := range o.Members {
		extra := string(m.Name.BeforeExtra)
		if i := strings.LastIndexByte(extra, '\n'); i >= 0 && strings.TrimLeft(extra[i+1:], " \t") == "" && extra[i+1:] != "" {
			return extra[i+1:]
		}
	}
	return fallback
}

// value encodes v as the value of a member that is indented by indent.
func (s style) value(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // paths may contain &
	if !s.flat {
		e.SetIndent(indent, s.unit)
	}
	err := e.Encode(v)
	raw := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	return bytes.ReplaceAll(raw, []byte("\n"), []byte(s.newline)), err
}

// setMember sets a member's value, or appends a new member. v is not copied: later changes to
// it show in o.
func setMember[V hujson.ValueTrimmed](o *hujson.Object, name string, v V, s style, indent string) V {
	if m := findMember(o, name); m != nil {
		m.Value.Value = v
		return v
	}
	m := hujson.ObjectMember{Name: hujson.Value{Value: hujson.String(name)}, Value: hujson.Value{Value: v}}
	if s.flat {
		s.inLine(o, &m)
	} else {
		m.Value.BeforeExtra = hujson.Extra(" ")
		left, brace := lastLine(o.AfterExtra)
		m.Name.BeforeExtra = hujson.Extra(left + s.newline + indent)
		if brace == "" {
			brace = strings.TrimSuffix(indent, s.unit)
		}
		o.AfterExtra = hujson.Extra(s.newline + brace)
	}
	if n := len(o.Members); n > 0 && o.Members[n-1].Value.AfterExtra != nil {
		m.Value.AfterExtra = hujson.Extra{} // keeps the trailing comma that the last member had
	}
	o.Members = append(o.Members, m)
	return v
}

// inLine spaces a new member like those before it.
func (s style) inLine(o *hujson.Object, m *hujson.ObjectMember) {
	n := len(o.Members)
	if n == 0 {
		return
	}
	space := bytes.Clone(o.Members[0].Value.BeforeExtra)
	m.Name.BeforeExtra, m.Value.BeforeExtra = space, space
	if n > 1 {
		m.Name.BeforeExtra = bytes.Clone(o.Members[n-1].Name.BeforeExtra)
	}
}

// lastLine splits the text before a closing brace into comments and the indentation of
// the brace.
func lastLine(e hujson.Extra) (comments, indent string) {
	text := string(e)
	i := strings.LastIndexByte(text, '\n')
	if tail := text[i+1:]; i >= 0 && strings.TrimSpace(tail) == "" {
		text, indent = text[:i], tail
	}
	return strings.TrimRight(text, " \t\r\n"), indent
}

// cutMember removes a member. Comments around it stay.
func cutMember(o *hujson.Object, i int) {
	m, last := o.Members[i], i == len(o.Members)-1
	left := joinComments(joinComments(joinComments(trimComment(m.Name.BeforeExtra), trimComment(m.Name.AfterExtra)), trimComment(m.Value.BeforeExtra)), trimComment(m.Value.AfterExtra))
	o.Members = append(o.Members[:i], o.Members[i+1:]...)
	switch {
	case !last:
		next := &o.Members[i].Name
		next.BeforeExtra = joinComments(left, next.BeforeExtra)
		return
	case len(o.Members) > 0:
		before := &o.Members[i-1].Value
		if m.Value.AfterExtra == nil { // no trailing comma before: keep it so
			left = joinComments(before.AfterExtra, left)
			before.AfterExtra = nil
		} else if before.AfterExtra == nil {
			before.AfterExtra = hujson.Extra{}
		}
	}
	o.AfterExtra = joinComments(left, o.AfterExtra)
	if len(o.Members) == 0 && trimComment(o.AfterExtra) == nil {
		o.AfterExtra = nil
	}
}

// trimComment returns the text without trailing space, or nil if nothing is left.
func trimComment(e hujson.Extra) hujson.Extra {
	if text := bytes.TrimRight(e, " \t\r\n"); len(text) > 0 {
		return bytes.Clone(text)
	}
	return nil
}

// joinComments joins two comments. It adds a line break after a comment that ends with its line.
func joinComments(a, b hujson.Extra) hujson.Extra {
	if len(b) == 0 {
		return a
	}
	line := a[bytes.LastIndexByte(a, '\n')+1:]
	if bytes.Contains(line, []byte("//")) && !bytes.HasPrefix(bytes.TrimLeft(b, " \t\r"), []byte("\n")) {
		a = append(bytes.Clone(a), '\n')
	}
	return append(bytes.Clone(a), b...)
}
