package find

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/keylines"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// LocateInput is the input of code.locate.
type LocateInput struct {
	Question string             `json:"question" doc:"what to find, in plain words or by name"`
	Limit    int                `json:"limit" doc:"places at most, with the files behind them; fewer where they fall behind the first" default:"12" min:"1" max:"50"`
	Earlier  []contract.Earlier `json:"earlier,omitempty" doc:"questions that this one may be a follow-up of, newest first"`
	Prose    bool               `json:"prose" doc:"look for documents instead of code" default:"false"`
	History  bool               `json:"history" doc:"weigh what past commits say, where the first look is not sure" default:"false"`
	Weights  *coderank.Weights  `json:"weights,omitempty" doc:"weights of the ranking by name; what is left out keeps its default"`
}

// Locate returns code.locate, which ranks files and definitions for a question.
func Locate() catalog.Builtin {
	return catalog.New("code.locate", "rank the files and lines that answer a question", catalog.Roots|catalog.History, locate)
}

func locate(ctx context.Context, env *catalog.Env, in LocateInput) (contract.Result, error) {
	w := coderank.Default()
	if in.Weights != nil {
		w = *in.Weights
	}
	if in.Prose { // notes are the target, so do not rank them lower
		w.Docs, w.Config = 1, 1
	}
	q, from := source.ParseQuestion(in.Question, in.Earlier, w.Before)
	from.ExtendQuery(ctx, env, q)
	if !in.History {
		plain := *env
		plain.History = nil
		env = &plain
	}
	f, err := RankTree(ctx, env, q, w, in.Limit)
	if err != nil {
		return contract.Result{}, err
	}
	env.Memo.Put(RankedFilesKey{q.Text}, f.Candidates)
	if len(f.Hits) == 0 {
		r := NotFoundResult(f)
		from.MarkResult(&r)
		return r, nil
	}
	r := contract.Result{References: []string{}, KeyFindings: []contract.Finding{}, Confidence: from.CapConfidence(f.Confidence)}
	l := &listing{ctx: ctx, env: env, result: &r, most: in.Limit, asked: source.FocusOf(q, env.Tokens)}
	further := alsoFiles
	if len(f.Definitions) > 0 {
		if !q.Intent.Topic {
			further = MaxAnswerFiles // the places answer a question, while a topic or a report may be about any of the files
		}
		l.addDefinitions(f.Definitions, mostPlaces(f.Confidence))
	} else {
		l.addFiles(f.Hits, mostPlaces(f.Confidence))
	}
	if l.err != nil {
		return contract.Result{}, l.err
	}
	r.Summary = summarizeLocated(r.References, r.KeyFindings)
	from.MarkResult(&r)
	if f.Confidence != retrieval.Low || len(f.Definitions) == 0 { // a report is about what it names, however weak the match
		l.addFileNames(f.Hits, further)
	}
	r.Note(f.Note())
	return r, nil
}

// summarizeLocated returns one sentence about the best hit.
func summarizeLocated(refs []string, findings []contract.Finding) string {
	switch len(refs) {
	case 0:
		return "Not found within the limits."
	case 1:
		return "Found in one place: " + findings[0].Text + "."
	}
	return fmt.Sprintf("Found in %d places, best first: %s.", len(refs), findings[0].Text)
}

// NotFoundResult returns the result for nothing found, with near matches.
func NotFoundResult(f Ranking) contract.Result {
	why := f.NotFound
	if why == "" {
		why = "nothing in the files searched matches"
	}
	text := "Not found: " + why + "."
	switch {
	case f.cut && f.files == 0:
		text = fmt.Sprintf("Not known: the scan was cut, %v being over before a file was read; %s.", f.budget, widen)
	case f.cut:
		text = fmt.Sprintf("Not known: the scan was cut after %s, %v being over, and nothing in these fits (%s); %s.", words.Count(f.files, "file"), f.budget, why, widen)
	}
	for _, m := range f.Missing {
		if len(m.Near) > 0 {
			text += " Near " + m.Name + ": " + strings.Join(m.Near, ", ") + "."
		}
	}
	return contract.NotFound(text, f.Note())
}

