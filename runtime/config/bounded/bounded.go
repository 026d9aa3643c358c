// Package bounded loads a configuration in a child process, so that text which
// somebody else has written can take neither the memory nor the time of the
// process that asks.
//
// CUE is a language: eighty bytes of it can double a text until no machine holds
// it, and its evaluator can be neither interrupted nor told how much to use. The
// child is our own program, started again with a hidden command. It lowers its
// own limits, evaluates the directories and hands the result over decoded; the
// parent evaluates nothing but the embedded configuration. What goes beyond the
// limits is a diagnostic, as every other mistake is.
package bounded

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/diag"
)

// Limits bound one child.
type Limits struct {
	CPU    time.Duration // of all its threads: a busy machine does not shorten it
	Wall   time.Duration // for a disk that does not answer
	Memory int64         // bytes
}

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
	loaded, end, err := l.run(ctx, opt)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) { // before the process had begun
		end, err = ending{cause: causeWall}, nil
	}
	switch {
	case ctx.Err() != nil:
		return nil, nil, fmt.Errorf("configuration %s: loading was given up: %w", opt.Shown(), context.Cause(ctx))
	case errors.Is(err, errNoProc):
		return nil, nil, fmt.Errorf("configuration %s: %w", opt.Shown(), err)
	case err != nil:
		return nil, nil, fmt.Errorf("configuration %s: the process that evaluates it: %w", opt.Shown(), err)
	case end.cause == "":
		return loaded.Config, loaded.Diagnostics, loaded.Err
	}
	cfg, list, err := config.Load(ctx, config.Options{Defaults: opt.Defaults})
	if err != nil {
		return nil, nil, err
	}
	return cfg, append(list, end.diagnostic(opt, l.Limits)), nil
}
