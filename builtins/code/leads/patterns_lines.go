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
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// These bound the search for lines that show how something is done.
const (
	exampleFiles  = 24
	exampleWindow = 8       // lines that belong together
	exampleBytes  = 400_000 // of a file
	exampleLine   = 300     // bytes of a line
)

// shownUse is a part of a file that uses what the question asks for.
type shownUse struct {
	src   *source.File
	line  int
	lines []string
	score float64
	kind  string // location, as half a line of the text
	words map[string]bool
}

// usesShown finds, in the best files, the lines with the most words of the question outside strings
// and definitions, together with related lines below them. Example directories come before tests,
// and tests before implementation code.
func usesShown(ctx context.Context, env *catalog.Env, hits []coderank.Hit, want map[string]bool, avoid map[string]bool) ([]shownUse, error) {
	var out []shownUse
	share := source.ParseBudget{BytesLeft: source.MaxLeadBytes}
	for i, h := range hits[:min(len(hits), exampleFiles)] {
		kind, weight := exampleKind(h)
		if weight == 0 {
			continue
		}
		src, err := source.LoadPart(ctx, env, h.Path, &share)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		for n, u := range bestStretches(src, want) {
			if avoid[src.RefTo(u.line)] {
				continue
			}
			u.kind = kind
			u.score = u.score*weight + 0.3/float64(2+i) - 0.25*float64(n)
			out = append(out, u)
		}
	}
	slices.SortStableFunc(out, func(a, b shownUse) int { return cmp.Compare(b.score, a.score) })
	return out, nil
}

// exampleKind describes where the examples of a file are, and returns their weight; 0 excludes the
// file.
func exampleKind(h coderank.Hit) (string, float64) {
	switch h.Bucket {
	case coderank.Test:
		return "in a test", 1
	case coderank.Docs:
		if coderank.IsSource(h.Path) {
			return "in " + topDir(h.Path), 1.3
		}
		return "in a document", 1
	case coderank.Implementation, coderank.Entry:
		return "in the code itself", 0.8
	}
	return "", 0
}

// topDir returns the directory that makes a file an example.
func topDir(p string) string {
	for d := range strings.SplitSeq(path.Dir(p), "/") {
		if coderank.BucketOf(d+"/a.go", nil) == coderank.Docs {
			return d + "/"
		}
	}
	return path.Base(path.Dir(p)) + "/"
}

// bestStretches returns the two parts of a file with the most words of the question.
func bestStretches(src *source.File, want map[string]bool) []shownUse {
	starts := map[int]bool{}
	for _, d := range src.Defs {
		if d.Kind.IsCallable() || d.Kind.IsType() || d.Kind == symbols.KindHeading {
			starts[d.Line] = true
		}
	}
	lines := strings.Split(string(src.Data[:min(len(src.Data), exampleBytes)]), "\n")
	quoted := codeBlocks(src, lines)
	holds := make([]map[string]bool, len(lines))
	for i, l := range lines {
		if t := strings.TrimSpace(l); (quoted == nil || quoted[i]) && !starts[i+1] && len(t) > 4 && len(t) <= exampleLine && !source.IsCommentLine([]byte(t)) && !source.IsImportLine([]byte(t)) && strings.ContainsAny(t, "(={") {
			holds[i] = heldStems(t, want)
		}
	}
	var out []shownUse
	for len(out) < 2 {
		best, at := 0.0, -1
		for i, h := range holds {
			if len(h) == 0 || len(out) > 0 && max(out[0].line-1-i, i+1-out[0].line) < 2*exampleWindow {
				continue
			}
			all := map[string]bool{}
			for j := i; j < min(i+exampleWindow, len(holds)); j++ {
				for s := range holds[j] {
					all[s] = true
				}
			}
			if s := (float64(len(all)) + 0.6*float64(len(h))) / float64(len(want)); s > best {
				best, at = s, i
			}
		}
		if at < 0 {
			break
		}
		u := shownUse{src: src, line: at + 1, score: best, words: map[string]bool{}}
		for j := at; j < min(at+exampleWindow, len(holds)) && len(u.lines) < 3; j++ {
			if len(holds[j]) > 0 {
				u.lines = append(u.lines, strings.TrimSpace(lines[j]))
			}
		}
		u.words = stemsOf(strings.Join(u.lines, " "))
		out = append(out, u)
	}
	return out
}

// codeBlocks reports which lines of a document are code: fenced or indented ones. It returns nil
// for a source file.
func codeBlocks(src *source.File, lines []string) []bool {
	if coderank.IsSource(src.Ref) {
		return nil
	}
	out, fenced := make([]bool, len(lines)), false
	for i, l := range lines {
		if isFence(l) {
			fenced = !fenced
			continue
		}
		out[i] = fenced || strings.HasPrefix(l, "    ") || strings.HasPrefix(l, "\t")
	}
	return out
}

// heldStems returns the wanted stems that occur in a line outside strings, or nil.
func heldStems(line string, want map[string]bool) map[string]bool {
	low, near := strings.ToLower(line), false
	for s := range want {
		if strings.Contains(low, s[:min(len(s), 4)]) {
			near = true
			break
		}
	}
	if !near {
		return nil
	}
	have := stemsOf(withoutStrings(line))
	var out map[string]bool
	for s := range want {
		if hasStem(have, s) {
			if out == nil {
				out = map[string]bool{}
			}
			out[s] = true
		}
	}
	return out
}

