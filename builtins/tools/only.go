package tools

import (
	"context"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/glob"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Candidate is an upstream tool that could be listed.
type Candidate struct {
	Name        string   `json:"name" doc:"in the list of tools"`
	Server      string   `json:"server" doc:"that runs it"`
	Tool        string   `json:"tool,omitempty" doc:"what its server calls it; left out, as in the list"`
	Description string   `json:"description,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	Uses        int      `json:"uses,omitempty" doc:"calls of it so far" min:"0"`
	Tokens      int      `json:"tokens,omitempty" doc:"of its definition, about" min:"0"`
}

// ownName returns the tool's name on its server.
func (c Candidate) ownName() string {
	if c.Tool != "" {
		return c.Tool
	}
	return c.Name
}

// OnlyIn says which tools to select.
type OnlyIn struct {
	Tools    []Candidate `json:"tools" doc:"that could be listed"`
	Strategy string      `json:"strategy" doc:"allowlist keeps the tools of the patterns, denylist the others, any other word all" default:"none"`
	Patterns []string    `json:"patterns" doc:"globs on names in the list, on names of tools, or on server/tool" default:"[]"`
}

// OnlyOut lists the selected tools.
type OnlyOut struct {
	Tools []Candidate `json:"tools" doc:"in their order"`
}

// Whole marks the value as never cut.
func (OnlyOut) Whole() {}

// Only returns tools.only, which filters tools by patterns.
func Only() catalog.Builtin {
	return catalog.New("tools.only", "Keep the tools of a list that patterns name, or all others", 0,
		func(_ context.Context, _ *catalog.Env, in OnlyIn) (OnlyOut, error) {
			out := OnlyOut{Tools: []Candidate{}}
			for _, t := range in.Tools {
				if in.Strategy != "allowlist" && in.Strategy != "denylist" || matchesAny(in.Patterns, t) == (in.Strategy == "allowlist") {
					out.Tools = append(out.Tools, t)
				}
			}
			return out, nil
		}).Lenient()
}

// matchesAny reports whether a pattern matches a tool.
func matchesAny(patterns []string, t Candidate) bool {
	for _, p := range patterns {
		for _, name := range []string{t.Name, t.ownName(), t.Server + "/" + t.ownName()} {
			if glob.Folded.Match(p, strings.ToLower(name)) {
				return true
			}
		}
	}
	return false
}
