package leads

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// These bound the description of a directory.
const (
	maxFilesRead = 24
	maxBelow     = 8
	maxPackages  = 8
)

// tellDirectory describes a directory: what its README or package comment says, its files by their
// central definitions, and its subdirectories.
func tellDirectory(ctx context.Context, env *catalog.Env, root *sandbox.Root, rel string) (contract.Result, error) {
	ref := strings.TrimSuffix(env.Roots.Ref(root, rel), "/")
	r := contract.Result{References: []string{}, KeyFindings: []contract.Finding{}, Confidence: contract.High}
	files, stats, err := root.Files(ctx, rel)
	if err := cmp.Or(ctx.Err(), err); err != nil {
		return r, source.WithCode(err)
	}
	v := viewer{ctx: ctx, env: env, root: root, files: files, result: &r, name: path.Base(rel)}
	here, below := splitFiles(files, rel)
	r.Summary = fmt.Sprintf("`%s/` holds %s", ref, words.Count(len(files), "file"))
	if stats.Cut {
		r.Note("the list of files was cut")
	}
	if from, line, text := v.purpose(rel); from != "" {
		text = contract.Shorten(text, 320)
		if at, ok := v.bookReference(from, line, len(text)); ok {
			r.Summary = fmt.Sprintf("`%s/` (%s): %s %s", ref, at, sentenceEnd(text), words.Count(len(files), "file"))
			r.References = append(r.References, at)
		}
	}
	r.Summary += describeBelow(below) + "."
	v.tellFiles(here, componentRoom(env))
	if len(r.References) == 0 && len(files) > 0 {
		r.References = append(r.References, env.Roots.Ref(root, files[0].Path))
	}
	r.References = contract.Dedupe(r.References)
	return r, ctx.Err()
}

// sentenceEnd adds a full stop to a text without closing punctuation.
func sentenceEnd(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?:") || strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}

// splitFiles returns the files directly in dir, and the number of files below each of its
// subdirectories.
func splitFiles(files []sandbox.Entry, dir string) (here []string, below map[string]int) {
	below = map[string]int{}
	for _, f := range files {
		rest := f.Path
		if dir != "." && dir != "" {
			rest = strings.TrimPrefix(rest, dir+"/")
		}
		if sub, _, deeper := strings.Cut(rest, "/"); deeper {
			below[sub]++
		} else {
			here = append(here, f.Path)
		}
	}
	return here, below
}

// describeBelow names the largest subdirectories.
func describeBelow(below map[string]int) string {
	var names []string
	for n := range below {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(below[b], below[a]), cmp.Compare(a, b)) })
	var parts []string
	for _, n := range names[:min(len(names), maxBelow)] {
		parts = append(parts, fmt.Sprintf("%s/ (%d)", contract.Shorten(n, 60), below[n]))
	}
	if len(parts) == 0 {
		return ""
	}
	text := ", below it " + strings.Join(parts, ", ")
	if more := len(names) - len(parts); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// tellFiles adds one finding per code file: its central definition and the comment of that or of
// the file. Introductory files come first, tests last.
func (v *viewer) tellFiles(here []string, room int) {
	var list []string
	for _, p := range here {
		if b := coderank.BucketOf(p, nil); coderank.IsSource(p) && b != coderank.Generated && b != coderank.Vendored {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		list = here
	}
	slices.SortStableFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(v.readingRank(a), v.readingRank(b)), cmp.Compare(a, b))
	})
	told := 0
	for _, p := range list[:min(len(list), maxFilesRead)] {
		if v.ctx.Err() != nil {
			return
		}
		ref, text := v.lineOf(p)
		if room -= len(text); room < 0 {
			break
		}
		at, ok := v.bookReference(p, contract.ParseReference(ref).Line, len(text))
		if !ok {
			break
		}
		v.result.KeyFindings = append(v.result.KeyFindings, contract.Finding{Text: text, Ref: at})
		if told++; told <= 6 {
			v.result.References = append(v.result.References, at)
		}
	}
	if more := len(list) - told; more > 0 {
		v.result.Note(words.Count(more, "file") + " of it not listed")
	}
}

// readingRank ranks the files of a directory in reading order, lowest first.
func (v *viewer) readingRank(p string) int {
	stem := source.FileStem(p)
	switch coderank.BucketOf(p, nil) {
	case coderank.Test:
		return 3
	case coderank.Implementation, coderank.Entry, coderank.Types:
	default:
		return 2
	}
	if stem == strings.ToLower(v.name) || stem == "index" || stem == "main" || stem == "lib" || stem == "mod" {
		return 0
	}
	return 1
}

// lineOf describes a file in one line.
func (v *viewer) lineOf(rel string) (ref, text string) {
	ref = v.env.Roots.Ref(v.root, rel)
	src, err := source.Load(v.ctx, v.env, ref)
	if err != nil {
		return ref, "`" + path.Base(rel) + "`"
	}
	line, what := v.centralDefinition(rel)
	if head, _ := headOfFile(src); head != "" && coderank.IsSource(rel) {
		text = ": " + contract.Shorten(head, 110)
	}
	if what == "" {
		var names []string
		for _, d := range src.Defs {
			if usage.IsTraceable(d.Kind) && len(names) < 3 {
				names = source.AppendNew(names, "`"+source.QualifiedName(d, src.Lang)+"`")
			}
		}
		if text == "" && len(names) > 0 {
			text = ": " + strings.Join(names, ", ")
		}
		return ref, "`" + path.Base(rel) + "`" + text
	}
	at := src.RefTo(line)
	if text == "" {
		if d, ok := src.DefAt(line); ok {
			text = ownDescription(d, 110)
		}
	}
	return at, source.Cite(what, at) + text
}