// pointedLines returns the lines to refer to: those that the question names and the file has, else
// the best place, else 0 for the whole file.
func pointedLines(h coderank.Hit, src *source.File) []int {
	var asked []int
	lines := src.CountLines()
	for _, p := range h.Places {
		switch {
		case p.Asked:
			if line := frameLine(src, p); line <= lines && !slices.Contains(asked, line) {
				asked = append(asked, line)
			}
		case !p.Asked && len(asked) == 0:
			return []int{p.Line}
		}
	}
	if len(asked) == 0 {
		return []int{0}
	}
	return asked
}

// frameLine returns the line that a stack frame refers to: its own or, if the function it names is
// elsewhere in this version of the file, the line of that function.
func frameLine(src *source.File, p coderank.Place) int {
	name := p.Name[strings.LastIndexAny(p.Name, ".:#$/ ")+1:]
	if name == "" {
		return p.Line
	}
	best := 0
	for _, d := range src.Defs {
		switch {
		case d.Name != name || d.Kind == symbols.KindHeading || d.Kind == symbols.KindKey:
		case d.Line <= p.Line && p.Line <= d.EndLine:
			return p.Line
		case best == 0 || max(d.Line-p.Line, p.Line-d.Line) < max(best-p.Line, p.Line-best):
			best = d.Line
		}
	}
	if best == 0 {
		return p.Line
	}
	return best
}

// hitFinding returns "`Pool.admit` (runtime/pipeline/engine/pool.go:41) lets a request in": a place
// with its comment, else its most telling line, else its signature; for a place outside
// definitions, the line itself.
func hitFinding(src *source.File, h coderank.Hit, line int, a source.Focus) (ref, finding string) {
	d, ok := src.DefNear(line)
	switch {
	case !ok && line > 0:
		return src.RefTo(line), fmt.Sprintf("%s `%s`", src.RefTo(line), contract.Shorten(src.Line(line), 90))
	case !ok:
		return src.Ref, src.Ref + matchReasons(h)
	case line < d.Line: // in the comment above it
		line = d.Line
	}
	ref = src.RefTo(line)
	text := source.Cite(source.QualifiedName(d, src.Lang), ref)
	doc := source.DocSentence(d)
	if telling := tellingLine(src, d, a, doc); telling != "" {
		return ref, text + " " + telling
	}
	if doc != "" {
		return ref, text + " " + contract.Shorten(doc, 110)
	}
	if d.Kind == symbols.KindHeading || d.Signature == "" {
		return ref, text + matchReasons(h)
	}
	return ref, text + " `" + contract.Shorten(d.Signature, 90) + "`"
}

// tellingLine returns the key line of a function with a term of the question that neither its name
// nor its comment has, or "".
func tellingLine(src *source.File, d symbols.Def, a source.Focus, doc string) string {
	if a.Terms == nil || d.Kind != symbols.KindFunction && d.Kind != symbols.KindMethod {
		return ""
	}
	said, least := a.Terms, 0.0
	if doc != "" {
		said, least = said.Beyond(d.Name+" "+doc), 0.9
	}
	for _, l := range src.Text().Lines(d, keylines.Ask{Terms: a.Terms, Happens: a.Happens, Most: 3}) {
		if said.Weigh(l.Text) > least && !strings.HasPrefix(l.Text, "//") && !strings.HasPrefix(l.Text, "#") {
			return fmt.Sprintf("%d: %s", l.Line, contract.Shorten(l.Text, 90))
		}
	}
	return ""
}

// matchReasons returns the reasons for a hit whose text says nothing.
func matchReasons(h coderank.Hit) string {
	if len(h.Reasons) == 0 {
		return ""
	}
	return ": " + strings.Join(h.Reasons[:min(len(h.Reasons), 3)], ", ")
}

// RankedFilesKey is the memo key of the best files of a ranking. The value is a list of references.
type RankedFilesKey struct{ Text string }
