package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/builtins/docs"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
)

// ReplyIn is the input of ask.reply.
type ReplyIn struct {
	Parts []Planned `json:"parts" doc:"parts of the question"`
	Steps []Found   `json:"steps" doc:"what the steps found, in order"`
	Note  string    `json:"note,omitempty" doc:"why there was no further step, if there could have been one"`
}

// Found is a step with what it found.
type Found struct {
	Step
	Answer     string          `json:"answer" doc:"what the source says; if it does not answer, what is nearest"`
	Citations  []docs.Citation `json:"citations,omitempty" doc:"quotes that the answer rests on"`
	References []string        `json:"references,omitempty" doc:"places that the answer rests on: path:line"`
	Places     []string        `json:"places,omitempty" doc:"references that the answer does not mention, each with its name and what it does"`
	Note       string          `json:"note,omitempty" doc:"what is missing"`
	Failed     string          `json:"failed,omitempty" doc:"why the source could not be asked"`
}

// Reply is an answer made of steps.
type Reply struct {
	Answer      string          `json:"answer" doc:"the answer, part by part; what no source answers is said"`
	Citations   []docs.Citation `json:"citations" doc:"quotes of documents that it rests on; each stands in its document at its bytes"`
	References  []string        `json:"references" doc:"places in the code that it rests on: path:line"`
	Places      []string        `json:"places,omitempty" doc:"references that the answer does not mention, each with its name and what it does"`
	Confidence  string          `json:"confidence" doc:"that of the weakest part; low if some part is not answered, none if no part is" enum:"none,low,med,high"`
	Steps       []Step          `json:"steps" doc:"what was looked up where, in order"`
	Notes       []string        `json:"notes,omitempty" doc:"what is missing, and why"`
	Truncations []string        `json:"truncations,omitempty" doc:"what was cut to fit"`
}

// reply returns ask.reply, which joins what steps found to one answer.
func reply() catalog.Builtin {
	b := catalog.New("ask.reply", "join what the steps towards an answer found", 0,
		func(_ context.Context, env *catalog.Env, in ReplyIn) (Reply, error) {
			return in.join(env.Tokens, env.Run().Usage.Hit), nil
		}).Immediate()
	b.Out.Trim = trim
	return b
}

// trim cuts what readers miss least first, and a sentence before the last quote that it rests on.
var trim = &schema.Trim{Cut: []string{"truncations"}, Noted: []string{"notes"}, Steps: []schema.Cut{
	{What: "steps", Takes: []schema.Take{{Path: []string{"steps"}, Keep: 3}}},
	{What: "places", Takes: []schema.Take{{Path: []string{"places"}, Keep: 3}}},
	{What: "references", Takes: []schema.Take{{Path: []string{"references"}, Keep: 6}}},
	{What: "citations", Takes: []schema.Take{{Path: []string{"citations"}, Keep: 6}}},
	{What: "places", Takes: []schema.Take{{Path: []string{"places"}}}},
	{What: "references", Takes: []schema.Take{{Path: []string{"references"}, Keep: 3}}},
	{What: "citations", Takes: []schema.Take{{Path: []string{"citations"}, Keep: 3}}},
	{What: "answer", Takes: []schema.Take{{Path: []string{"answer"}, Keep: 240}}},
	{What: "all but the answer", Takes: []schema.Take{{Path: []string{"steps"}}, {Path: []string{"citations"}}, {Path: []string{"references"}}, {Path: []string{"answer"}}}},
}}

// join makes the reply, for about that many tokens; 0 for the usual number. limits are those that cut the work short.
func (in ReplyIn) join(tokens int, limits []string) Reply {
	out := Reply{Steps: []Step{}, Confidence: levels[0]}
	for _, f := range in.Steps {
		out.Steps = append(out.Steps, f.Step)
		if f.Failed != "" {
			out.note(f.Source + ": " + f.Failed)
		}
		if levelOf(f.Confidence) == 0 {
			out.note(f.Note) // why it does not answer, such as a collection without an index
		}
	}
	var answers []string
	var citations [][]docs.Citation
	var references, places [][]string
	weakest, answered := len(levels)-1, 0
	for _, p := range in.Parts {
		best := in.bestFor(p)
		var texts []string
		for _, f := range append(in.likelierThan(best, p), best) {
			if texts = append(texts, f.Answer); levelOf(f.Confidence) > 0 {
				citations, references, places = append(citations, out.sendable(f.Citations)), append(references, f.References), append(places, f.Places)
				out.note(f.Note)
			}
		}
		answers = append(answers, strings.Join(texts, "\n\n"))
		if level := levelOf(best.Confidence); level > 0 {
			weakest = min(weakest, level)
			answered++
		}
	}
	switch {
	case answered == 0:
	case answered < len(in.Parts):
		out.Confidence = string(contract.Low)
	default:
		out.Confidence = levels[weakest]
	}
	out.Citations, out.References, out.Places = interleave(citations), contract.Dedupe(interleave(references)), interleave(places)
	var cut bool
	if out.Answer, cut = in.joinAnswers(answers, source.MaxAnswerBytes(tokens)); cut {
		out.Truncations = append(out.Truncations, "answer")
	}
	out.note(in.Note)
	if len(limits) > 0 {
		out.note("cut short by the limits of " + strings.Join(limits, ", "))
	}
	return out
}

// interleave joins lists by taking the first of each, then the second of each: what is cut at the end is of all of them.
func interleave[T comparable](lists [][]T) []T {
	out := []T{}
	for i, more := 0, true; more; i++ {
		more = false
		for _, list := range lists {
			if i < len(list) {
				more = true
				if !slices.Contains(out, list[i]) {
					out = append(out, list[i])
				}
			}
		}
	}
	return out
}

