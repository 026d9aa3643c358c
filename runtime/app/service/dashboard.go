package service

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/observe/dashboard"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// DashboardSource adapts the service to the pages of the dashboard.
type DashboardSource struct {
	*Service
	// Keys returns the mask for configuration values. If it is nil, only the redactor
	// masks.
	Keys func(*redact.Redactor) config.Mask
	// Harmless masks diagnostics for display.
	Harmless func(diag.List) diag.List
}

// tellTime bounds how long a page waits for the status of model servers.
const tellTime = 1500 * time.Millisecond

// Mask removes the secrets from a text.
func (l DashboardSource) Mask(text string) string {
	out, _ := l.Snapshot().Redactor.Redact(text)
	return out
}

// Kept returns a stored result of any session with its summary.
func (l DashboardSource) Kept(id string) (dashboard.Kept, bool) {
	k, ok := l.gateway.Shown(id)
	return dashboard.Kept(k), ok
}

// State returns the current state of tools, servers, models, hooks, workers and collections.
func (l DashboardSource) State(ctx context.Context) dashboard.State {
	snap := l.acquire()
	defer snap.lease.release()
	load := l.engine.Load()
	return dashboard.State{Tools: l.toolViews(snap, ""), Servers: l.serverViews(snap), Models: l.modelViews(ctx, snap), Hooks: l.hookUse(snap), Pool: dashboard.Pool(load), Collections: l.collectionViews(ctx, snap)}
}

// toolViews returns the tools that clients (or the clients of a profile) can reach; our own come first.
func (l DashboardSource) toolViews(snap *Snapshot, profile string) []dashboard.Tool {
	var out []dashboard.Tool
	g, calls := l.gateway, func(t *catalog.UpstreamTool) int { return t.Calls() }
	if profile != "" {
		snap, g, calls = snap.ofProfile(profile), l.gatewayOf(profile), func(t *catalog.UpstreamTool) int { return t.Uses() }
	}
	for _, t := range (Backend{Service: l.Service, as: profile}).ownTools(snap) {
		out = append(out, dashboard.Tool{Name: t.Name, Description: oneParagraph(t.Description), Shown: true})
	}
	listed := snap.Plan.Config.Gateway.Proxies()
	for _, t := range g.Now().List {
		tool := dashboard.Tool{Name: t.Listed, Server: t.Server, Description: t.Description, Shown: listed, Uses: calls(t)}
		if !t.Enabled {
			tool.Off = t.Why
		}
		out = append(out, tool)
	}
	return out
}