// withoutStrings blanks the text between quotation marks.
func withoutStrings(line string) string {
	b := []byte(line)
	for i := 0; i < len(b); i++ {
		q := b[i]
		if q != '"' && q != '\'' && q != '`' {
			continue
		}
		end := strings.IndexByte(line[i+1:], q)
		if end < 0 {
			continue
		}
		for j := i + 1; j < i+1+end; j++ {
			b[j] = ' '
		}
		i += 1 + end
	}
	return string(b)
}

// pickDiffering selects uses that differ: in their file and in their words.
func pickDiffering(from []shownUse, limit int) []shownUse {
	var out []shownUse
	for len(out) < limit {
		best, at := 0.15, -1
		for i, u := range from {
			like := 0.0
			for _, o := range out {
				s := jaccard(u.words, o.words)
				if u.src.Ref == o.src.Ref {
					s += 0.4
					if u.line == o.line {
						s = 10
					}
				}
				if u.kind == o.kind {
					s += 0.1
				}
				like = max(like, s)
			}
			if worth := u.score - 0.5*like; worth > best {
				best, at = worth, i
			}
		}
		if at < 0 {
			break
		}
		out = append(out, from[at])
	}
	return out
}

// text formats an example in at most room bytes.
func (u shownUse) text(room int) string {
	ref := u.src.RefTo(u.line)
	place := ref
	if d, ok := u.src.DefAt(u.line); ok && d.Kind != symbols.KindHeading {
		place = source.Cite(source.QualifiedName(d, u.src.Lang), ref)
	}
	text := place + ", " + u.kind + ":"
	each := max(60, (room-len(text))/max(len(u.lines), 1)-6)
	for i, l := range u.lines {
		if add := "\n  " + contract.Shorten(l, min(each, 120)); i == 0 || len(text)+len(add) <= room {
			text += add
		}
	}
	return text
}

// kindsShown returns implementers of bases named by the question or defined in a file of such a
// name: examples of a kind of thing are things of that kind.
func kindsShown(ctx context.Context, env *catalog.Env, question string, hits []coderank.Hit, want map[string]bool, limit int) (string, []usage.FileDef, error) {
	var refs []string
	for _, h := range hits {
		refs = append(refs, h.Path)
	}
	located := loadPlaces(ctx, env, refs)
	head := firstNoun(question, want)
	var bases []*extensionPoint
	for _, b := range candidateBases(located, want, "", "") {
		for _, src := range located {
			for _, d := range src.Defs {
				if d.Name == b.Name && d.Kind.IsType() && head != "" && (hasStem(stemsOf(d.Name), head) || hasStem(stemsOf(source.FileStem(src.Ref)), head)) {
					b.score = 1
				}
			}
		}
		if b.score == 1 {
			bases = append(bases, b)
		}
	}
	if len(bases) == 0 {
		return "", nil, nil
	}
	if err := findExtensions(ctx, env, bases); err != nil {
		return "", nil, err
	}
	slices.SortStableFunc(bases, func(a, b *extensionPoint) int {
		return cmp.Or(cmp.Compare(len(b.Subtypes), len(a.Subtypes)), cmp.Compare(a.Name, b.Name))
	})
	var names []string
	var of []usage.FileDef
	for _, b := range bases {
		kept := slices.DeleteFunc(slices.Clone(b.Subtypes), func(t usage.FileDef) bool {
			return slices.ContainsFunc(bases, func(o *extensionPoint) bool { return o.Name == t.Def.Name }) || b.Def.File != nil && t.File.Ref == b.Def.File.Ref
		})
		if len(kept) == 0 || b.Def.File == nil || len(names) == 3 {
			continue
		}
		names = append(names, source.Cite(b.Name, b.Def.Ref()))
		of = append(of, kept...)
	}
	if len(of) < 2 {
		return "", nil, nil
	}
	return "Bases: " + strings.Join(names, ", "), spread(of, limit), nil
}

// spread selects types from as many files as possible.
func spread(of []usage.FileDef, limit int) []usage.FileDef {
	var out []usage.FileDef
	for most := 1; most <= 2 && len(out) < limit; most++ {
		for _, t := range of {
			in := 0
			for _, o := range out {
				if o.File.Ref == t.File.Ref {
					in++
				}
				if o.Ref() == t.Ref() {
					in = most
				}
			}
			if in < most && len(out) < limit {
				out = append(out, t)
			}
		}
	}
	return out
}

// firstNoun returns the stem of the first word of the subject in the question: examples of
// bootsteps that hook into a worker are bootsteps.
func firstNoun(question string, want map[string]bool) string {
	for _, t := range coderank.Parse(question).Terms {
		if want[t.Stem] && t.Of < 0 && t.Title > 0 {
			return t.Stem
		}
	}
	return ""
}

// kindLine describes an example type in one line.
func kindLine(t usage.FileDef) string {
	return source.Cite(source.QualifiedName(t.Def, t.File.Lang), t.Ref()) + fmt.Sprintf(": `%s`", contract.Shorten(t.File.Line(t.Def.Line), 100))
}
