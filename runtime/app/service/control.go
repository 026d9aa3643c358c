package service

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// Controller adapts the service to the control API.
type Controller struct {
	*Service
	// Keys returns the mask for configuration values. If it is nil, only the redactor
	// masks.
	Keys func(*redact.Redactor) config.Mask
	// Harmless masks diagnostics for display.
	Harmless func(diag.List) diag.List
	// Options returns the options for a reload.
	Options func() (Options, error)
	// Replace writes a file atomically.
	Replace func(path string, data []byte) error
	// Store checks whether the store at a URL can be opened.
	Store func(ctx context.Context, url string) error
}

// Ready reports the readiness of the configuration, the store, each collection's index,
// and each upstream server (its tools are known). It starts nothing.
func (c Controller) Ready(ctx context.Context) []api.Check {
	out := append([]api.Check{c.configReady(), c.storeReady(ctx)}, c.collectionsReady(ctx)...)
	for _, s := range c.gateway.Servers() {
		check := api.Check{Name: "server " + s.Name, Ready: s.Known, Cause: c.Snapshot().Egress.Line(s.Problem)}
		switch {
		case s.State == "held": // a server that awaits consent must not delay readiness
			check.Ready, check.Cause, check.Do = true, "it came with a project configuration you have not allowed", "review and allow it with: "+c.Snapshot().AllowWith()
		case !s.Known && check.Cause == "":
			check.Cause, check.Do = "its tools are not known yet", "it is asked for them; wait"
		case !s.Known:
			check.Do = "see what is wrong with: compactor servers " + s.Name
		}
		out = append(out, check)
	}
	return out
}

func (c Controller) configReady() api.Check {
	check := api.Check{Name: "configuration", Ready: true}
	if last := c.last.Load(); last != nil && (last.err != nil || last.found.HasErrors()) {
		check.Ready, check.Cause, check.Do = false, "the last edit was refused, and the configuration before it acts", "see what is wrong with: compactor validate"
	}
	return check
}

func (c Controller) storeReady(ctx context.Context) api.Check {
	check := api.Check{Name: "store", Ready: true}
	at := c.Snapshot().StoreURL()
	if at == "" {
		check.Cause = "nothing outlives this process"
		return check
	}
	err := c.Store(ctx, at)
	if t := c.activeTracker(); err == nil && t != nil {
		err = t.Broken()
	}
	if err != nil {
		check.Ready, check.Cause, check.Do = false, c.Snapshot().Egress.Line(err.Error()), "see: compactor doctor"
	}
	return check
}

// Configuration returns the settings in force, masked.
func (c Controller) Configuration(_ context.Context, path string) (*api.Configuration, error) {
	snap := c.Snapshot()
	out := &api.Configuration{Layers: []api.Layer{{Name: "built-in", Whose: "built-in"}}, Settings: []api.Setting{}, Waits: []string{}}
	for _, l := range snap.opt.layers() {
		whose := "yours"
		if l.Project {
			whose = "project"
		}
		out.Layers = append(out.Layers, api.Layer{Name: l.Display, Whose: whose})
	}
	if held := snap.Held(); held != nil {
		out.Waits, out.Allow = held.Paths(), snap.AllowWith()
	}
	found := snap.Warnings
	if last := c.last.Load(); last != nil && (last.err != nil || last.found.HasErrors()) {
		out.Refused = "it has errors, which are listed"
		if found = last.found; last.err != nil {
			out.Refused = snap.Egress.Line(last.err.Error())
		}
	}
	out.Problems = c.diagnostics(found)
	list, err := config.Part(snap.Plan.Config, path, c.mask(snap))
	if err != nil {
		return nil, api.NewProblem(api.SettingUnknown, snap.Egress.Line(err.Error()), "GET /config without a path gives all")
	}
	for _, s := range list {
		out.Settings = append(out.Settings, api.Setting{Path: s.Path, Value: s.Value, From: s.From, Whose: s.Whose})
	}
	if at, err := c.place(snap.opt); err == nil {
		// A file that cannot be replaced, such as a link, must not fail this request:
		// PUT reports what is wrong with it.
		if _, tag, err := at.read(); err == nil {
			out.File, out.Tag = at.shown, tag
		}
	}
	return out, nil
}

func (c Controller) mask(snap *Snapshot) config.Mask {
	if c.Keys == nil {
		return nil
	}
	return c.Keys(snap.Redactor)
}

// diagnostics converts diagnostics for the API, masked.
func (c Controller) diagnostics(list diag.List) []api.DiagnosticJSON {
	if c.Harmless != nil {
		list = c.Harmless(list)
	}
	return api.Diagnostics(list)
}