// serverViews returns the upstream servers, including disabled ones.
func (l DashboardSource) serverViews(snap *Snapshot) []dashboard.Server {
	cfg := snap.Plan.Config.Servers
	refused := map[string][]dashboard.Refused{}
	for _, r := range l.gateway.Refused() {
		refused[r.Server] = append(refused[r.Server], dashboard.Refused{Tool: r.Tool, Why: r.Why})
	}
	waiting, on := l.gateway.Undecided(), map[string]bool{}
	var out []dashboard.Server
	for _, s := range l.gateway.Servers() {
		on[s.Name] = true
		v := dashboard.Server{Name: s.Name, Status: s.Status(), Reached: gateway.Reached(cfg[s.Name]), Problem: s.Problem, Known: s.Known, Tools: s.Tools, Hidden: s.Hidden,
			Waiting: waiting[s.Name], Refused: refused[s.Name]}
		if s.State == "held" || s.State == "starting" {
			v.Status = s.State
		}
		if c, ok := cfg[s.Name]; ok {
			v.Login = l.gateway.LoginState(c).Line(time.Now())
			if strings.HasPrefix(v.Login, "login needed") {
				v.Do = "log in with: compactor servers login " + s.Name
			}
		}
		if v.Problem != "" && v.Status == "error" {
			v.Said = l.gateway.Said(s.Name)
			if v.Do == "" {
				v.Do = "see what is wrong with: compactor servers " + s.Name
			}
		}
		out = append(out, v)
	}
	for _, name := range slices.Sorted(maps.Keys(cfg)) {
		if !on[name] {
			out = append(out, dashboard.Server{Name: name, Status: "disabled", Reached: gateway.Reached(cfg[name])})
		}
	}
	slices.SortFunc(out, func(a, b dashboard.Server) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// modelViews returns the models with their roles and the status of their servers. It loads none.
func (l DashboardSource) modelViews(ctx context.Context, snap *Snapshot) []dashboard.Model {
	cfg := snap.Plan.Config
	ctx, cancel := context.WithTimeout(ctx, tellTime)
	defer cancel()
	names := slices.Sorted(maps.Keys(cfg.Models))
	out := make([]dashboard.Model, len(names))
	var asked sync.WaitGroup
	for i, name := range names {
		m := cfg.Models[name]
		out[i] = dashboard.Model{Name: name, Provider: m.Provider, Status: "none", Roles: rolesAsking(cfg, name), Fallback: m.Fallback}
		chain := snap.Models.Chain(name)
		switch {
		case chain != nil:
			asked.Go(func() { fillStatus(ctx, &out[i], chain.Limiters[0]) })
		case m.Sampling:
			out[i].Found = "the client's own model is asked, where it offers that"
		default:
			out[i].Found = "the builtins answer alone"
		}
	}
	asked.Wait()
	if len(out) == 1 && out[0].Status == "none" && len(out[0].Roles) == 0 {
		return nil
	}
	return out
}

// fillStatus fills in the status of a model's server.
func fillStatus(ctx context.Context, m *dashboard.Model, g *model.Limiter) {
	info, err := g.Info(ctx)
	s := g.State()
	m.Busy, m.Slots = s.Busy, s.Slots
	pace := g.Pace()
	m.In, m.Out = int(pace.In), int(pace.Out)
	switch {
	case s.Resting > 0:
		m.Status, m.Do = "resting", "it is asked again by itself; see what is wrong with: compactor doctor"
		m.Problem = fmt.Sprintf("%s; not asked for %s", trimModelName(s.Because, g.Name), s.Resting.Round(100*time.Millisecond))
	case err != nil:
		m.Status, m.Problem, m.Do = "unreachable", trimModelName(err, g.Name), "until then the builtins answer alone; see: compactor doctor"
	default:
		m.Status, m.Found = "ready", info.Model
		if w := g.Window(info); w > 0 {
			m.Found += fmt.Sprintf(", %d tokens of context", w)
		}
		if info.Server != "" {
			m.Found += " at " + info.Server
		}
		if !info.Loaded && info.Window == 0 {
			m.Found += ", not loaded yet"
		}
	}
}

// trimModelName returns a model's error without the model's name, which is shown next to it.
func trimModelName(err error, name string) string {
	if err == nil {
		return "it did not answer"
	}
	return strings.TrimPrefix(err.Error(), "model "+name+": ")
}

// rolesAsking returns the roles that use a model.
func rolesAsking(cfg *config.Config, name string) []string {
	var out []string
	for _, r := range slices.Sorted(maps.Keys(cfg.Roles)) {
		if role := cfg.Roles[r]; role.Model == name && role.Task != task.Off {
			out = append(out, r)
		}
	}
	return out
}

func (l DashboardSource) hookUse(snap *Snapshot) []dashboard.Hook {
	used := l.Hooks()
	var out []dashboard.Hook
	for _, name := range slices.Sorted(maps.Keys(snap.Plan.Config.Hooks)) {
		u := used[name]
		out = append(out, dashboard.Hook{Name: name, Skipped: int(u.Skipped), Last: u.Last})
	}
	return out
}

// Configuration returns the settings in force and the problems found in them.
func (l DashboardSource) Configuration(context.Context) dashboard.Configuration {
	snap := l.Snapshot()
	out := dashboard.Configuration{Layers: []string{"built-in"}}
	for _, layer := range snap.opt.layers() {
		out.Layers = append(out.Layers, layer.Display)
	}
	if held := snap.Held(); held != nil {
		out.Held, out.Allow = held.Paths(), snap.AllowWith()
	}
	found := snap.Warnings
	if last := l.last.Load(); last != nil {
		switch {
		case last.err != nil:
			out.Refused = last.err.Error()
		case last.found.HasErrors():
			found = last.found
			out.Refused = "it has errors, which are listed here"
		}
	}
	if l.Harmless != nil {
		found = l.Harmless(found)
	}
	for _, d := range found {
		help := d.Help
		if help == "" && d.Suggestion != "" {
			help = "did you mean " + d.Suggestion + "?"
		}
		out.Problems = append(out.Problems, dashboard.Problem{Error: d.Severity == diag.Error, Code: d.Code, Place: d.Range.String(), Path: d.Path, Message: d.Message, Help: help})
	}
	var mask config.Mask
	if l.Keys != nil {
		mask = l.Keys(snap.Redactor)
	}
	list, err := config.Part(snap.Plan.Config, "", mask)
	if err != nil {
		out.Err = err.Error()
		return out
	}
	for _, s := range list {
		value, _ := json.Marshal(s.Value) // these values always have a JSON form
		_, from := s.Line()
		out.Settings = append(out.Settings, dashboard.Setting{Path: s.Path, Value: string(value), From: from, Own: s.From != "default" && !strings.HasPrefix(s.From, "built-in")})
	}
	return out
}
