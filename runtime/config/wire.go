package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue/ast"
	"github.com/fxamacker/cbor/v2"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// A configuration that one process has loaded is handed to another as the tree of its values,
// the files that contain them and the problems that were found. The typed form is decoded
// from the tree again: that is as cheap as sending it. The encoding is CBOR, because JSON makes
// an int of a float, and gob drops a pointer to zero.

// wireForm begins each handover. Both ends are the same program, so any other form is rejected.
const wireForm = "compactor configuration 2"

// Limits of an evaluated configuration. The code that compiles and prints it afterwards
// has no limits of its own.
const (
	maxValues  = 100_000
	maxNesting = 200
)

// Errors for a configuration that is not handed over because it has more values, or
// deeper nesting, than one written by hand.
var (
	ErrTooLarge = fmt.Errorf("evaluates to more than %d values", maxValues)
	ErrTooDeep  = fmt.Errorf("evaluates to values nested more than %d deep", maxNesting)
)

var errWire = errors.New("the configuration did not come over whole")

// The modes of CBOR. A value takes up to three levels of nesting: its list, the list's element, and in that the value.
var (
	wireEncoding = must(cbor.EncOptions{Sort: cbor.SortBytewiseLexical}.EncMode())
	wireDecoding = must(cbor.DecOptions{
		DefaultMapType:   reflect.TypeFor[map[string]any](),
		IntDec:           cbor.IntDecConvertSignedOrFail,
		UTF8:             cbor.UTF8DecodeInvalid, // a text may have any bytes
		TagsMd:           cbor.TagsForbidden,
		MaxNestedLevels:  4 * maxNesting,
		MaxArrayElements: 4 * maxValues,
		MaxMapPairs:      4 * maxValues,
	}.DecMode())
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Loaded is the result of Load.
type Loaded struct {
	Config      *Config
	Diagnostics diag.List
	Err         error
}

// The forms in which the parts of a result are handed over.
type (
	wireLoaded struct {
		_            struct{} `cbor:",toarray"`
		Form         string
		Diagnostics  diag.List
		Err          *string
		Config, Base *wireSource
	}
	wireSource struct {
		_               struct{} `cbor:",toarray"`
		Files           []wireFile
		Own             int // of Files, those of the source; the others are only pointed to
		Hash            string
		Project, Theirs side
		Tree            wireNode
		Labels          map[side]map[string]wireSpan // of fields within types
	}
	wireFile struct {
		_     struct{} `cbor:",toarray"`
		Name  string
		Side  side
		Known bool // to the other end, which has its text
		Text  []byte
	}
	wireSpan [3]int // number of the file, from, to; the number is 0 for none
	wireNode struct {
		_          struct{} `cbor:",toarray"`
		Kind       kind
		Side       side
		Key, Value wireSpan
		Literal    int    // length of the literal that begins at Value; see also Other
		Other      string // the literal, if line ends differ from those in the file
		Fields     []wireField
		Items      []wireNode
		Scalar     any
		Type       *schema.Schema
	}
	wireField struct {
		_     struct{} `cbor:",toarray"`
		Name  string
		Value wireNode
	}
)

// Encode writes a result of Load for Decode in another process. The files of defaults,
// which both have, are sent by name.
func (l Loaded) Encode(defaults fs.FS) ([]byte, error) {
	w := wireLoaded{Form: wireForm, Diagnostics: l.Diagnostics}
	if l.Err != nil {
		text := l.Err.Error()
		w.Err = &text
		return wireEncoding.Marshal(w)
	}
	var err error
	if w.Config, err = encodeSource(l.Config.Source, defaults); err == nil && l.Config.Base != nil {
		w.Base, err = encodeSource(l.Config.Base.Source, defaults)
	}
	if err != nil {
		return nil, err
	}
	return wireEncoding.Marshal(w)
}

// Decode reads the output of Encode.
func Decode(data []byte, defaults fs.FS) (Loaded, error) {
	var w wireLoaded
	if err := wireDecoding.Unmarshal(data, &w); err != nil || w.Form != wireForm || (w.Err == nil) == (w.Config == nil) {
		return Loaded{}, errWire
	}
	l := Loaded{Diagnostics: w.Diagnostics}
	if w.Err != nil {
		l.Err = errors.New(*w.Err)
		return l, nil
	}
	var err error
	if l.Config, err = w.Config.readConfig(defaults); err == nil && w.Base != nil {
		l.Config.Base, err = w.Base.readConfig(defaults)
	}
	if err != nil {
		return Loaded{}, err
	}
	return l, nil
}

// wireWriter converts a source, and numbers the files that it points to.
type wireWriter struct {
	numbers map[*file]int
	files   []*file
	types   map[side][]string // where types are
	values  int
	err     error // ErrTooLarge or ErrTooDeep; nothing is converted from then on
}

func newWireWriter(list []*file) *wireWriter {
	w := &wireWriter{numbers: map[*file]int{}, types: map[side][]string{}}
	for _, f := range list {
		w.numberOf(f)
	}
	return w
}

// encodeSource converts a source with its files.
func encodeSource(s *Source, defaults fs.FS) (*wireSource, error) {
	w := newWireWriter(s.files)
	out := w.convertSource(s)
	if w.err != nil {
		return nil, w.err
	}
	for _, f := range w.files {
		one := wireFile{Name: f.name, Side: f.side, Known: f.inDefaults(defaults)}
		if !one.Known {
			one.Text = f.text
		}
		out.Files = append(out.Files, one)
	}
	return out, nil
}

// convertSource converts a source without its files.
func (w *wireWriter) convertSource(s *Source) *wireSource {
	out := &wireSource{Own: len(s.files), Hash: s.hash, Project: s.project, Theirs: s.theirs, Tree: w.convertNode(s.tree, nil)}
	if w.err == nil {
		out.Labels = w.convertLabels(s.places) // of the types that convertNode has found
	}
	return out
}

// inDefaults reports whether a file is one of the embedded ones.
func (f *file) inDefaults(defaults fs.FS) bool {
	if f.side != shipped && f.side != preset {
		return false
	}
	text, err := fs.ReadFile(defaults, strings.TrimPrefix(f.name, builtInName))
	return err == nil && bytes.Equal(text, f.text)
}

// numberOf returns a file's number; 0 for nil.
func (w *wireWriter) numberOf(f *file) int {
	if f != nil && w.numbers[f] == 0 {
		w.files = append(w.files, f)
		w.numbers[f] = len(w.files)
	}
	return w.numbers[f]
}

func (w *wireWriter) convertSpan(s span) wireSpan {
	if s.file == nil {
		return wireSpan{}
	}
	return wireSpan{w.numberOf(s.file), s.from, s.to}
}

// convertNode converts a value and everything below it, and records where types are.
func (w *wireWriter) convertNode(n *node, path []string) (out wireNode) {
	if !w.countValue(len(path)) {
		return out
	}
	out = wireNode{Kind: n.kind, Side: n.side, Key: w.convertSpan(n.key), Value: w.convertSpan(n.value)}
	if lit := n.literal(); n.value.hasText(lit) {
		out.Literal = len(lit)
	} else {
		out.Other = lit
	}
	below := func(name string) []string { return append(path[:len(path):len(path)], name) }
	switch n.kind {
	case structNode:
		for i := 0; i < len(n.fields) && w.err == nil; i++ {
			f := n.fields[i]
			out.Fields = append(out.Fields, wireField{Name: f.name, Value: w.convertNode(f.value, below(f.name))})
		}
	case listNode:
		for i := 0; i < len(n.items) && w.err == nil; i++ {
			out.Items = append(out.Items, w.convertNode(n.items[i], below(strconv.Itoa(i))))
		}
	case typeNode:
		if n.value.file != nil {
			w.types[n.value.file.side] = append(w.types[n.value.file.side], joinKey(path)+"\x00")
		}
		out.Type = n.typ
		w.countSchema(n.typ, len(path)+1)
	case scalarNode:
		out.Scalar = n.scalar
		w.countPlain(n.scalar, len(path)+1)
	}
	return out
}

// countValue counts a value, and reports whether that number and depth are allowed.
func (w *wireWriter) countValue(depth int) bool {
	w.values++
	switch {
	case w.err != nil:
	case w.values > maxValues:
		w.err = ErrTooLarge
	case depth >= maxNesting:
		w.err = ErrTooDeep
	}
	return w.err == nil
}

func (w *wireWriter) countSchema(s *schema.Schema, depth int) {
	if s == nil || !w.countValue(depth) {
		return
	}
	for _, f := range s.Fields {
		w.countSchema(f.Schema, depth+1)
	}
	w.countSchema(s.Open, depth+1)
	w.countSchema(s.Items, depth+1)
	for _, e := range s.Enum {
		w.countPlain(e, depth+1)
	}
	w.countPlain(s.Default, depth+1)
}

// countPlain counts the values in Go data of the types that node.plain returns.
func (w *wireWriter) countPlain(v any, depth int) {
	if !w.countValue(depth) {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			w.countPlain(item, depth+1)
		}
	case map[string]any:
		for _, item := range v {
			w.countPlain(item, depth+1)
		}
	}
}

