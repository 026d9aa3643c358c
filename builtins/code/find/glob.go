package find

import (
	"context"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// GlobInput is the input of code.glob.
type GlobInput struct {
	Pattern string `json:"pattern" doc:"file pattern: *.go, src/**/*.{ts,tsx}; without a slash it matches names anywhere; case counts"`
	Under   string `json:"under,omitempty" doc:"directory to look in; all roots when left out"`
	Limit   int    `json:"limit" doc:"paths returned at most" default:"200" min:"1" max:"2000"`
}

// GlobOutput lists files in path order.
type GlobOutput struct {
	Paths     []string `json:"paths" doc:"files that match, in path order"`
	Total     int      `json:"total" doc:"files that match, also beyond the limit"`
	Truncated bool     `json:"truncated" doc:"there are more than are listed"`
	Notes     string   `json:"notes,omitempty" doc:"what was cut"`
}

// Glob returns code.glob, which finds files by a pattern of their names. It reads none of them.
func Glob() catalog.Builtin {
	return catalog.New("code.glob", "find files by a pattern of their names", catalog.Roots, findByName)
}

func findByName(ctx context.Context, env *catalog.Env, in GlobInput) (GlobOutput, error) {
	out := GlobOutput{Paths: []string{}}
	g, err := parseGlob(in.Pattern)
	if err != nil {
		return out, source.InputError("code.glob", "%w", err)
	}
	limit := clampLimit(in.Limit, 1, 2000)
	var said noteList
	err = eachFile(ctx, env, in.Under, &said, func(b subtree, rel string) {
		for _, name := range b.matchNames(env, rel) {
			if !g.match(name) {
				continue
			}
			if out.Total++; out.Total <= limit {
				out.Paths = append(out.Paths, env.Roots.Ref(b.root, rel))
			}
			return
		}
	})
	out.Truncated = said.partial || out.Total > limit
	out.Notes = said.String()
	return out, err
}

// eachFile calls fn for every visible file of the subtrees, in order. If the scan time ends first,
// said notes that.
func eachFile(ctx context.Context, env *catalog.Env, under string, said *noteList, fn func(b subtree, rel string)) error {
	list, err := resolveSubtrees(ctx, env, under)
	if err != nil {
		return err
	}
	scan, cancel := source.LimitScan(ctx, env.Scan)
	defer cancel()
	for _, b := range list {
		files, stats, err := b.files(scan)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case scan.Err() != nil || stats.Cut:
			said.addTimeCut(env, "under")
		case err != nil:
			return err
		}
		for _, f := range files {
			fn(b, f.Path)
		}
	}
	return nil
}
