package config

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// wireWriter appends values to buf. Numbers are varints, texts are prefixed with their length.
type wireWriter struct {
	buf      []byte
	defaults fs.FS
	index    map[*file]int
	list     []*file
	values   int
	depth    int
	err      error
}

// countValue counts a value, and reports whether that number and depth are allowed.
func (w *wireWriter) countValue() bool {
	w.values++
	w.depth++
	switch {
	case w.values > maxValues:
		w.err = ErrTooLarge
	case w.depth > maxNesting:
		w.err = ErrTooDeep
	}
	return w.err == nil
}

func (w *wireWriter) leave() { w.depth-- }

func (w *wireWriter) raw(s string) { w.buf = append(w.buf, s...) }
func (w *wireWriter) number(n int) { w.buf = binary.AppendVarint(w.buf, int64(n)) }
func (w *wireWriter) real(f float64) {
	w.buf = binary.LittleEndian.AppendUint64(w.buf, math.Float64bits(f))
}
func (w *wireWriter) text(s string) { w.number(len(s)); w.raw(s) }
func (w *wireWriter) flag(yes bool) { w.number(map[bool]int{true: 1}[yes]) }

// texts distinguishes nil from an empty list.
func (w *wireWriter) texts(list []string) {
	w.size(len(list), list == nil)
	for _, s := range list {
		w.text(s)
	}
}

// size writes the length of a list, or -1 for nil.
func (w *wireWriter) size(n int, none bool) {
	if none {
		n = -1
	}
	w.number(n)
}

// fileNumber returns a file's number; 0 for nil.
func (w *wireWriter) fileNumber(f *file) int {
	if f == nil {
		return 0
	}
	if w.index[f] == 0 {
		w.list = append(w.list, f)
		w.index[f] = len(w.list)
	}
	return w.index[f]
}

func (w *wireWriter) span(s span) {
	w.number(w.fileNumber(s.file))
	if s.file != nil {
		w.number(s.from)
		w.number(s.to)
	}
}

// writePlain writes Go data: nil, bool, int, int64, float64, string, []any and map[string]any.
func (w *wireWriter) writePlain(v any) {
	defer w.leave()
	if !w.countValue() {
		return
	}
	switch v := v.(type) {
	case nil:
		w.raw("0")
	case bool:
		w.raw("b")
		w.flag(v)
	case int:
		w.raw("i")
		w.number(v)
	case int64:
		w.raw("l")
		w.buf = binary.AppendVarint(w.buf, v)
	case float64:
		w.raw("f")
		w.real(v)
	case string:
		w.raw("s")
		w.text(v)
	case []any:
		w.raw("a")
		w.number(len(v))
		for _, item := range v {
			w.writePlain(item)
		}
	case map[string]any:
		w.raw("m")
		w.number(len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			w.text(key)
			w.writePlain(v[key])
		}
	default:
		w.err = fmt.Errorf("a value of type %T has no form to be handed over in", v)
	}
}

func (w *wireWriter) writeSchema(s *schema.Schema) {
	if w.flag(s != nil); s == nil {
		return
	}
	defer w.leave()
	if !w.countValue() {
		return
	}
	w.text(s.Type)
	w.text(s.Doc)
	w.size(len(s.Fields), s.Fields == nil)
	for _, f := range s.Fields {
		w.text(f.Name)
		w.flag(f.Required)
		w.writeSchema(f.Schema)
	}
	w.writeSchema(s.Open)
	w.writeSchema(s.Items)
	w.size(len(s.Enum), s.Enum == nil)
	for _, e := range s.Enum {
		w.writePlain(e)
	}
	w.writePlain(s.Default)
	w.bound(s.Min)
	w.bound(s.Max)
	w.limit(s.MinLen)
	w.limit(s.MaxLen)
	w.text(s.Pattern)
	w.flag(s.Nullable)
}

func (w *wireWriter) bound(f *float64) {
	if w.flag(f != nil); f != nil {
		w.real(*f)
	}
}

func (w *wireWriter) limit(n *int) {
	if w.flag(n != nil); n != nil {
		w.number(*n)
	}
}

func (w *wireWriter) writeDiagnostics(list diag.List) {
	w.size(len(list), list == nil)
	for _, d := range list {
		w.text(d.Code)
		w.text(string(d.Severity))
		w.rng(d.Range)
		w.text(d.Path)
		w.text(d.Message)
		w.texts(d.Allowed)
		w.text(d.Suggestion)
		w.size(len(d.Related), d.Related == nil)
		for _, r := range d.Related {
			w.rng(r.Range)
			w.text(r.Message)
		}
		w.text(d.Help)
	}
}

