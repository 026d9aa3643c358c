package reply

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// search tries the objects of a text in order and returns the first that fits, or the mismatch of the last.
func search(s string, want *schema.Schema) (Reading, error) {
	var last error = &Mismatch{Got: "no JSON object in the reply"}
	if strings.HasPrefix(s, "[") {
		if got, all := readOuterList(s, want); all {
			return got, nil
		}
	}
	var spans []span
	for from, n := 0, 0; n < maxObjects; n++ {
		o, ok := nextObject(s, from)
		if !ok {
			break
		}
		got, err := o.fit(want)
		if err == nil {
			return got, nil
		}
		if o.deep {
			return Reading{}, err
		}
		last, from = err, o.end
		spans = append(spans, o.span)
	}
	if got, ok := searchInner(s, spans, want); ok {
		return got, nil
	}
	return Reading{}, last
}

type span struct{ start, end int }

// found is an object found in a text.
type found struct {
	span
	value     node
	mended    bool
	cut, deep bool
}

func nextObject(s string, from int) (found, bool) {
	i := strings.IndexByte(s[from:], '{')
	if i < 0 {
		return found{}, false
	}
	return readAt(s, from+i), true
}

// escaped matches the beginning of an object that was escaped as if inside a string.
var escaped = lazyregexp.New(`^[{\[][\s{\[]*(?:\\n\s*)?\\"`)

var unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n", `\t`, "\t")

// readAt reads the object or list at i.
func readAt(s string, i int) found {
	if escaped.MatchString(s[i:min(len(s), i+look)]) {
		o := readAt(unescape.Replace(s[i:]), 0)
		o.mended, o.span = true, span{i, len(s)}
		return o
	}
	r := newReader(s, i)
	v := r.readValue(inList)
	return found{span: span{i, r.i}, value: v, mended: r.mended, cut: r.cut, deep: r.deep}
}

func (o found) fit(want *schema.Schema) (Reading, error) {
	if o.deep {
		return Reading{}, &Mismatch{Got: "nested too deeply"}
	}
	got, err := fitObject(o.value, want)
	if m, ok := err.(*Mismatch); ok {
		m.Cut = o.cut
		return Reading{}, m
	}
	got.Cut = o.cut
	if got.Rung == Stripped && o.mended {
		got.Rung = Mended
	}
	return got, err
}

// searchInner tries objects swallowed by an earlier one: a brace in prose, or a wrapper unknown to the schema.
func searchInner(s string, spans []span, want *schema.Schema) (Reading, bool) {
	tries := maxInner
	for _, sp := range spans {
		for i := sp.start + 1; i < sp.end && tries > 0; i++ {
			next := strings.IndexByte(s[i:sp.end], '{')
			if next < 0 {
				break
			}
			i += next
			tries--
			if got, err := readAt(s, i).fit(want); err == nil {
				got.Rung = Fitted
				return got, true
			}
		}
	}
	return Reading{}, false
}

// readOuterList reads a text that is a list as the only list of the wanted object.
func readOuterList(s string, want *schema.Schema) (Reading, bool) {
	name := onlyList(want)
	if name == "" {
		return Reading{}, false
	}
	o := readAt(s, 0)
	if o.value.kind != list || o.deep || strings.TrimSpace(s[o.end:]) != "" {
		return Reading{}, false
	}
	o.value = node{kind: object, keys: []string{name}, items: []node{o.value}}
	got, err := o.fit(want)
	got.Rung = Fitted
	return got, err == nil
}

// onlyList returns the name of the list that is the only required field, or the only optional list if nothing is
// required.
func onlyList(s *schema.Schema) string {
	var must, may []schema.Field
	for _, f := range s.Fields {
		if f.Required {
			must = append(must, f)
		} else if f.Schema.Type == schema.Array {
			may = append(may, f)
		}
	}
	switch {
	case len(must) == 1 && must[0].Schema.Type == schema.Array:
		return must[0].Name
	case len(must) == 0 && len(may) == 1:
		return may[0].Name
	}
	return ""
}
