package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// ListIn narrows the list.
type ListIn struct {
	Server          string `json:"server,omitempty" doc:"only tools of this server"`
	Tag             string `json:"tag,omitempty" doc:"only tools with this tag"`
	Offset          int    `json:"offset" doc:"tools to leave out from the start" default:"0" min:"0"`
	Limit           int    `json:"limit" doc:"tools at most" default:"25" min:"1" max:"200"`
	IncludeDisabled bool   `json:"include_disabled" doc:"also tools that cannot be run" default:"false"`
}

// ListOut is one page.
type ListOut struct {
	Tools []Listed `json:"tools" doc:"by server, in the server's own order"`
	Note  string   `json:"note,omitempty" doc:"how to get the rest, or what is missing"`
}

// Whole marks the value as never cut: a cut would make its note wrong.
func (ListOut) Whole() {}

// Listed is one tool.
type Listed struct {
	Tool     string `json:"tool" doc:"name to run it by"`
	Does     string `json:"does" doc:"what it does"`
	Disabled string `json:"disabled,omitempty" doc:"why it cannot be run"`
}

// List returns tools.list, which lists the upstream tools.
func List() catalog.Builtin {
	return catalog.New("tools.list", "List upstream tools page by page, all or of one server", catalog.Upstream,
		func(ctx context.Context, env *catalog.Env, in ListIn) (ListOut, error) {
			out := ListOut{Tools: []Listed{}}
			_, tools, server, err := catalogOf(ctx, env, in.Server, true)
			if err != nil {
				return out, err
			}
			total := 0
			for _, t := range tools.List {
				if !t.Enabled && !in.IncludeDisabled || server != "" && t.Server != server || in.Tag != "" && !hasTag(t, in.Tag) {
					continue
				}
				total++
				if total <= in.Offset || len(out.Tools) >= in.Limit {
					continue
				}
				l := Listed{Tool: t.Listed, Does: describeTool(t, doesInList)}
				if !t.Enabled {
					l.Disabled = t.Why
				}
				out.Tools = append(out.Tools, l)
			}
			out.Note = joinNotes(restNote(in.Offset+len(out.Tools), total), pendingNote(tools.Pending, server))
			return out, nil
		})
}

func hasTag(t *catalog.UpstreamTool, tag string) bool {
	return slices.ContainsFunc(t.Tags, func(have string) bool { return strings.EqualFold(have, tag) })
}

func restNote(shown, total int) string {
	switch {
	case total == 0:
		return "there are none"
	case shown < total:
		return fmt.Sprintf("%d of %d; the next with offset %d, or search", shown, total, shown)
	}
	return ""
}
