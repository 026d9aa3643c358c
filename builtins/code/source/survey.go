package source

import (
	"context"
	"path"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// A Survey holds what a request knows about a root that it has ranked: later stages neither walk it
// again nor read files that cannot contain what they look for.
type Survey struct {
	Files []sandbox.Entry
	Words []coderank.Words // parallel to Files
}

// surveyKey is the memo key of a root's survey.
type surveyKey struct{ root *sandbox.Root }

// KeepSurvey keeps what a ranking of a root knows, for later stages of the request.
func KeepSurvey(env *catalog.Env, root *sandbox.Root, s *Survey) { env.Memo.Put(surveyKey{root}, s) }

// ListContaining lists the source files of a root that may contain one of the names, sorted by
// path.
func ListContaining(ctx context.Context, env *catalog.Env, root *sandbox.Root, names []string) ([]sandbox.Entry, error) {
	return listContaining(ctx, env, root, names, 1)
}

// listContaining lists the source files of a root that may contain least or more of the names,
// sorted by path.
func listContaining(ctx context.Context, env *catalog.Env, root *sandbox.Root, names []string, least int) ([]sandbox.Entry, error) {
	known, err := SurveyRoot(ctx, env, root)
	if err != nil {
		return nil, err
	}
	var out []sandbox.Entry
	for i, f := range known.Files {
		// The language of a program without an extension is determined by its first line.
		if MayContain(known.Words[i], names, least) && (symbols.Language(f.Path) != "" || path.Ext(f.Path) == "") {
			out = append(out, f)
		}
	}
	return out, nil
}

// SurveyRoot returns the survey of a root, or a fallback that rules no file out.
func SurveyRoot(ctx context.Context, env *catalog.Env, root *sandbox.Root) (*Survey, error) {
	if known, ok := env.Memo.Get(surveyKey{root}).(*Survey); ok {
		return known, nil
	}
	files, _, err := root.Files(ctx, "")
	if err != nil {
		return nil, err
	}
	return &Survey{files, make([]coderank.Words, len(files))}, nil
}

// MayContain reports whether a file may contain least or more of the names.
func MayContain(words coderank.Words, names []string, least int) bool {
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
