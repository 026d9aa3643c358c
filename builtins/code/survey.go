package code

import (
	"context"
	"path"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// survey holds what a request knows about a root that it has ranked: later stages neither walk it
// again nor read files that cannot contain what they look for.
type survey struct {
	files []sandbox.Entry
	words []coderank.Words // parallel to files
}

// surveyOf is the memo key of a root's survey.
type surveyOf struct{ root *sandbox.Root }

// filesWith lists the source files of a root that may contain one of the names, sorted by path.
func filesWith(ctx context.Context, env *catalog.Env, root *sandbox.Root, names []string) ([]sandbox.Entry, error) {
	return filesWithSeveral(ctx, env, root, names, 1)
}

// filesWithSeveral lists the source files of a root that may contain least or more of the names, sorted
// by path.
func filesWithSeveral(ctx context.Context, env *catalog.Env, root *sandbox.Root, names []string, least int) ([]sandbox.Entry, error) {
	known, err := surveyedOr(ctx, env, root)
	if err != nil {
		return nil, err
	}
	var out []sandbox.Entry
	for i, f := range known.files {
		// The language of a program without an extension is determined by its first line.
		if mayHold(known.words[i], names, least) && (symbols.Language(f.Path) != "" || path.Ext(f.Path) == "") {
			out = append(out, f)
		}
	}
	return out, nil
}

// surveyedOr returns the survey of a root, or a fallback that rules no file out.
func surveyedOr(ctx context.Context, env *catalog.Env, root *sandbox.Root) (*survey, error) {
	if known, ok := env.Memo.Get(surveyOf{root}).(*survey); ok {
		return known, nil
	}
	files, _, err := root.Files(ctx, "")
	if err != nil {
		return nil, err
	}
	return &survey{files, make([]coderank.Words, len(files))}, nil
}

// mayHold reports whether a file may contain least or more of the names.
func mayHold(words coderank.Words, names []string, least int) bool {
	for i, n := range names {
		if len(names)-i < least {
			return false
		}
		if words.May(n) {
			if least--; least <= 0 {
				return true
			}
		}
	}
	return false
}
