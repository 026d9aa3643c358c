package tools

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// FetchIn names a kept result, and the part of it to read.
type FetchIn struct {
	ID    string `json:"id" doc:"as the note under a cut or summarized result gives it"`
	Page  int    `json:"page,omitempty" doc:"of the pages that the original is cut into; the first where nothing else is given" min:"0"`
	Range string `json:"range,omitempty" doc:"lines of the text or items of the array: 120-180, items 0-9, last 50"`
	Query string `json:"query,omitempty" doc:"words or an exact identifier: the lines or records that have most of it"`
	Path  string `json:"path,omitempty" doc:"JSON path: names, indexes, slices, * and ..name; or a JSON pointer"`
}

// Fetch returns tools.fetch, which reads a kept result.
func Fetch() catalog.Builtin {
	return catalog.New("tools.fetch", "Read in an upstream tool's result that was cut or summarized: on page by page, or a part of the original", catalog.Upstream|catalog.Paging,
		func(ctx context.Context, env *catalog.Env, in FetchIn) (contract.ToolResult, error) {
			up, err := requireUpstreams(env)
			if err != nil {
				return contract.ToolResult{}, err
			}
			res, err := up.Fetch(ctx, catalog.Fetch(in))
			if err != nil {
				return contract.ToolResult{}, err
			}
			return *res, nil
		})
}
