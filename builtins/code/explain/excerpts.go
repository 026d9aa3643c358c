package explain

import (
	"context"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// ExcerptsInput is the input of code.excerpts.
type ExcerptsInput struct {
	References []string `json:"references" doc:"path or path:line entries"`
	Lines      int      `json:"lines" doc:"lines for each at most" default:"12" min:"1" max:"400"`
}

// excerptLine is the maximum length of an excerpt's line in bytes.
const excerptLine = 200

// Excerpts returns code.excerpts, which gives the lines that references point to, with secrets
// masked: the beginning of a definition, else the lines around the place. References that cannot be
// read are skipped.
func Excerpts(redact ...source.Redactor) catalog.Builtin {
	return catalog.New("code.excerpts", "give the lines that references point to", catalog.Roots,
		func(ctx context.Context, env *catalog.Env, in ExcerptsInput) (contract.Excerpts, error) {
			return excerpts(ctx, env, in, source.JoinRedactors(redact))
		})
}

func excerpts(ctx context.Context, env *catalog.Env, in ExcerptsInput, redact source.Redactor) (contract.Excerpts, error) {
	out := contract.Excerpts{Excerpts: []contract.Excerpt{}}
	for _, ref := range in.References {
		e, err := excerpt(ctx, env, ref, in.Lines, redact)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil || e.Text == "" { // the file is gone or the budget is spent: try the others
			continue
		}
		out.Excerpts = append(out.Excerpts, e)
	}
	return out, nil
}

func excerpt(ctx context.Context, env *catalog.Env, ref string, lines int, redact source.Redactor) (contract.Excerpt, error) {
	src, line, err := source.LoadAt(ctx, env, ref)
	if err != nil {
		return contract.Excerpt{}, err
	}
	root, rel, err := env.Roots.Resolve(src.Ref)
	if err != nil {
		return contract.Excerpt{}, err
	}
	p, err := source.OpenMasked(ctx, env, root, rel, redact)
	if err != nil {
		return contract.Excerpt{}, err
	}
	first, last := window(src, line, lines)
	if first > last { // the file has become shorter
		return contract.Excerpt{}, nil
	}
	if err := p.Mask(ctx, first, last); err != nil {
		return contract.Excerpt{}, err
	}
	shown := make([]string, 0, last-first+1)
	for n := first; n <= last; n++ {
		shown = append(shown, source.ShortenEnd(p.Line(n), excerptLine))
	}
	text := strings.TrimRight(strings.Join(shown, "\n"), "\n ")
	return contract.Excerpt{Reference: ref, First: first, Text: text}, src.Book(env, len(text))
}

// window returns the lines that show a place best: the definition around it from its first line or,
// if the place is too far down for that, from slightly above the place.
func window(src *source.File, line, most int) (first, last int) {
	const above = 3
	line = max(line, 1)
	first, last = max(1, line-above), src.CountLines()
	if d, ok := src.DefNear(line); ok {
		last = d.EndLine
		if first = d.Line; line-first >= most {
			first = line - above
		}
	}
	return first, min(last, first+most-1)
}
