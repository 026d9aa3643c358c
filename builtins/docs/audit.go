package docs

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// The sources of an answer can be traced in the events of its request: which text was searched in
// which collections at which version, the ids and versions of the passages found, and those that
// the answer cites. The events contain no text of a document.

// maxTold is how many passages or citations an event names.
const maxTold = 64

// searching is a search in progress, reported when it ends.
type searching struct {
	span *event.Span
	mask func(string) string
}

// beginSearch starts the span of a builtin's search. The span is nil if no one listens.
func beginSearch(ctx context.Context, builtin string, mask func(string) string) (context.Context, searching) {
	ctx, span := event.Start(ctx, event.Event{Kind: event.Retrieval, Name: builtin})
	return ctx, searching{span, mask}
}

// endSearch reports the query and the passages found.
func (s searching) endSearch(env *catalog.Env, text, collection string, q library.Query, a library.Answer, err error) {
	if s.span == nil {
		return
	}
	s.span.Detail = event.Query{Text: s.mask(text), Filters: s.mask(q.Only.String())}
	s.addAttrs(slog.Int("top_k", q.Limit), slog.Int("searched", a.Searched), slog.Int("found", len(a.Found)), slog.String("confidence", fmt.Sprintf("%.3f", a.Confidence)))
	if slices.Contains(env.Documents.Names(), collection) {
		s.addAttrs(slog.String("collection", collection))
	}
	if len(q.More) > 0 {
		s.addAttrs(slog.Int("earlier", len(q.More)))
	}
	var list []string
	for _, f := range a.Found {
		list = append(list, f.ID+"@"+f.Document.Version)
	}
	s.addAttrs(slog.Any("version", event.ID(a.Version)), idsAttr("passages", list))
	s.endSpan(err)
}

// lookUp looks up a document or a passage, and reports which one.
func lookUp(ctx context.Context, env *catalog.Env, builtin, name string, mask func(string) string) (library.Looked, error) {
	ctx, s := beginSearch(ctx, builtin, mask)
	at, err := env.Documents.LookUp(ctx, name)
	s.endLook(name, at, err)
	return at, err
}

func (s searching) endLook(name string, at library.Looked, err error) {
	if s.span == nil {
		return
	}
	s.span.Detail = event.Query{Text: s.mask(name)}
	if err == nil {
		id := at.ID
		if at.Passage != nil {
			id = at.Passage.ID
		}
		s.addAttrs(slog.Int("found", 1), idsAttr("passages", []string{id + "@" + at.Version}))
	}
	s.endSpan(err)
}

func (s searching) addAttrs(list ...slog.Attr) { s.span.Attrs = append(s.span.Attrs, list...) }

// endSpan ends the span with the error's code only: its message may quote the question.
func (s searching) endSpan(err error) {
	if err == nil {
		s.span.End(event.OK, "")
		return
	}
	_, e := contract.AsError(withCode(err))
	s.span.End(event.Failed, e.Code)
}

// idsAttr returns an attribute with up to maxTold of the identifiers.
func idsAttr(name string, list []string) slog.Attr {
	text := strings.Join(list[:min(len(list), maxTold)], " ")
	if n := len(list) - maxTold; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return slog.Any(name, event.ID(text))
}

// homeOf returns what tells the collection of a citation apart from others of its name; "-" if nothing does.
func (m *material) homeOf(c Citation) string {
	name, _, _ := strings.Cut(c.URI, "/")
	if i := slices.Index(m.env.Documents.Names(), name); i >= 0 && m.env.Documents[i].Home != "" {
		return m.env.Documents[i].Home
	}
	return "-"
}

// abstained is the outcome if the documents do not answer.
const abstained = "abstained"

// composing is an answer in progress, reported when it is complete.
type composing struct{ span *event.Span }

func beginAnswer(ctx context.Context, builtin string) (context.Context, composing) {
	ctx, span := event.Start(ctx, event.Event{Kind: event.Compose, Name: builtin})
	return ctx, composing{span}
}

// endAnswer reports which passages the answer cites, and how many citations and model sentences were
// dropped. why is the reason for not answering.
func (c composing) endAnswer(m *material, question string, cited []Citation, dropped int, by, confidence, why string, err error) {
	if c.span == nil {
		return
	}
	var list, quotes, homes []string
	for _, x := range cited {
		if x.URI == "" { // of a text that the caller gave
			continue
		}
		list = append(list, fmt.Sprintf("%s@%s[%d:%d]", x.ID, x.Version, x.Start, x.End))
		if len(quotes) < maxTold {
			quotes, homes = append(quotes, answer.Digest(x.Quote)), append(homes, m.homeOf(x))
		}
	}
	c.span.Detail = event.Query{Text: m.mask(question), Quotes: strings.Join(quotes, " "), Homes: strings.Join(homes, " ")}
	c.span.Attrs = append(c.span.Attrs, slog.Int("cited", len(list)), slog.Int("dropped", m.fallen+dropped), slog.Int("read", len(m.passages)),
		slog.String("by", by), slog.String("confidence", confidence), idsAttr("citations", list))
	switch {
	case err != nil:
		_, e := contract.AsError(err)
		c.span.End(event.Failed, e.Code)
	case why != "":
		c.span.Attrs = append(c.span.Attrs, slog.String("because", why))
		c.span.End(abstained, "")
	default:
		c.span.End(event.OK, "")
	}
}
