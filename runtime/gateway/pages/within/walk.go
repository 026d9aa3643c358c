package within

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// applyStep applies a step to one value. The first step may omit the name of the only array there is.
func (st step) applyStep(n node, first bool) []node {
	switch rawjson.Of(n.raw) {
	case rawjson.Object:
		return st.fromObject(n, first)
	case rawjson.Array:
		return st.fromArray(n)
	}
	return nil
}

func (st step) fromObject(n node, first bool) []node {
	switch st.kind {
	case 'n', 'p':
		return memberOf(n, st.name)
	case 'd':
		return deepMembers(n, st.name)
	case '*':
		var out []node
		members, _ := rawjson.Members(n.raw)
		for _, m := range members {
			if out = append(out, node{n.path + member(m.Name), m.Value}); len(out) > maxNodes {
				break
			}
		}
		return out
	}
	if first {
		if list, ok := onlyArray(n); ok {
			return st.fromArray(list)
		}
	}
	return nil
}

// onlyArray returns the array member of an object, if there is exactly one.
func onlyArray(n node) (node, bool) {
	var found []node
	members, _ := rawjson.Members(n.raw)
	for _, m := range members {
		if rawjson.Of(m.Value) == rawjson.Array {
			found = append(found, node{n.path + member(m.Name), m.Value})
		}
	}
	if len(found) != 1 {
		return node{}, false
	}
	return found[0], true
}

// memberOf returns the member of that name, or the only one that differs just in case.
func memberOf(n node, name string) []node {
	var alike []node
	members, _ := rawjson.Members(n.raw)
	for _, m := range members {
		if m.Name == name {
			return []node{{n.path + member(m.Name), m.Value}}
		}
		if strings.EqualFold(m.Name, name) {
			alike = append(alike, node{n.path + member(m.Name), m.Value})
		}
	}
	if len(alike) == 1 {
		return alike
	}
	return nil
}

func (st step) fromArray(n node) []node {
	if st.kind == 'd' {
		return deepMembers(n, st.name)
	}
	items, _ := rawjson.Items(n.raw)
	from, to := 0, len(items)
	switch st.kind {
	case 'i', 'p':
		from = st.index
		if from < 0 {
			from += len(items)
		}
		to = from + 1
	case 's':
		if from = st.from; from < 0 {
			from += len(items)
		}
		if to = st.to; to < 0 {
			to += len(items)
		}
	case 'n':
		return nil
	}
	if st.kind == 's' {
		from, to = max(from, 0), min(to, len(items))
	}
	if from < 0 || to > len(items) {
		return nil
	}
	var out []node
	for i := from; i < to && len(out) <= maxNodes; i++ {
		out = append(out, node{fmt.Sprintf("%s[%d]", n.path, i), items[i]})
	}
	return out
}

// deepMembers returns each member with a name, at any depth, in one pass.
func deepMembers(n node, name string) []node {
	var out []node
	w := walker{data: n.raw}
	w.walk(func(start, end int) bool {
		if top := w.top(); !top.array && isNamed(top.name, name) {
			out = append(out, node{n.path + w.path(), n.raw[start:end]})
		}
		return len(out) <= maxNodes
	})
	return out
}

// isNamed reports whether a quoted name equals name.
func isNamed(written []byte, name string) bool {
	if len(written) < 2 || len(written)-2 == len(name) && string(written[1:len(written)-1]) == name {
		return len(written) >= 2
	}
	if bytes.IndexByte(written, '\\') < 0 {
		return false
	}
	text, _ := rawjson.Text(written)
	return text == name
}

// frame is an open bracket, with the member or item being read in it.
type frame struct {
	start int
	array bool
	index int
	name  []byte // as written, with its quotes
}

// walker reads a value in one pass and tracks its position.
type walker struct {
	data   []byte
	frames []frame
}

// top returns the frame around the current value.
func (w *walker) top() frame {
	if len(w.frames) == 0 {
		return frame{}
	}
	return w.frames[len(w.frames)-1]
}

// path returns the path of the current value, from the walked value.
func (w *walker) path() string { return w.pathAt(len(w.frames), w.top()) }

// pathAt returns the path of a value read since its outer brackets opened: last is a copy of its innermost bracket at
// that time, which may have been closed since.
func (w *walker) pathAt(depth int, last frame) string {
	var b strings.Builder
	for i, f := range w.frames[:depth] {
		if i == depth-1 {
			f = last
		}
		if f.array {
			fmt.Fprintf(&b, "[%d]", f.index)
		} else {
			name, _ := rawjson.Text(f.name)
			b.WriteString(member(name))
		}
	}
	return b.String()
}

// walk calls fn at the end of each value, inner ones first, until it returns false.
func (w *walker) walk(fn func(start, end int) bool) {
	scan := rawjson.Scan(w.data)
	for {
		t, ok := scan.Next()
		if !ok {
			return
		}
		start := t.Start
		switch {
		case t.Name:
			w.frames[len(w.frames)-1].name = w.data[t.Start:t.End]
			continue
		case t.First == '{' || t.First == '[':
			w.frames = append(w.frames, frame{start: t.Start, array: t.First == '['})
			continue
		case t.First == '}' || t.First == ']':
			start = w.top().start
			w.frames = w.frames[:len(w.frames)-1]
		}
		if !fn(start, t.End) {
			return
		}
		if n := len(w.frames); n > 0 && w.frames[n-1].array {
			w.frames[n-1].index++
		}
	}
}
