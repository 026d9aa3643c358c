package leads

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/settings"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// These bound the description of a file.
const (
	maxUsed     = 6 // definitions whose users are looked up
	maxSettings = 6
)

// tellFile describes a file: its head comment, one line for each definition that others may use,
// with a user of the longest of them, and the settings it reads.
func tellFile(ctx context.Context, env *catalog.Env, src *source.File) (contract.Result, error) {
	r := contract.Result{References: []string{src.Ref}, KeyFindings: []contract.Finding{}, Confidence: contract.High}
	r.Summary = fmt.Sprintf("`%s` has %s", src.Ref, words.Count(src.CountLines(), "line"))
	head, line := headOfFile(src)
	if head != "" {
		r.Summary = fmt.Sprintf("`%s` (%s): %s", src.Ref, src.RefTo(line), contract.Shorten(head, 280))
	}
	defs, kind := publicOf(src)
	switch {
	case len(src.Data) == 0:
		r.Summary = "`" + src.Ref + "` is empty."
		return r, nil
	case len(defs) == 0:
		none := "It has no definitions."
		if src.Lang == "" {
			none = source.UnparsedNote
		}
		r.Summary = sentenceEnd(strings.TrimSuffix(r.Summary, ".")) + " " + none
		return r, src.Book(env, len(head))
	}
	if head != "" {
		r.Summary = sentenceEnd(r.Summary) + " It has " + words.Count(src.CountLines(), "line")
	}
	r.Summary += " and " + words.Count(len(defs), kind) + "."
	shown := keepFitting(defs, componentRoom(env))
	users, err := usersIn(ctx, env, src, shown)
	if err != nil {
		return r, err
	}
	size := len(head)
	for _, d := range shown {
		text := fmt.Sprintf("%d: `%s`%s", d.Line, source.QualifiedName(d, src.Lang), ownDescription(d, 140))
		size += len(text)
		if u := users[d.Line]; u != "" {
			text += "; " + u
		}
		r.KeyFindings = append(r.KeyFindings, contract.Finding{Text: text, Ref: src.RefTo(d.Line)})
	}
	if more := len(defs) - len(shown); more > 0 {
		r.Note(fmt.Sprintf("%s more are left out; more tokens show them", words.Count(more, "definition")))
	}
	if text := settingsOf(src); text != "" {
		r.KeyFindings = append(r.KeyFindings, contract.Finding{Text: text, Ref: src.Ref})
	}
	return r, src.Book(env, size)
}

// headOfFile returns the comment at the head of a file or, for a document, its first paragraph, and
// the line of that.
func headOfFile(src *source.File) (string, int) {
	if isDocument(src.Lang) {
		return firstParagraph(string(src.Data[:min(len(src.Data), 32<<10)]))
	}
	text, line := headComment(src.Ref, src.Data)
	for _, d := range src.Defs {
		// a comment after a definition, or the doc comment of the first one, is not the file's
		if d.Line <= line || d.Doc != "" && strings.HasPrefix(text, d.Doc[:min(len(d.Doc), 24)]) {
			return "", 0
		}
	}
	return text, line
}

func isDocument(l symbols.Lang) bool {
	return l == "" || l == symbols.Language("a.md") || l == symbols.Language("a.rst")
}

// publicOf returns the exported top-level definitions and exported methods, or without any, all
// top-level definitions. It also returns the word for them.
func publicOf(src *source.File) ([]symbols.Def, string) {
	var public, top []symbols.Def
	for _, d := range src.Defs {
		if d.Container != "" && d.Kind != symbols.KindMethod {
			continue
		}
		if d.Container == "" {
			top = append(top, d)
		}
		if d.Exported && usage.IsTraceable(d.Kind) {
			public = append(public, d)
		}
	}
	switch {
	case len(public) > 0:
		return public, "exported definition"
	case len(top) > 0 && top[0].Kind == symbols.KindHeading:
		return top, "heading"
	}
	return top, "definition"
}

// keepFitting keeps as many definitions as there is room for, preferring top-level and long ones,
// in the order of their lines.
func keepFitting(defs []symbols.Def, room int) []symbols.Def {
	order := slices.Clone(defs)
	weight := func(d symbols.Def) int {
		w := min(d.EndLine-d.Line, 300)
		if d.Container == "" {
			w += 1000
		}
		if d.Kind.IsType() {
			w += 200
		}
		return w
	}
	slices.SortStableFunc(order, func(a, b symbols.Def) int { return cmp.Compare(weight(b), weight(a)) })
	var out []symbols.Def
	for _, d := range order {
		if room -= len(d.Name) + len(d.Container) + len(ownDescription(d, 140)) + 24; room < 0 {
			break
		}
		out = append(out, d)
	}
	slices.SortStableFunc(out, func(a, b symbols.Def) int { return cmp.Compare(a.Line, b.Line) })
	return out
}

// usersIn returns, by line of a definition, where other files use it. It scans the tree once for
// the longest functions and types.
func usersIn(ctx context.Context, env *catalog.Env, src *source.File, defs []symbols.Def) (map[int]string, error) {
	order := slices.Clone(defs)
	slices.SortStableFunc(order, func(a, b symbols.Def) int { return cmp.Compare(b.EndLine-b.Line, a.EndLine-a.Line) })
	var targets []usage.Target
	for _, d := range order {
		if len(targets) < maxUsed && len(d.Name) > 2 && (d.Kind.IsCallable() || d.Kind.IsType()) {
			targets = usage.AddTarget(targets, usage.NewTarget(env, src, d))
		}
	}
	if len(targets) == 0 {
		return nil, nil
	}
	found, err := usage.FindUses(ctx, env, targets)
	if err != nil {
		return nil, err
	}
	out := map[int]string{}
	for i, t := range targets {
		c := t.SummarizeUses(ctx, env, found, i, 8)
		for _, u := range c.Uses {
			if contract.ParseReference(u.Ref).Path == src.Ref || t.Def.Kind.IsCallable() && u.Value {
				continue
			}
			verb := "used"
			if t.Def.Kind.IsCallable() {
				verb = "called"
			}
			text := verb + " from " + u.Ref
			if more := c.Total - 1; more > 0 && c.Values == 0 {
				text += fmt.Sprintf(" and %d more", more)
			}
			out[t.Ref.Line] = text
			break
		}
	}
	return out, nil
}

// settingsOf names the settings that a file reads from its environment.
func settingsOf(src *source.File) string {
	var parts []string
	for _, o := range settings.In(string(src.Data)) {
		if len(parts) == maxSettings {
			break
		}
		if name := fmt.Sprintf("`%s` (line %d)", o.Name, o.Line); !slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(p, "`"+o.Name+"`") }) {
			parts = append(parts, name)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "reads settings " + strings.Join(parts, ", ")
}