// literal returns the source form of the node's value if it is a single literal.
func (n *node) literal() string {
	if lit, ok := n.expr.(*ast.BasicLit); ok {
		return lit.Value
	}
	return n.lit
}

// hasText reports whether the file has this text at the beginning of the span.
func (s span) hasText(text string) bool {
	return s.file != nil && s.from+len(text) <= len(s.file.text) && string(s.file.text[s.from:s.from+len(text)]) == text
}

// convertLabels converts the labels of fields within types, the only ones needed later.
func (w *wireWriter) convertLabels(all map[side]map[string]place) map[side]map[string]wireSpan {
	out := map[side]map[string]wireSpan{}
	for by, places := range all {
		out[by] = map[string]wireSpan{}
		for key, at := range places {
			if slices.ContainsFunc(w.types[by], func(outer string) bool { return strings.HasPrefix(key, outer) }) {
				out[by][key] = w.convertSpan(at.key)
			}
		}
	}
	return out
}

// wireReader converts a source back. bad is set if a part of it points to nothing.
type wireReader struct {
	files []*file
	texts []string // of the files
	bad   bool
}

// readConfig converts a source back, and decodes the typed form from its tree.
func (w *wireSource) readConfig(defaults fs.FS) (*Config, error) {
	var files []*file
	for _, in := range w.Files {
		f := &file{name: in.Name, side: in.Side, text: in.Text}
		if in.Known {
			var err error
			if f.text, err = fs.ReadFile(defaults, strings.TrimPrefix(f.name, builtInName)); err != nil {
				return nil, errWire
			}
		}
		files = append(files, f)
	}
	s, err := w.readSource(files)
	if err != nil {
		return nil, err
	}
	return s.decodeConfig(), nil
}

