package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/discover"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// Context windows that a model needs, in tokens.
const (
	assistWindow  = 2048
	comfortWindow = 4096
	exploreWindow = 24_000
)

// checkModels asks each configured endpoint about its model, without loading anything, and
// looks for other model servers on this machine.
func checkModels(ctx context.Context, snap *service.Snapshot, places []discover.Place) []Check {
	cfg := snap.Plan.Config
	var out []Check
	used := map[string]bool{}
	for _, name := range sorted(cfg.Models) {
		m := cfg.Models[name]
		used[m.URL] = true
		line := snap.Models.Chain(name)
		if m.Provider == "none" || m.Provider == "" || line == nil {
			out = append(out, Check{"model " + name, Good, describeAbsent(m, line != nil), ""})
			continue
		}
		out = append(out, checkEndpoint(ctx, cfg, name, line.Limiters[0]))
	}
	for _, f := range discover.Servers(ctx, places) {
		if !used[f.URL] && !(used[""] && configuredDefault(cfg, f.Provider)) {
			out = append(out, suggestServer(f))
		}
	}
	return out
}

// describeAbsent describes where answers come from if a model has no endpoint. replaced reports whether a fallback has one.
func describeAbsent(m config.Model, replaced bool) string {
	if replaced {
		return "none: its fallback is asked, " + strings.Join(m.Fallback, ", ")
	}
	if m.Sampling {
		return "none: answers come from the builtins, and from the MCP client's model where the client offers it"
	}
	return "none: answers come from the builtins alone"
}

// configuredDefault reports whether a model of that provider has no url and thus uses
// the default address.
func configuredDefault(cfg *config.Config, provider string) bool {
	for _, m := range cfg.Models {
		if m.Provider == provider && m.URL == "" {
			return true
		}
	}
	return false
}

// checkEndpoint checks whether a configured model answers and suits the roles that use it.
func checkEndpoint(ctx context.Context, cfg *config.Config, name string, g *model.Limiter) Check {
	provider, roles, explorers := cfg.Models[name].Provider, rolesOf(cfg, name, false), rolesOf(cfg, name, true)
	asked, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	info, err := g.Info(asked)
	subject := "model " + name
	if err != nil {
		return Check{subject, Warn, strings.TrimPrefix(err.Error(), "model "+name+": "), "until then the builtins answer alone"}
	}
	c := Check{subject, Good, describeModel(info), usedBy(roles)}
	window := g.Window(info)
	switch {
	case info.CanTell && !slices.Contains(info.Can, model.CanChat):
		c.Level, c.Do = Warn, "it does not chat; name another model"
	case strings.HasPrefix(info.Server, "Ollama") && provider == "openai":
		c.Level, c.Do = Warn, "Ollama cuts long prompts without a word on this address; use provider: \"ollama\" and its address without /v1"
	case window < assistWindow:
		c.Level, c.Do = Warn, fmt.Sprintf("%d tokens of context leave no room for evidence; load it with %d or more", window, comfortWindow)
	case window < exploreWindow && len(explorers) > 0:
		c.Level = Warn
		c.Do = fmt.Sprintf("explore of %s needs %d tokens of context and is left out; load it with more. %s", strings.Join(explorers, ", "), exploreWindow, c.Do)
	case !info.Loaded && info.Window == 0:
		c.Do = "it is not loaded yet; the first question waits for that, or is answered without it. " + c.Do
	}
	if c.Level == Good && info.Loaded {
		if slow, do := checkPace(ctx, cfg, g, roles); slow != "" {
			c.Level, c.Found, c.Do = Warn, c.Found+"; "+slow, do
		}
	}
	return c
}

// describeModel formats name, size, context, abilities and server of a model in one line.
func describeModel(i model.Info) string {
	parts := []string{i.Model}
	if i.Size != "" {
		parts = append(parts, i.Size)
	}
	switch {
	case i.Window > 0:
		parts = append(parts, fmt.Sprintf("%d tokens of context", i.Window))
	case i.Limit > 0:
		parts = append(parts, fmt.Sprintf("up to %d tokens of context", i.Limit))
	}
	if i.Slots > 1 {
		parts = append(parts, fmt.Sprintf("%d requests at once", i.Slots))
	}
	if i.CanTell && slices.Contains(i.Can, model.CanTools) {
		parts = append(parts, "tools")
	}
	text := strings.Join(parts, ", ")
	if i.Server != "" {
		text += " at " + i.Server
	}
	return text
}

// rolesOf returns the roles that use a model; if exploring is set, only those that let it explore.
func rolesOf(cfg *config.Config, name string, exploring bool) []string {
	var out []string
	for _, r := range sorted(cfg.Roles) {
		if role := cfg.Roles[r]; role.Model == name && role.Task != task.Off && (role.Explore || !exploring) {
			out = append(out, r)
		}
	}
	return out
}

func usedBy(roles []string) string {
	if len(roles) == 0 {
		return "no role uses it"
	}
	return "used by: " + strings.Join(roles, ", ")
}

// suggestServer suggests a model server that the configuration does not name.
func suggestServer(f discover.Found) Check {
	c := Check{Subject: "server at " + f.URL, Level: Good}
	var chat []string
	for _, m := range f.Models {
		if m.CanTell && !slices.Contains(m.Can, model.CanChat) {
			continue
		}
		chat = append(chat, m.Model+" ("+describeFit(m)+")")
	}
	if len(chat) == 0 {
		c.Found, c.Do = f.Name+" has no model that chats", "get one of 4B parameters or more that follows instructions"
		return c
	}
	const most = 6
	c.Found = f.Name + " has " + strings.Join(chat[:min(len(chat), most)], "; ")
	if more := len(chat) - most; more > 0 {
		c.Found += fmt.Sprintf("; and %d more", more)
	}
	c.Do = fmt.Sprintf("use one with: models: default: {provider: %q, url: %q, model: %q}", f.Provider, f.URL, best(f.Models).Model)
	return c
}

// describeFit describes which roles a model suits, judging by its context window and abilities.
func describeFit(m model.Info) string {
	window := m.Window
	if window == 0 {
		window = m.Limit
	}
	tools := !m.CanTell || slices.Contains(m.Can, model.CanTools)
	switch {
	case window == 0:
		return "its context is not known"
	case window < assistWindow:
		return fmt.Sprintf("%d tokens of context are too few", window)
	case window >= exploreWindow && tools:
		return fmt.Sprintf("%d tokens: all roles, explore too", window)
	case window >= exploreWindow:
		return fmt.Sprintf("%d tokens: all roles; explore by calls in text", window)
	}
	return fmt.Sprintf("%d tokens: all roles but explore, which needs %d", window, exploreWindow)
}

// best returns the model to suggest: the first loaded chat model, or else the first that may chat.
func best(list []model.Info) model.Info {
	for _, want := range []func(model.Info) bool{
		func(m model.Info) bool { return m.Loaded && slices.Contains(m.Can, model.CanChat) },
		func(m model.Info) bool { return !m.CanTell || slices.Contains(m.Can, model.CanChat) },
	} {
		if i := slices.IndexFunc(list, want); i >= 0 {
			return list[i]
		}
	}
	return list[0]
}