// Tools returns the tools that clients (or the clients of a profile) can reach; our own come first.
func (c Controller) Tools(_ context.Context, profile string) ([]api.Tool, error) {
	out := []api.Tool{}
	if profile != "" {
		if err := c.checkServed(profile, "ask the compactor that serves it"); err != nil {
			return nil, err
		}
	}
	snap := c.acquire()
	defer snap.lease.release()
	for _, t := range (DashboardSource{Service: c.Service}).toolViews(snap, profile) {
		out = append(out, api.Tool{Name: t.Name, Server: t.Server, Description: snap.Egress.Text(t.Description), Enabled: t.Off == "", Why: snap.Egress.Line(t.Off), Listed: t.Shown && t.Off == "", Uses: t.Uses})
	}
	return out, nil
}

// Own returns the configuration's tools that clients are listed.
func (c Controller) Own() (out []api.OwnTool) {
	for _, t := range (Backend{Service: c.Service}).ownTools(c.Snapshot()) {
		out = append(out, ownTool(t))
	}
	return out
}

func ownTool(t *plan.Tool) api.OwnTool {
	l := listedTool(t)
	return api.OwnTool{Name: t.Name, Title: l.Title, Description: l.Description, Input: t.Input, Output: t.Output, ReadOnly: t.Hints.ReadOnly}
}

// Asked returns the tool that answers questions.
func (c Controller) Asked() (api.OwnTool, error) {
	t, _, err := AskTool(c.Service)
	if err != nil {
		return api.OwnTool{}, c.problemOf(err)
	}
	return ownTool(t), nil
}

// Run runs one of the configuration's tools in a session of its own.
func (c Controller) Run(ctx context.Context, tool string, arguments json.RawMessage, progress func(api.CallProgress)) (json.RawMessage, error) {
	call := Call{Tool: tool, Args: arguments, Caller: gateway.Caller{Bounded: true, Session: session.New(session.Who{})}}
	if progress != nil {
		m := newMeter(func(p server.Progress) { progress(api.CallProgress{Done: p.Done, Message: p.Message}) }, nil)
		defer m.end()
		defer m.startHeartbeat(ctx)()
		call.Progress = m.noteStage
	}
	reply, err := c.Invoke(ctx, call)
	if err != nil {
		return nil, c.problemOf(err)
	}
	return reply.JSON, nil
}

// problemOf converts the error of a call for the API.
func (c Controller) problemOf(err error) error {
	_, e := contract.AsError(err)
	var p *api.Problem
	if errors.As(err, &p) {
		return p
	}
	return api.NewProblem(e.Code, c.Snapshot().Egress.Line(e.Message), c.Snapshot().Egress.Line(hintOf(err)))
}

// toolOfAny finds the tool that has this name in some profile. It is an error if the
// name means different tools in two profiles.
func (c Controller) toolOfAny(name string) (found gateway.Listed, is bool, err error) {
	var in string
	for _, profile := range slices.Sorted(maps.Keys(c.Snapshot().profiles)) {
		for _, t := range c.gatewayOf(profile).Listed() {
			switch {
			case t.Name != name:
			case is && (t.Server != found.Server || t.Tool != found.Tool):
				return found, true, api.NewProblem(api.ToolUnknown, "the profiles "+in+" and "+profile+" call different tools "+c.Snapshot().Egress.Line(name), "say which: ?profile="+in)
			default:
				found, is, in = t, true, profile
			}
		}
	}
	return found, is, nil
}

// toolOf finds an upstream tool by its name in a profile. Without a profile, a name
// that means the same tool in all profiles is accepted too.
func (c Controller) toolOf(name, profile string) (gateway.Listed, error) {
	list := c.gateway.Listed()
	if profile != "" {
		if err := c.checkServed(profile, "ask the compactor that serves it"); err != nil {
			return gateway.Listed{}, err
		}
		list = c.gatewayOf(profile).Listed()
	}
	if i := slices.IndexFunc(list, func(t gateway.Listed) bool { return t.Name == name }); i >= 0 {
		return list[i], nil
	}
	if profile == "" {
		if t, is, err := c.toolOfAny(name); is {
			return t, err
		}
	}
	snap := c.Snapshot()
	if _, own := snap.Plan.Tool(name); own {
		return gateway.Listed{}, api.NewProblem(api.ToolUnknown, snap.Egress.Line(name)+" is one of compactor's own tools, which are always listed and whose use is not kept", "its calls are counted in /metrics")
	}
	names := map[string]bool{}
	for _, t := range list {
		names[t.Name] = true
	}
	do := "GET /tools says what there is"
	if near := diag.Nearest(name, slices.Sorted(maps.Keys(names))); near != "" {
		do = "did you mean " + near + "?"
	}
	return gateway.Listed{}, api.NewProblem(api.ToolUnknown, "no upstream tool is called "+snap.Egress.Line(strings.TrimSpace(name)), do)
}
