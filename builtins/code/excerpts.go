package code

import (
	"context"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// ExcerptsInput is what code.excerpts takes.
type ExcerptsInput struct {
	References []string `json:"references" doc:"path or path:line entries"`
	Lines      int      `json:"lines" doc:"lines for each at most" default:"12" min:"1" max:"400"`
}

// excerptLine bounds a line of an excerpt, in bytes.
const excerptLine = 200

// Excerpts gives the lines that references point to, secrets masked: of a
// definition its beginning, else the lines around the place. A reference that
// cannot be read has none.
func Excerpts(redact ...Redact) catalog.Builtin {
	return catalog.New("code.excerpts", "give the lines that references point to", catalog.Roots,
		func(ctx context.Context, env *catalog.Env, in ExcerptsInput) (contract.Excerpts, error) {
			return excerpts(ctx, env, in, all(redact))
		})
}

func excerpts(ctx context.Context, env *catalog.Env, in ExcerptsInput, redact Redact) (contract.Excerpts, error) {
	out := contract.Excerpts{Excerpts: []contract.Excerpt{}}
	for _, ref := range in.References {
		e, err := excerpt(ctx, env, ref, in.Lines, redact)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil || e.Text == "" { // gone by now, or beyond the budget: the others may be there
			continue
		}
		out.Excerpts = append(out.Excerpts, e)
	}
	return out, nil
}

func excerpt(ctx context.Context, env *catalog.Env, ref string, lines int, redact Redact) (contract.Excerpt, error) {
	src, line, err := loadAt(ctx, env, ref)
	if err != nil {
		return contract.Excerpt{}, err
	}
	root, rel, err := env.Roots.Resolve(src.ref)
	if err != nil {
		return contract.Excerpt{}, err
	}
	p, err := openPage(ctx, env, root, rel, redact)
	if err != nil {
		return contract.Excerpt{}, err
	}
	first, last := src.window(line, lines)
	if first > last { // the file has become shorter
		return contract.Excerpt{}, nil
	}
	if err := p.show(ctx, first, last); err != nil {
		return contract.Excerpt{}, err
	}
	shown := make([]string, 0, last-first+1)
	for n := first; n <= last; n++ {
		shown = append(shown, cutEnd(p.line(n), excerptLine))
	}
	text := strings.TrimRight(strings.Join(shown, "\n"), "\n ")
	return contract.Excerpt{Reference: ref, First: first, Text: text}, src.quote(env, len(text))
}

// window is which lines show a place best: the definition around it from its
// first line on or, where the place is further down than that shows, from a
// little above the place.
func (s *source) window(line, most int) (first, last int) {
	const above = 3
	line = max(line, 1)
	first, last = max(1, line-above), s.lines()
	if d, ok := s.near(line); ok {
		last = d.EndLine
		if first = d.Line; line-first >= most {
			first = line - above
		}
	}
	return first, min(last, first+most-1)
}
