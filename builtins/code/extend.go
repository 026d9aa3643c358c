package code

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/contract"
)

// ExtendInput is what code.extend takes.
type ExtendInput struct {
	Question   string   `json:"question" doc:"what is to be added"`
	References []string `json:"references,omitempty" doc:"what a search found, best first"`
	Tokens     int      `json:"tokens" doc:"length of the summary at most, in tokens of four bytes" default:"300" min:"60" max:"4000"`
}

// Extend says how to add one more of a kind: what to implement, whom to follow
// and where it is registered.
func Extend() catalog.Builtin {
	return catalog.New("code.extend", "say what to implement, whom to follow and where to register one more of a kind", catalog.Roots, extend)
}

func extend(ctx context.Context, env *catalog.Env, in ExtendInput) (contract.Result, error) {
	return contract.NotFound(""), nil
}
