package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

// A configuration that one process has loaded is handed to another as the tree of its values,
// the files that contain them and the problems that were found. The typed form is decoded
// from the tree again: that is as cheap as sending it, and neither JSON, which makes an int
// of a float, nor gob, which drops a pointer to zero, would preserve it completely.

// wireForm begins each handover. Both ends are the same program, so any other form is rejected.
const wireForm = "compactor configuration 1\n"

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

// Loaded is the result of Load.
type Loaded struct {
	Config      *Config
	Diagnostics diag.List
	Err         error
}

// Encode writes a result of Load for Decode in another process. The files of defaults,
// which both have, are sent by name.
func (l Loaded) Encode(defaults fs.FS) ([]byte, error) {
	w := &wireWriter{defaults: defaults, index: map[*file]int{}}
	w.raw(wireForm)
	w.writeDiagnostics(l.Diagnostics)
	if l.Err != nil {
		w.raw("e")
		w.text(l.Err.Error())
		return w.buf, nil
	}
	w.raw("c")
	w.writeSource(l.Config.Source)
	base := l.Config.Base
	if w.flag(base != nil); base != nil { // with its own table of files
		alone := &wireWriter{defaults: defaults, index: map[*file]int{}}
		alone.writeSource(base.Source)
		w.text(string(alone.buf))
		w.err = errors.Join(w.err, alone.err)
	}
	return w.buf, w.err
}

// Decode reads the output of Encode.
func Decode(data []byte, defaults fs.FS) (l Loaded, err error) {
	r := &wireReader{data: data, defaults: defaults, whole: map[*file]string{}}
	defer func() { // every read panics with errWire if too little data is left
		if p := recover(); p != nil {
			if p != errWire {
				panic(p)
			}
			l, err = Loaded{}, errWire
		}
	}()
	if r.raw(len(wireForm)) != wireForm {
		return l, errWire
	}
	l.Diagnostics = r.readDiagnostics()
	switch r.raw(1) {
	case "e":
		l.Err = errors.New(r.text())
	case "c":
		l.Config = r.readSource().decodeConfig()
		if r.flag() {
			alone := &wireReader{data: []byte(r.text()), defaults: defaults, whole: map[*file]string{}}
			l.Config.Base = alone.readSource().decodeConfig()
			if len(alone.data) > 0 {
				return Loaded{}, errWire
			}
		}
	default:
		return l, errWire
	}
	if len(r.data) > 0 {
		return Loaded{}, errWire
	}
	return l, nil
}

// decodeConfig decodes the typed form from the tree.
func (s *Source) decodeConfig() *Config {
	cfg := decode(s.tree, s.project)
	cfg.Source = s
	return cfg
}

var errWire = errors.New("the configuration did not come over whole")

func (w *wireWriter) writeSource(s *Source) {
	var nodes wireWriter // its files are known only after writing it
	nodes.index, nodes.defaults = w.index, w.defaults
	for _, f := range s.files {
		nodes.fileNumber(f)
	}
	types := map[side][]string{}
	nodes.writeNode(s.tree, nil, types)
	nodes.writePlaces(s.places, types)
	w.writeFiles(nodes.list)
	w.number(len(s.files))
	w.text(s.hash)
	w.number(int(s.project))
	w.number(int(s.theirs))
	w.raw(string(nodes.buf))
	w.err = nodes.err
}

func (r *wireReader) readSource() *Source {
	r.readFiles()
	s := &Source{}
	s.files = r.list[:r.readCount(len(r.list))]
	s.hash = r.text()
	s.project, s.theirs = side(r.readCount(255)), side(r.readCount(255))
	s.tree = r.readNode(0)
	s.places = r.readPlaces()
	return s
}

// writeFiles writes each file with its text, unless the other end has it.
func (w *wireWriter) writeFiles(list []*file) {
	w.number(len(list))
	for _, f := range list {
		w.text(f.name)
		w.number(int(f.side))
		known := f.inDefaults(w.defaults)
		w.flag(known)
		if !known {
			w.text(string(f.text))
		}
	}
}