func (w *wireWriter) rng(r diag.Range) {
	w.text(r.File)
	for _, n := range []int{r.Line, r.Col, r.EndLine, r.EndCol} {
		w.number(n)
	}
}

// wireReader takes values from data. It panics with errWire if the data is invalid.
type wireReader struct {
	data     []byte
	defaults fs.FS
	list     []*file
	whole    map[*file]string // texts of the files
}

func (r *wireReader) raw(n int) string {
	if n < 0 || n > len(r.data) {
		panic(errWire)
	}
	s := string(r.data[:n])
	r.data = r.data[n:]
	return s
}

func (r *wireReader) readVarint() int64 {
	n, size := binary.Varint(r.data)
	if size <= 0 {
		panic(errWire)
	}
	r.data = r.data[size:]
	return n
}

func (r *wireReader) number() int { return int(r.readVarint()) }

// readCount reads a number from 0 to most: the number of values that follow cannot exceed the number of bytes.
func (r *wireReader) readCount(most int) int {
	n := r.number()
	if n < 0 || n > most {
		panic(errWire)
	}
	return n
}

// readSize reads a count, and reports whether the list is not nil.
func (r *wireReader) readSize() (n int, some bool) {
	n = r.number()
	if n < -1 || n > len(r.data) {
		panic(errWire)
	}
	return max(n, 0), n >= 0
}

func (r *wireReader) text() string { return r.raw(r.number()) }
func (r *wireReader) flag() bool   { return r.readCount(1) == 1 }
func (r *wireReader) real() float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64([]byte(r.raw(8))))
}

func (r *wireReader) texts() []string {
	n, some := r.readSize()
	if !some {
		return nil
	}
	list := []string{}
	for range n {
		list = append(list, r.text())
	}
	return list
}

func (r *wireReader) span() span {
	at := r.readCount(len(r.list))
	if at == 0 {
		return span{}
	}
	f := r.list[at-1]
	return span{f, r.readCount(len(f.text)), r.number()}
}

func (r *wireReader) readPlain(depth int) any {
	if depth > maxNesting {
		panic(errWire)
	}
	switch r.raw(1) {
	case "0":
		return nil
	case "b":
		return r.flag()
	case "i":
		return r.number()
	case "l":
		return r.readVarint()
	case "f":
		return r.real()
	case "s":
		return r.text()
	case "a":
		list := []any{}
		for range r.readCount(len(r.data)) {
			list = append(list, r.readPlain(depth+1))
		}
		return list
	case "m":
		m := map[string]any{}
		for range r.readCount(len(r.data)) {
			key := r.text()
			m[key] = r.readPlain(depth + 1)
		}
		return m
	}
	panic(errWire)
}

func (r *wireReader) readSchema(depth int) *schema.Schema {
	if depth > maxNesting {
		panic(errWire)
	}
	if !r.flag() {
		return nil
	}
	s := &schema.Schema{Type: r.text(), Doc: r.text()}
	if n, some := r.readSize(); some {
		s.Fields = []schema.Field{}
		for range n {
			s.Fields = append(s.Fields, schema.Field{Name: r.text(), Required: r.flag(), Schema: r.readSchema(depth + 1)})
		}
	}
	s.Open, s.Items = r.readSchema(depth+1), r.readSchema(depth+1)
	if n, some := r.readSize(); some {
		s.Enum = []any{}
		for range n {
			s.Enum = append(s.Enum, r.readPlain(depth+1))
		}
	}
	s.Default = r.readPlain(depth + 1)
	s.Min, s.Max = r.bound(), r.bound()
	s.MinLen, s.MaxLen = r.limit(), r.limit()
	s.Pattern, s.Nullable = r.text(), r.flag()
	return s
}

func (r *wireReader) bound() *float64 {
	if !r.flag() {
		return nil
	}
	f := r.real()
	return &f
}

func (r *wireReader) limit() *int {
	if !r.flag() {
		return nil
	}
	n := r.number()
	return &n
}

func (r *wireReader) readDiagnostics() diag.List {
	n, some := r.readSize()
	if !some {
		return nil
	}
	list := diag.List{}
	for range n {
		d := diag.Diagnostic{Code: r.text(), Severity: diag.Severity(r.text()), Range: r.rng(), Path: r.text(), Message: r.text(),
			Allowed: r.texts(), Suggestion: r.text()}
		if n, some := r.readSize(); some {
			d.Related = []diag.Related{}
			for range n {
				d.Related = append(d.Related, diag.Related{Range: r.rng(), Message: r.text()})
			}
		}
		d.Help = r.text()
		list = append(list, d)
	}
	return list
}

func (r *wireReader) rng() diag.Range {
	return diag.Range{File: r.text(), Line: r.number(), Col: r.number(), EndLine: r.number(), EndCol: r.number()}
}
