package config

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"

	"compactor/runtime/diag"
)

// Options say what to load.
type Options struct {
	Defaults fs.FS  // the embedded configuration: roles.cue, pipelines/, schemas/
	Dir      string // the user's directory; empty loads the embedded one alone
	Display  string // how Dir is shown in diagnostics; empty shows names relative to it
}

// Load reads, merges and checks a configuration. All problems come back in one
// list, each with its place in a user's file. The Config is there even when
// the list has errors, so that plan.Compile can report what else is wrong; it
// is not fit to run then. The error is for what could not be tried at all,
// such as a directory that does not exist. CUE cannot be
// interrupted: when ctx ends first, its goroutine is left to finish alone.
func Load(ctx context.Context, opt Options) (*Config, diag.List, error) {
	type result struct {
		cfg   *Config
		diags diag.List
		err   error
	}
	done := make(chan result, 1)
	go func() {
		cfg, diags, err := load(ctx, opt)
		done <- result{cfg, diags, err}
	}()
	select {
	case r := <-done:
		return r.cfg, r.diags, r.err
	case <-ctx.Done():
		return nil, nil, fmt.Errorf("configuration %s: loading was given up: %w", shownDir(opt.Display, opt.Dir), context.Cause(ctx))
	}
}

func load(ctx context.Context, opt Options) (*Config, diag.List, error) {
	l := &loader{ctx: cuecontext.New(), types: map[string]cue.Value{}}
	if err := l.schemas(opt.Defaults); err != nil {
		return nil, nil, err
	}
	builtin, err := l.shipped(opt.Defaults)
	if err != nil {
		return nil, nil, err
	}
	var own []*file
	if opt.Dir != "" {
		var diags diag.List
		own, diags, err = collect(ctx, opt.Dir, opt.Display)
		if err != nil {
			return nil, nil, err
		}
		l.diags = append(l.diags, diags...)
	}
	base := l.evaluate(builtin, nil)
	user := l.evaluate(own, base)
	tree := merge(base, user, l.config)
	l.check(tree)
	l.diags.Sort()
	l.diags = l.diags.Dedupe()
	cfg := decode(tree)
	cfg.Source = &Source{tree: tree, files: l.files.all, hash: l.hash()}
	return cfg, l.diags, nil
}

// loader is one load. Its context is dropped with it, since a CUE context
// grows with everything it evaluates.
type loader struct {
	ctx    *cue.Context
	files  files
	config *shape // #Config
	root   cue.Value
	types  map[string]cue.Value
	schema []*file
	diags  diag.List
}

// schemas compiles the definitions and reads #Config off them.
func (l *loader) schemas(defaults fs.FS) error {
	names, err := fs.Glob(defaults, "schemas/*.cue")
	if err != nil || len(names) == 0 {
		return fmt.Errorf("the embedded schemas are missing")
	}
	for _, name := range names {
		text, err := fs.ReadFile(defaults, name)
		if err != nil {
			return err
		}
		l.schema = append(l.schema, &file{name: name, text: text, side: preset})
	}
	inst, err := l.instance(l.schema, "schemas")
	if err != nil {
		return fmt.Errorf("the embedded schemas: %w", err)
	}
	l.root = l.ctx.BuildInstance(inst)
	if err := l.root.Err(); err != nil {
		return fmt.Errorf("the embedded schemas: %w", err)
	}
	b := &shaper{}
	l.config = b.shape(l.root.LookupPath(cue.ParsePath("#Config")))
	if len(b.problems) > 0 {
		return fmt.Errorf("the embedded schemas: %s %s", b.problems[0].at.Path(), b.problems[0].text)
	}
	return nil
}

func (l *loader) shipped(defaults fs.FS) ([]*file, error) {
	var out []*file
	err := fs.WalkDir(defaults, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".cue" || (path.Dir(name) != "." && !strings.HasPrefix(name, "pipelines/")) {
			return err
		}
		text, err := fs.ReadFile(defaults, name)
		out = append(out, &file{name: name, text: text, side: shipped})
		return err
	})
	return out, err
}

// hash is a digest of everything that was read.
func (l *loader) hash() string {
	h := sha256.New()
	for _, f := range slices.Concat(l.schema, l.files.all) {
		fmt.Fprintf(h, "%s\x00%d\x00", f.name, len(f.text))
		h.Write(f.text)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
