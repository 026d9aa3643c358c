package config

import (
	"context"
	"path"
)

// Step is what loading is about to do, for a watcher that has to report where it got stuck.
type Step struct {
	Doing string // reading, parsing or evaluating
	Name  string // the file, or the directory of several, as diagnostics show it
}

type stepKey struct{}

// WithSteps makes Load call fn before each step, from its own goroutine.
func WithSteps(ctx context.Context, fn func(Step)) context.Context {
	return context.WithValue(ctx, stepKey{}, fn)
}

func stepOf(ctx context.Context) func(Step) {
	if fn, ok := ctx.Value(stepKey{}).(func(Step)); ok {
		return fn
	}
	return func(Step) {}
}

// evaluatingStep returns the step that evaluates all files of one side.
func evaluatingStep(list []*file) Step {
	if len(list) == 1 {
		return Step{"evaluating", list[0].name}
	}
	dir := path.Dir(list[0].name)
	for _, f := range list {
		for dir != "." && !isBelow(f.name, dir) {
			dir = path.Dir(dir)
		}
	}
	return Step{"evaluating", dir}
}

func isBelow(name, dir string) bool { return len(name) > len(dir) && name[:len(dir)+1] == dir+"/" }

// Own reports whether there is anything to read in addition to the embedded files.
func (o Options) Own() bool { return len(o.Layers) > 0 }

// Shown returns the name of the configuration in messages.
func (o Options) Shown() string { return shownLayers(o.Layers) }