// joinAnswers joins the answers to the parts, each below its part if there are several. It cuts several to so many bytes
// together, so that egress, which cuts at the end, does not remove the last of them, and reports whether it cut any.
func (in ReplyIn) joinAnswers(answers []string, room int) (text string, cut bool) {
	switch len(answers) {
	case 0:
		return "There is nothing in this to look up.", false
	case 1:
		return answers[0], false
	}
	whole := make([]string, len(answers))
	for i, a := range answers {
		whole[i] = in.Parts[i].Text + "\n" + a
	}
	if text = strings.Join(whole, "\n\n"); len(text) <= room {
		return text, false
	}
	for i, a := range answers {
		share := max(room/(len(answers)-i), minShare)
		if len(whole[i]) > share {
			heading := contract.Shorten(in.Parts[i].Text, share/3)
			whole[i], cut = heading+"\n"+contract.Shorten(strings.TrimSpace(contract.Unworded(a)), share-len(heading)), true
		}
		room -= min(room, len(whole[i]))
	}
	return strings.Join(whole, "\n\n"), cut
}

// minShare is the minimum number of bytes of a part with its answer.
const minShare = 48

// sendable returns citations whose quotes are sent as they stand in their documents: egress breaks the tokens of chat
// templates, and removes control and invisible characters. A quote with such is cut to its longest part without, and
// left out if it has none.
func (r *Reply) sendable(list []docs.Citation) (out []docs.Citation) {
	for _, c := range list {
		if sanitize.Text(c.Quote) != c.Quote {
			from, to := longestClean(c.Quote)
			if from == to {
				r.note("a quote of " + c.URI + " cannot be sent as it stands, and is left out")
				continue
			}
			r.note("a quote of " + c.URI + " is cut to what can be sent as it stands")
			if c.Page > 0 {
				c.Page += strings.Count(c.Quote[:from], "\f")
			}
			c.Quote, c.Start, c.End = c.Quote[from:to], c.Start+from, c.Start+to
		}
		out = append(out, c)
	}
	return out
}

// longestClean returns the longest range of whole words that is sent as it stands; an empty one if there is none.
func longestClean(text string) (from, to int) {
	start, end := -1, 0 // of the current range
	for _, w := range word.FindAllStringIndex(text, -1) {
		if start < 0 || sanitize.Text(text[start:w[1]]) != text[start:w[1]] {
			start = w[0]
		}
		if end = w[1]; sanitize.Text(text[start:end]) != text[start:end] {
			start = -1
		} else if end-start > to-from {
			from, to = start, end
		}
	}
	return from, to
}

var word = lazyregexp.New(`\S+`)

// note adds a remark, unless it is empty or there already.
func (r *Reply) note(text string) {
	if text != "" && !slices.Contains(r.Notes, text) {
		r.Notes = append(r.Notes, text)
	}
}

// bestFor returns the step with the most confident answer to a part, the first of equals. If no step answers, the
// answer says so, with what is nearest in each source.
func (in ReplyIn) bestFor(p Planned) (best Found) {
	var nearest []string
	for _, f := range in.Steps {
		if f.Part != p.Text {
			continue
		}
		if levelOf(f.Confidence) > levelOf(best.Confidence) {
			best = f
		}
		if f.Answer != "" && !slices.Contains(nearest, f.Answer) {
			nearest = append(nearest, f.Answer)
		}
	}
	if levelOf(best.Confidence) > 0 {
		return best
	}
	best.Answer = strings.Join(nearest, "\n")
	switch {
	case best.Answer != "":
	case len(p.Sources) == 0:
		best.Answer = "There is no source that may be searched for this."
	case !slices.ContainsFunc(in.Steps, func(f Found) bool { return f.Part == p.Text }):
		best.Answer = "Not looked up."
	default:
		best.Answer = "No source answers this."
	}
	return best
}

// likelierThan returns what the likeliest source answers to a part, if best is another's. The confidence of one source says
// little about another: documents that answer with little confidence are nearer to a question for them than code that
// has its words.
func (in ReplyIn) likelierThan(best Found, p Planned) (out []Found) {
	for _, f := range in.Steps {
		if f.Part == p.Text && len(p.Sources) > 0 && f.Source == p.Sources[0] && f.Source != best.Source && levelOf(f.Confidence) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// View renders a reply for a person or a model: the answer, then what it rests on. A quote that the answer contains is
// not repeated.
func (r Reply) View(p *render.Page) {
	p.Paragraph("Answer", r.Answer)
	told := oneLine(r.Answer)
	var quotes []string
	for _, c := range r.Citations {
		text, quote := c.URI, oneLine(c.Quote)
		if c.Page > 0 {
			text += fmt.Sprintf(", page %d", c.Page)
		}
		if c.NoteID != "" {
			text += " (the user pinned this)"
		}
		if !strings.Contains(told, quote) {
			text += ": " + sanitize.Quote(quote)
		}
		if !slices.Contains(quotes, text) {
			quotes = append(quotes, text)
		}
	}
	p.List("Sources", quotes)
	p.Places(render.UnmentionedPlaces(r.Answer, r.References, r.Places))
	notes := slices.Clone(r.Notes)
	if len(r.Truncations) > 0 {
		notes = append(notes, "shortened to fit: "+strings.Join(r.Truncations, ", "))
	}
	p.List("Notes", notes)
	p.Line("\nconfidence " + r.Confidence + "\n")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
