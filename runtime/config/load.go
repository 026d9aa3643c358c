package config

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/cuecontext"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

// Options determine what to load.
type Options struct {
	Defaults fs.FS   // the embedded configuration: roles.cue, pipelines/, schemas/
	Layers   []Layer // directories on top, weakest first; with none, only the embedded one is loaded
	// PlainOnly rejects files that could take much time or memory; the error is ErrNotPlain.
	PlainOnly bool
}

// Layer is one directory of CUE files.
type Layer struct {
	Dir     string
	Display string // name of Dir in diagnostics; empty shows names relative to it
	// Project marks the directory that came with a project. It adds to the other layers and
	// narrows them: in a conflict, their value wins. At most one layer is a project's.
	Project bool
	// Instead has texts of files at the top of the directory, by name: they replace the
	// contents of the files, or add files that do not exist. It lets a caller see the
	// effect of a change before anything is written.
	Instead map[string]string
}

// Load reads, merges and checks a configuration. All problems come back in one list, each
// with its place in a user's file. The Config is returned even if the list has errors, so
// that plan.Compile can report further mistakes; it must not be run then. If a user's
// value is wrong, the shipped one replaces it, so that one mistake does not look like
// many. The error is for what could not be tried at all, such as a directory that does
// not exist. CUE cannot be interrupted: if ctx ends first, its goroutine is left to
// finish alone.
func Load(ctx context.Context, opt Options) (*Config, diag.List, error) {
	type result struct {
		cfg   *Config
		diags diag.List
		err   error
	}
	done := make(chan result, 1)
	go func() {
		if opt.PlainOnly { // whoever loads it another way can say what happened
			defer func() {
				if recover() != nil {
					done <- result{err: ErrNotPlain}
				}
			}()
		}
		cfg, diags, err := load(ctx, opt)
		done <- result{cfg, diags, err}
	}()
	select {
	case r := <-done:
		return r.cfg, r.diags, r.err
	case <-ctx.Done():
		return nil, nil, fmt.Errorf("configuration %s: loading was given up: %w", shownLayers(opt.Layers), context.Cause(ctx))
	}
}

func load(ctx context.Context, opt Options) (*Config, diag.List, error) {
	read, diags, err := collectAll(ctx, opt)
	if err != nil {
		return nil, nil, err
	}
	e, err := embeddedIn(opt.Defaults, stepOf(ctx))
	if err != nil {
		return nil, nil, err
	}
	l := &loader{ctx: cuecontext.New(), step: stepOf(ctx), schema: e.schema, known: e.known, config: e.config, layers: opt.Layers,
		files: files{all: slices.Concat(append([][]*file{e.shipped}, read...)...)}, places: map[side]map[string]place{shipped: e.places}, diags: slices.Concat(e.diags, diags)}
	cfg := l.mergeLayers(e.tree, read)
	l.diags.Sort()
	l.diags = l.diags.Dedupe()
	return cfg, l.diags, nil
}

// collectAll reads the files of all layers.
func collectAll(ctx context.Context, opt Options) (read [][]*file, diags diag.List, err error) {
	maxSize := math.MaxInt
	if opt.PlainOnly {
		maxSize = maxPlainSize
	}
	for i, layer := range opt.Layers {
		files, found, err := collect(ctx, layer, written+side(i), maxSize)
		if err != nil {
			return nil, nil, err
		}
		read, diags = append(read, files), append(diags, found...)
	}
	if opt.PlainOnly && !isPlain(slices.Concat(read...)) {
		return nil, nil, ErrNotPlain
	}
	return read, diags, nil
}

// mergeLayers evaluates the layers, lays them over the shipped tree and each other, and checks the result.
func (l *loader) mergeLayers(shippedTree *node, read [][]*file) *Config {
	base := shippedTree.clone()
	var own, project *node
	for i, layer := range l.layers {
		if layer.Project {
			continue
		}
		tree := l.evaluate(read[i], base)
		l.dropForeign(tree)
		own = l.mergeOwn(own, tree)
		base = merge(base, tree.clone(), l.config)
	}
	base = withUnions(base, own)
	p := slices.IndexFunc(l.layers, func(layer Layer) bool { return layer.Project })
	if p < 0 {
		return l.checkAndDecode(base, 0)
	}
	project = l.evaluate(read[p], base)
	l.dropForeign(project)
	full := l.layProject(shippedTree.clone(), project, own, written+side(p))
	cfg := l.checkAndDecode(full, written+side(p))
	cfg.Base = l.checkAndDecode(base, 0)
	return cfg
}

// mergeOwn merges two of the user's own layers.
func (l *loader) mergeOwn(below, above *node) *node {
	merged := merge(below.clone(), above.clone(), l.config)
	return withUnions(merged, below, above)
}

// checkAndDecode checks a tree against the definitions and decodes it. Entries written by the
// given side are marked as the project's.
func (l *loader) checkAndDecode(tree *node, project side) *Config {
	if tree == nil {
		tree = &node{kind: structNode}
	}
	l.check(tree)
	src := &Source{tree: tree, files: l.files.all, places: l.places, hash: l.hash(), project: project}
	if p := slices.IndexFunc(l.layers, func(layer Layer) bool { return layer.Project }); p >= 0 {
		src.theirs = written + side(p)
	}
	return src.decodeConfig()
}

// loader is one load. Its context is dropped with it, since a CUE context grows with
// everything it evaluates.
type loader struct {
	ctx         *cue.Context
	step        func(Step)
	schema      []*file
	definitions *build.Instance // of the schemas, made when a file imports them
	known       []string        // names of the definitions, such as #Role
	config      *shape          // #Config
	layers      []Layer
	files       files
	places      map[side]map[string]place // by path, as written
	diags       diag.List
}

// hash returns a digest of everything that was read.
func (l *loader) hash() string { return digest(l.schema, l.files.all) }

func digest(lists ...[]*file) string {
	h := sha256.New()
	for _, f := range slices.Concat(lists...) {
		fmt.Fprintf(h, "%s\x00%d\x00", f.name, len(f.text))
		h.Write(f.text)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