func (r *wireReader) readFiles() {
	for range r.readCount(len(r.data)) {
		f := &file{name: r.text(), side: side(r.readCount(255))}
		if r.flag() {
			var err error
			if f.text, err = fs.ReadFile(r.defaults, strings.TrimPrefix(f.name, builtInName)); err != nil {
				panic(errWire)
			}
		} else {
			f.text = []byte(r.text())
		}
		r.list = append(r.list, f)
		r.whole[f] = string(f.text)
	}
}

// inDefaults reports whether a file is one of the embedded ones.
func (f *file) inDefaults(defaults fs.FS) bool {
	if f.side != shipped && f.side != preset {
		return false
	}
	text, err := fs.ReadFile(defaults, strings.TrimPrefix(f.name, builtInName))
	return err == nil && string(text) == string(f.text)
}

// writeNode writes a value and everything below it, and records where types are.
func (w *wireWriter) writeNode(n *node, path []string, types map[side][]string) {
	defer w.leave()
	if !w.countValue() {
		return
	}
	w.number(int(n.kind))
	w.number(int(n.side))
	w.span(n.key)
	w.span(n.value)
	w.writeLiteral(n)
	switch n.kind {
	case structNode:
		w.number(len(n.fields))
		for _, f := range n.fields {
			w.text(f.name)
			w.writeNode(f.value, append(path[:len(path):len(path)], f.name), types)
		}
	case listNode:
		w.number(len(n.items))
		for i, item := range n.items {
			w.writeNode(item, append(path[:len(path):len(path)], fmt.Sprint(i)), types)
		}
	case typeNode:
		if n.value.file != nil {
			types[n.value.file.side] = append(types[n.value.file.side], joinKey(path)+"\x00")
		}
		w.writeSchema(n.typ)
	case scalarNode:
		w.writePlain(n.scalar)
	}
}

func (r *wireReader) readNode(depth int) *node {
	if depth > maxNesting {
		panic(errWire)
	}
	n := &node{kind: kind(r.readCount(int(typeNode))), side: side(r.readCount(255)), key: r.span(), value: r.span()}
	n.lit = r.readLiteral(n.value)
	switch n.kind {
	case structNode:
		for range r.readCount(len(r.data)) {
			name := r.text()
			n.fields = append(n.fields, nodeField{name, r.readNode(depth + 1)})
		}
	case listNode:
		for range r.readCount(len(r.data)) {
			n.items = append(n.items, r.readNode(depth+1))
		}
	case typeNode:
		n.typ = r.readSchema(depth)
	case scalarNode:
		n.scalar = r.readPlain(depth)
	}
	return n
}

// writeLiteral writes the source form of a text, which nearly always equals the file's text at its location.
func (w *wireWriter) writeLiteral(n *node) {
	lit := n.literal()
	switch {
	case lit == "":
		w.raw("-")
	case n.value.hasText(lit):
		w.raw("=")
		w.number(len(lit))
	default: // line ends differ from those in the file
		w.raw("!")
		w.text(lit)
	}
}

func (r *wireReader) readLiteral(at span) string {
	switch r.raw(1) {
	case "-":
		return ""
	case "=": // a substring of the file's text rather than a copy: many values may share one location
		if at.file == nil {
			panic(errWire)
		}
		return r.whole[at.file][at.from:][:r.readCount(len(at.file.text)-at.from)]
	}
	return r.text()
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

// writePlaces writes the labels of fields within types, the only ones needed later.
func (w *wireWriter) writePlaces(all map[side]map[string]place, types map[side][]string) {
	var sides []side
	for s := range all {
		sides = append(sides, s)
	}
	slices.Sort(sides)
	w.number(len(sides))
	for _, s := range sides {
		var keys []string
		for _, key := range slices.Sorted(maps.Keys(all[s])) {
			if slices.ContainsFunc(types[s], func(outer string) bool { return strings.HasPrefix(key, outer) }) {
				keys = append(keys, key)
			}
		}
		w.number(int(s))
		w.number(len(keys))
		for _, key := range keys {
			w.text(key)
			w.span(all[s][key].key)
		}
	}
}

func (r *wireReader) readPlaces() map[side]map[string]place {
	out := map[side]map[string]place{}
	for range r.readCount(len(r.data)) {
		s := side(r.readCount(255))
		out[s] = map[string]place{}
		for range r.readCount(len(r.data)) {
			key := r.text()
			out[s][key] = place{key: r.span()}
		}
	}
	return out
}
