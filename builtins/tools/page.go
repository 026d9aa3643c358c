package tools

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/contract"
)

// PageIn names a page.
type PageIn struct {
	ID string `json:"id" doc:"as the note under the page before gives it"`
}

// Page is tools.page.
func Page() catalog.Builtin {
	return catalog.New("tools.page", "Read a further page of an upstream tool's result that was cut", catalog.Upstream|catalog.Paging,
		func(_ context.Context, env *catalog.Env, in PageIn) (contract.ToolResult, error) {
			up, err := upstreams(env)
			if err != nil {
				return contract.ToolResult{}, err
			}
			res, err := up.Page(in.ID)
			if err != nil {
				return contract.ToolResult{}, err
			}
			return *res, nil
		})
}
