package service

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/control"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

// Operator turns upstream servers on and off for a user at another terminal.
type Operator struct {
	*Service
	Timeline *timeline.Recorder
}

// Servers returns the upstream servers, including disabled ones.
func (o Operator) Servers() []control.Server {
	egress := o.Snapshot().Egress
	on := map[string]bool{}
	out := []control.Server{}
	for _, s := range o.gateway.Servers() {
		on[s.Name] = true
		out = append(out, control.Server{Name: s.Name, Status: s.Status(), State: s.State, Tools: s.Tools + s.Hidden, Enabled: s.Tools, Problem: egress.Line(s.Problem)})
	}
	for _, name := range slices.Sorted(maps.Keys(o.Snapshot().Plan.Config.Servers)) {
		if !on[name] {
			out = append(out, control.Server{Name: name, Status: "disabled", State: "disabled"})
		}
	}
	slices.SortFunc(out, func(a, b control.Server) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Log returns the last lines that a server's program wrote to its standard error.
func (o Operator) Log(name string) ([]string, error) {
	if _, ok := o.gateway.Health(name); !ok {
		return nil, o.missingServer(name)
	}
	egress := o.Snapshot().Egress
	lines := []string{}
	for _, l := range o.gateway.Said(name) {
		lines = append(lines, egress.Line(l))
	}
	return lines, nil
}

// Restart stops a server, if it runs, and starts it again.
func (o Operator) Restart(ctx context.Context, name string) error {
	found, err := o.gateway.Restart(ctx, name)
	if !found {
		return o.missingServer(name)
	}
	return o.maskedError(err)
}

// Relearn forgets which tools were used and learns again from the stored records, after
// writing pending ones. It also drops sessions of the timeline whose last event came
// before the given time.
func (o Operator) Relearn(ctx context.Context, before time.Time) error {
	o.Timeline.Forget(before)
	err := gateway.RecountUses(ctx, o.gateway)
	if t, l := o.tracker.Load(), o.learner.Load(); t != nil && l != nil {
		failed := t.Flush(ctx)
		if failed == nil {
			failed = l.Relearn(ctx)
		}
		err = errors.Join(err, failed)
	}
	return o.maskedError(err)
}

// Switch turns a server on or off until this process ends. The tools of a server that
// is turned on are listed at once.
func (o Operator) Switch(ctx context.Context, name string, on bool) error {
	found, err := o.gateway.Switch(ctx, name, on)
	if !found {
		return o.missingServer(name)
	}
	return o.maskedError(err)
}

// maskedError returns an error masked for output.
func (o Operator) maskedError(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(o.Snapshot().Egress.Line(err.Error()))
}

// missingServer returns the error for a server that does not exist or is disabled.
func (o Operator) missingServer(name string) error {
	if _, ok := o.Snapshot().Plan.Config.Servers[name]; ok {
		return fmt.Errorf("server %s is disabled; turn it on with: compactor servers enable %s", name, name)
	}
	return control.ErrUnknown
}
