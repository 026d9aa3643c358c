// Package bounded loads a configuration in a child process, so that text written by a
// third party can exhaust neither the memory nor the time of the calling process.
//
// CUE is a language: eighty bytes of it can double a text until no machine can hold it,
// and its evaluator can be neither interrupted nor limited. The child is the one of
// runtime/safety/confined, our own program again. It evaluates the directories and
// returns the result decoded; the parent evaluates only the embedded configuration, and
// the user's own files if they are plain values.
// Exceeding a limit is reported as a diagnostic, like any other mistake.
package bounded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/safety/confined"
)

// Limits bound one child process.
type Limits = confined.Limits

// DefaultLimits allow fifteen times what a configuration of 50 roles and 500 stages takes.
var DefaultLimits = Limits{CPU: slowness * 1200 * time.Millisecond, Wall: 10 * time.Second, Memory: 512 << 20}

// Loader starts the child processes.
type Loader struct {
	Self   []string // command line of the child; nil means this program with "evaluate"
	Limits Limits   // zero means DefaultLimits
}

// Load is [config.Load] within the default limits. Defaults must equal those that the
// child passes to Evaluate.
func Load(ctx context.Context, opt config.Options) (*config.Config, diag.List, error) {
	return Loader{}.Load(ctx, opt)
}

// Load is [config.Load] within the limits. For a configuration that exceeds them it
// returns the embedded one, with an error diagnostic.
func (l Loader) Load(ctx context.Context, opt config.Options) (*config.Config, diag.List, error) {
	if !opt.Own() {
		return config.Load(ctx, opt)
	}
	if l.Limits == (Limits{}) {
		l.Limits = DefaultLimits
	}
	if loaded, ok := l.loadPlain(ctx, opt); ok {
		return loaded.Config, loaded.Diagnostics, loaded.Err
	}
	asked := opt
	asked.Defaults = nil // the child has its own
	result, end, err := confined.Child{Self: l.Self, Command: Command, Limits: l.Limits}.Run(ctx, asked, nil)
	switch {
	case ctx.Err() != nil:
		return nil, nil, fmt.Errorf("configuration %s: loading was given up: %w", opt.Shown(), context.Cause(ctx))
	case errors.Is(err, confined.ErrNoProc):
		return nil, nil, fmt.Errorf("configuration %s: %w", opt.Shown(), err)
	case err != nil:
		return nil, nil, fmt.Errorf("configuration %s: the process that evaluates it: %w", opt.Shown(), err)
	case end.Cause == "":
		loaded, err := config.Decode(result, opt.Defaults)
		if err != nil {
			return nil, nil, fmt.Errorf("configuration %s: the process that evaluates it: %w", opt.Shown(), err)
		}
		return loaded.Config, loaded.Diagnostics, loaded.Err
	}
	cfg, list, err := config.Load(ctx, config.Options{Defaults: opt.Defaults})
	if err != nil {
		return nil, nil, err
	}
	return cfg, append(list, breachDiagnostic(end, opt, l.Limits)), nil
}

// loadPlain loads the user's own files in this process if they are plain, as most are:
// starting a child takes longer than evaluating them. It returns false if that is up to the
// child, which can also be ended if the disk does not answer. What came with a project is never
// loaded here: even a plain text, such as a regular expression, can be made to take long.
func (l Loader) loadPlain(ctx context.Context, opt config.Options) (config.Loaded, bool) {
	if slices.ContainsFunc(opt.Layers, func(layer config.Layer) bool { return layer.Project }) {
		return config.Loaded{}, false
	}
	ctx, cancel := context.WithTimeout(ctx, l.Limits.Wall)
	defer cancel()
	opt.PlainOnly = true
	cfg, list, err := config.Load(ctx, opt)
	return config.Loaded{Config: cfg, Diagnostics: list, Err: err}, ctx.Err() == nil && !errors.Is(err, config.ErrNotPlain)
}

// Command is the hidden command that calls Evaluate.
const Command = "evaluate"

// Evaluate is the main function of the child: it loads the requested configuration and
// returns the exit code. See [confined.Serve].
func Evaluate(in io.Reader, out io.Writer, defaults fs.FS) int {
	return confined.Serve(in, out, func(request json.RawMessage, _ []byte, step func(string)) ([]byte, error) {
		var opt config.Options
		if err := json.Unmarshal(request, &opt); err != nil {
			return nil, err
		}
		opt.Defaults = defaults
		ctx := config.WithSteps(context.Background(), func(s config.Step) { step(s.Doing + "\x00" + s.Name) })
		cfg, list, err := config.Load(ctx, opt)
		result, err := config.Loaded{Config: cfg, Diagnostics: list, Err: err}.Encode(defaults)
		switch {
		case errors.Is(err, config.ErrTooDeep):
			return nil, confined.Breach(causeDeep)
		case errors.Is(err, config.ErrTooLarge), len(result) > confined.MaxResult:
			return nil, confined.Breach(causeLarge)
		}
		return result, err
	})
}