// readSource converts back a source that refers to these files.
func (w *wireSource) readSource(files []*file) (*Source, error) {
	if w.Own < 0 || w.Own > len(files) {
		return nil, errWire
	}
	r := &wireReader{files: files}
	for _, f := range files {
		r.texts = append(r.texts, string(f.text))
	}
	s := &Source{files: files[:w.Own], hash: w.Hash, project: w.Project, theirs: w.Theirs,
		tree: r.readNode(&w.Tree), places: map[side]map[string]place{}}
	for by, labels := range w.Labels {
		s.places[by] = map[string]place{}
		for key, at := range labels {
			s.places[by][key] = place{key: r.readSpan(at)}
		}
	}
	if r.bad {
		return nil, errWire
	}
	return s, nil
}

// decodeConfig decodes the typed form from the tree.
func (s *Source) decodeConfig() *Config {
	cfg := decode(s.tree, s.project)
	cfg.Source = s
	return cfg
}

func (r *wireReader) readSpan(w wireSpan) span {
	number, from, to := w[0], w[1], w[2]
	if number == 0 {
		return span{}
	}
	if number < 0 || number > len(r.files) || from < 0 || from > len(r.texts[number-1]) {
		r.bad = true
		return span{}
	}
	return span{r.files[number-1], from, to}
}

func (r *wireReader) readNode(w *wireNode) *node {
	n := &node{kind: w.Kind, side: w.Side, key: r.readSpan(w.Key), value: r.readSpan(w.Value), lit: w.Other, scalar: w.Scalar, typ: w.Type}
	switch {
	case n.kind > typeNode, w.Literal < 0, w.Literal > 0 && (n.value.file == nil || w.Literal > len(n.value.file.text)-n.value.from):
		r.bad = true
	case w.Literal > 0: // a part of the file's text rather than a copy: many values may share one location
		n.lit = r.texts[w.Value[0]-1][n.value.from:][:w.Literal]
	}
	for i := range w.Fields {
		n.fields = append(n.fields, nodeField{w.Fields[i].Name, r.readNode(&w.Fields[i].Value)})
	}
	for i := range w.Items {
		n.items = append(n.items, r.readNode(&w.Items[i]))
	}
	return n
}
