package config

import (
	_ "embed" // evaluated.cbor
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/cuecontext"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

// embedded is the starting point of every load: the definitions and the shipped files,
// evaluated. It is shared between loads, which therefore modify copies, and contains no
// CUE value, because that would retain everything its context has evaluated.
type embedded struct {
	schema, shipped []*file
	key             string   // digest of both
	known           []string // names of the definitions, such as #Role
	config          *shape   // #Config
	tree            *node    // of the shipped files
	places          map[string]place
	diags           diag.List
}

// latest is the last one requested. A program has one.
var latest struct {
	sync.Mutex
	*embedded
}

// embeddedIn returns the evaluated embedded files. As long as they do not change, it reads or
// evaluates them once.
func embeddedIn(defaults fs.FS, step func(Step)) (*embedded, error) {
	e := &embedded{}
	if err := e.readFiles(defaults); err != nil {
		return nil, err
	}
	latest.Lock()
	defer latest.Unlock()
	if latest.embedded == nil || latest.key != e.key {
		if !e.decode(evaluated) {
			if err := e.evaluate(step); err != nil {
				return nil, err
			}
		}
		for _, f := range e.shipped {
			f.position(0) // computes the line offsets now, because concurrent loads share the file
		}
		latest.embedded = e
	}
	return latest.embedded, nil
}

// readFiles reads the definitions and the shipped files.
func (e *embedded) readFiles(defaults fs.FS) (err error) {
	if e.schema, err = schemaFiles(defaults); err != nil {
		return err
	}
	if e.shipped, err = shippedFiles(defaults); err != nil {
		return err
	}
	e.key = digest(e.schema, e.shipped)
	return nil
}

// evaluated stores the evaluated embedded files, see encode. Evaluating them would take half of
// the CPU of validate.
//
//go:embed evaluated.cbor
var evaluated []byte

// evaluate compiles the definitions, reads #Config from them and evaluates the shipped files.
func (e *embedded) evaluate(step func(Step)) error {
	l := &loader{ctx: cuecontext.New(), step: step, schema: e.schema}
	l.files.all = e.shipped
	definitions, err := l.parseDefinitions()
	if err != nil {
		return fmt.Errorf("the embedded schemas: %w", err)
	}
	root := l.ctx.BuildInstance(definitions)
	if err := root.Err(); err != nil {
		return fmt.Errorf("the embedded schemas: %w", err)
	}
	for it, err := root.Fields(cue.Definitions(true)); err == nil && it.Next(); {
		l.known = append(l.known, it.Selector().String())
	}
	b := &schemaBuilder{mixed: true}
	l.config = b.readShape(root.LookupPath(cue.ParsePath("#Config")))
	if len(b.problems) > 0 {
		return fmt.Errorf("the embedded schemas: %s %s", b.problems[0].at.Path(), b.problems[0].text)
	}
	e.known, e.config = l.known, l.config
	e.tree = l.evaluate(e.shipped, nil)
	e.places, e.diags = l.places[shipped], l.diags
	for _, f := range e.shipped {
		f.syntax = nil
	}
	return nil
}

// parseDefinitions parses the definitions for one context: syntax that was compiled in another
// context cannot be compiled again.
func (l *loader) parseDefinitions() (*build.Instance, error) {
	if l.definitions != nil {
		return l.definitions, nil
	}
	inst := build.NewContext().NewInstance("", nil)
	inst.ImportPath = schemasImport
	for _, shared := range l.schema {
		f := *shared
		if err := l.files.parse(&f); err != nil {
			return nil, err
		}
		if err := inst.AddSyntax(f.syntax); err != nil {
			return nil, err
		}
	}
	l.definitions = inst
	return inst, nil
}

func schemaFiles(defaults fs.FS) ([]*file, error) {
	names, err := fs.Glob(defaults, "schemas/*.cue")
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("the embedded schemas are missing")
	}
	var out []*file
	for _, name := range names {
		text, err := fs.ReadFile(defaults, name)
		if err != nil {
			return nil, fmt.Errorf("the embedded schemas: %w", err)
		}
		out = append(out, &file{name: name, text: text, side: preset})
	}
	return out, nil
}

// builtInName is the prefix of shipped files in messages: a user may have files with the same names.
const builtInName = "built-in "

// shippedFiles returns roles.cue and the files below pipelines/.
func shippedFiles(defaults fs.FS) ([]*file, error) {
	var out []*file
	err := fs.WalkDir(defaults, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".cue" || (path.Dir(name) != "." && !strings.HasPrefix(name, "pipelines/")) {
			return err
		}
		text, err := fs.ReadFile(defaults, name)
		out = append(out, &file{name: builtInName + name, text: text, side: shipped})
		return err
	})
	return out, err
}
