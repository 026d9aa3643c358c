// Package bounded loads a configuration in a child process, so that text which
// somebody else has written can take neither the memory nor the time of the
// process that asks.
//
// CUE is a language: eighty bytes of it can double a text until no machine holds
// it, and its evaluator can be neither interrupted nor told how much to use. The
// child is that of runtime/safety/confined, our own program again. It evaluates the
// directories and hands the result over decoded; the parent evaluates nothing but
// the embedded configuration. What goes beyond the limits is a diagnostic, as every
// other mistake is.
package bounded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/safety/confined"
)

// Limits bound one child.
type Limits = confined.Limits

// DefaultLimits leave a configuration of 50 roles and 500 stages fifteen times
// what it takes.
var DefaultLimits = Limits{CPU: slowness * 1200 * time.Millisecond, Wall: 10 * time.Second, Memory: 512 << 20}

// Loader starts the children.
type Loader struct {
	Self   []string // command line of the child; nil is this program with "evaluate"
	Limits Limits   // zero is DefaultLimits
}

// Load is [config.Load] within the default limits. Defaults must be what the
// child gives to Evaluate.
func Load(ctx context.Context, opt config.Options) (*config.Config, diag.List, error) {
	return Loader{}.Load(ctx, opt)
}

// Load is [config.Load] within the limits. A configuration that exceeds them
// comes back as the embedded one, with an error that says so.
func (l Loader) Load(ctx context.Context, opt config.Options) (*config.Config, diag.List, error) {
	if !opt.Own() {
		return config.Load(ctx, opt)
	}
	if l.Limits == (Limits{}) {
		l.Limits = DefaultLimits
	}
	asked := opt
	asked.Defaults = nil // which the child has
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
	return cfg, append(list, diagnostic(end, opt, l.Limits)), nil
}

// Command is the hidden command whose body is Evaluate.
const Command = "evaluate"

// Evaluate is the body of the child: it loads what it is asked for and returns the
// exit code. See [confined.Serve].
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
