package leads

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/find"
	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/settings"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// OptionsInput is the input of code.options.
type OptionsInput struct {
	Question string             `json:"question" doc:"which option, flag, key, variable or default is asked for"`
	Earlier  []contract.Earlier `json:"earlier,omitempty" doc:"questions that this one may be a follow-up of, newest first"`
	Tokens   int                `json:"tokens" doc:"tokens that the answer may have" default:"300" min:"50" max:"4000"`
}

// Options returns code.options, which finds the option that a question asks for, with its default,
// where it is declared and where it is read.
func Options() catalog.Builtin {
	return catalog.New("code.options", "find the option, flag, key or variable that does something, and its default", catalog.Roots, findOptions)
}

func findOptions(ctx context.Context, env *catalog.Env, in OptionsInput) (contract.Result, error) {
	nothing := contract.NotFound("No option was found that does this.")
	q, from := source.ParseQuestion(in.Question, in.Earlier, coderank.Default().Before)
	share := source.ParseBudget{BytesLeft: maxOptionBytes}
	files, err := optionFiles(ctx, env, q, &share)
	if err != nil || len(files) == 0 {
		return nothing, err
	}
	ranked := newOptionRanking(q, files).groups()
	if len(ranked) == 0 {
		return nothing, nil
	}
	r, err := tellOptions(ctx, env, files, ranked, in.Tokens)
	if err != nil {
		return nothing, err
	}
	from.MarkResult(&r)
	r.Note(share.Note())
	return r, nil
}

// These bound the search for options.
const (
	maxOptionBytes   = 3 << 20 // parsed of the files whose options are read
	optionCandidates = 48      // files found by the ranking
	optionTables     = 40      // files named like tables of options
)

// optionFile is a file with the options found in it.
type optionFile struct {
	src     *source.File
	bucket  coderank.Bucket
	at      int // its rank among the candidates, or their count for a table
	options []settings.Option
}

// optionFiles finds the options in the files that the ranking of the question read, and in those
// that are named like tables of options.
func optionFiles(ctx context.Context, env *catalog.Env, q *coderank.Query, share *source.ParseBudget) ([]optionFile, error) {
	refs, ok := env.Memo.Get(find.RankedFilesKey{Text: q.Text}).([]string)
	if !ok {
		f, err := find.RankTree(ctx, env, q, coderank.Default(), 1)
		if err != nil {
			return nil, err
		}
		refs = f.Candidates
	}
	refs = slices.Clone(refs[:min(len(refs), optionCandidates)])
	n := len(refs)
	tables, err := optionTablesOf(ctx, env, q, refs)
	if err != nil {
		return nil, err
	}
	var out []optionFile
	for i, ref := range append(refs, tables...) {
		src, err := source.LoadPart(ctx, env, ref, share)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue // deleted since the ranking
		}
		bucket := coderank.BucketOf(src.Ref, src.Data[:min(len(src.Data), 1024)])
		if bucket == coderank.Test || bucket == coderank.Vendored || bucket == coderank.Generated && path.Ext(src.Ref) != ".md" {
			continue
		}
		out = append(out, optionFile{src: src, bucket: bucket, at: min(i, n), options: settings.Find(src.Ref, src.Data, src.Defs)})
	}
	return out, nil
}

// Extensions of files without options, and of non-source files that may have options.
var (
	noOptions = map[string]bool{".json": true, ".xml": true, ".lock": true, ".css": true, ".html": true}
	optionExt = map[string]bool{".rst": true, ".md": true, ".conf": true, ".yml": true, ".txt": true, ".adoc": true}
)

// optionTablesOf returns the files that are named like tables of options, best first, except known
// ones.
func optionTablesOf(ctx context.Context, env *catalog.Env, q *coderank.Query, known []string) ([]string, error) {
	type choice struct {
		ref   string
		worth float64
	}
	var list []choice
	terms := optionTerms(q)
	for _, root := range env.Roots.Roots() {
		s, err := source.SurveyRoot(ctx, env, root)
		if err != nil {
			return nil, err
		}
		for i, e := range s.Files {
			base := path.Base(e.Path)
			if noOptions[path.Ext(base)] {
				continue
			}
			isSource := symbols.Language(e.Path) != ""
			if !isSource && !optionExt[path.Ext(base)] || e.Size > 1<<20 {
				continue
			}
			worth := 0.0
			switch {
			case namedAsTable(base):
				worth = 3
			case path.Ext(base) == ".conf":
				worth = 4
			case speaksOfOptions(base):
				worth = 2
			case speaksOfOptions(e.Path):
				worth = 1
			default:
				continue
			}
			switch coderank.BucketOf(e.Path, nil) {
			case coderank.Vendored, coderank.Generated, coderank.Test:
				continue
			}
			low := strings.ToLower(e.Path)
			for _, t := range terms {
				if t.weight >= .5 && len(t.stem) > 2 && strings.Contains(low, t.stem) {
					worth++
				}
				if len(s.Words[i]) > 0 && t.weight >= .5 && (s.Words[i].May(t.word) || s.Words[i].May(t.stem)) {
					worth += 1
				}
			}
			worth -= .1 * float64(strings.Count(e.Path, "/"))
			if ref := env.Roots.Ref(root, e.Path); !slices.Contains(known, ref) {
				list = append(list, choice{ref, worth})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b choice) int { return cmp.Or(cmp.Compare(b.worth, a.worth), strings.Compare(a.ref, b.ref)) })
	var out []string
	for _, c := range list[:min(len(list), optionTables)] {
		out = append(out, c.ref)
	}
	return out, nil
}
