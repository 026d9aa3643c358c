package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/schema"
)

// assist lets a model improve on what the builtins found, in a few one-shot
// questions. The result holds everything that it held without the model, in the
// same order but for one reference that may rise: a model that is wrong, slow
// or malicious costs time and never the answer. Where the role's bounds are full,
// one that only the model's words found takes the place of the last.
func (t *turn) assist(ctx context.Context, found contract.Result) (contract.Result, error) {
	task := taskOf(t.role.Task.Name)
	if len(found.References) == 0 && len(found.KeyFindings) == 0 {
		if task.name == "choose" {
			return t.elsewhere(ctx, found)
		}
		return found, nil // nothing to explain or to answer from
	}
	list := candidatesOf(found)
	if task.name == "choose" {
		list = t.widen(ctx, found, list)
	}
	list = t.explore(ctx, found, list)
	part := list
	if task.name == "explain" { // what is to be explained; the others only surround it
		part = list[:1]
	}
	show(ctx, t.role, t.extra, part, linesFor(part))
	points, g, err := t.points(ctx, task, list)
	if err != nil {
		return found, err
	}
	out := clone(found)
	if t.unexplored != "" {
		out.Note("answered without looking around: " + t.unexplored)
	}
	if task.name == "choose" {
		return out, t.choose(ctx, &out, list, points, g)
	}
	t.tellInWords(&out, list, points, g)
	return out, nil
}

// elsewhere says what is near where nothing was found.
func (t *turn) elsewhere(ctx context.Context, found contract.Result) (contract.Result, error) {
	near, err := t.nearest(ctx, found)
	out := t.further(ctx, near)
	if err != nil && out.Summary == found.Summary {
		return found, err
	}
	return out, nil
}

// linesFor is how many lines of text are fetched for each candidate: one is
// shown whole, of many the beginning.
func linesFor(list []candidate) int {
	return max(160/max(len(list), 1), 16)
}

// points puts the candidates before the model and reads what it says of them.
func (t *turn) points(ctx context.Context, task task, list []candidate) ([]point, *grounds, error) {
	n := 0
	shown := ""
	value, err := t.ask(ctx, func(room int) (string, *schema.Schema) {
		question := shortened(t.question, room/4)
		rest := task.question(question, fence("", question))
		shown, n = pack(list, room-roughly(rest, t.role.Prompt.Source, rules))
		return task.question(question, fence(shown, question)), task.shape(n)
	}, task.in, task.out)
	if err != nil {
		return nil, nil, err
	}
	points := task.points(value, n)
	return points, newGrounds(t.question, strings.Join([]string{t.role.Prompt.Source, rules, task.ask, task.example()}, "\n"), shown), nil
}

// choose notes why candidates fit and lets one rise.
func (t *turn) choose(ctx context.Context, out *contract.Result, list []candidate, points []point, g *grounds) error {
	for _, p := range points {
		c, note := &list[p.ID], t.claim(g, p.Note, noteMost)
		if c.New && c.Head == "" && note != "" { // nothing else says what it is
			c.Head = strings.TrimSuffix(note, ".") + " (" + c.Ref + ")"
		}
		t.annotate(out, *c, note)
	}
	if len(points) == 0 || points[0].ID == 0 || out.Confidence == contract.High {
		return nil
	}
	pick := points[0].ID
	if list[pick].Ref == "" || !t.confirmed(ctx, list, pick) {
		return nil
	}
	rise(out, list[pick])
	return nil
}

// confirmed asks again about the picked candidate among the first of the
// ranking, at another place than before and neither first nor last. A model that
// goes by the place in the list and not by what stands there does not pick the
// same one twice.
func (t *turn) confirmed(ctx context.Context, list []candidate, pick int) bool {
	var few []candidate
	for i := range list {
		if i != pick && len(few) < 3 {
			few = append(few, list[i])
		}
	}
	slices.Reverse(few)
	at := 1
	if pick == 1 {
		at = 2
	}
	few = slices.Insert(few, min(at, len(few)), list[pick])
	points, _, err := t.points(ctx, choosing, few)
	return err == nil && len(points) > 0 && few[points[0].ID].Ref == list[pick].Ref
}

// rise puts a reference, with its finding, to the front; one that only the
// model's own words found comes behind the third.
func rise(out *contract.Result, c candidate) {
	to := 0
	if c.New {
		to = min(3, len(out.References))
	}
	out.References = moved(out.References, c.Ref, to)
	for _, f := range out.KeyFindings {
		if mentions(f, c.Ref) {
			out.KeyFindings = moved(out.KeyFindings, f, min(to, len(out.KeyFindings)-1))
			return
		}
	}
	if c.Head != "" {
		out.KeyFindings = moved(out.KeyFindings, c.Head, min(to, len(out.KeyFindings)))
	}
}

// moved is list with s at place to, whether it was there before or not. It
// never moves one down.
func moved(list []string, s string, to int) []string {
	at := slices.Index(list, s)
	if at >= 0 && at <= to {
		return list
	}
	if at >= 0 {
		list = slices.Delete(slices.Clone(list), at, at+1)
	}
	return slices.Insert(slices.Clone(list), min(to, len(list)), s)
}

// annotate adds to a candidate's finding why it fits, where that says more than
// the finding does.
func (t *turn) annotate(out *contract.Result, c candidate, note string) {
	if note == "" || c.Ref == "" {
		return
	}
	for i, f := range out.KeyFindings {
		if !mentions(f, c.Ref) {
			continue
		}
		if long := f + " — " + note; news(note, f+" "+t.question) && (t.role.Bounds["key_findings"].Bytes == 0 || len(long) <= t.role.Bounds["key_findings"].Bytes) {
			out.KeyFindings[i] = long
		}
		return
	}
}

// news reports whether a note says at least two things that a text does not: the
// question said back is none.
func news(note, text string) bool {
	have := newGrounds("", "", text)
	fresh := 0
	for _, w := range wordsOf(note) {
		if !fillers[w] && !have.stems[stem(w)] {
			fresh++
		}
	}
	return fresh >= 2
}

// tellInWords puts the model's sentences behind the summary, each with the
// place that shows it.
func (t *turn) tellInWords(out *contract.Result, list []candidate, points []point, g *grounds) {
	for _, p := range points {
		text := t.claim(g, p.Note, noteMost)
		if text == "" || strings.Contains(out.Summary, text) || !news(text, out.Summary+" "+t.question) {
			continue
		}
		if ref := list[p.ID].Ref; ref != "" && !strings.Contains(text, ref) {
			text = strings.TrimSuffix(text, ".") + " (" + ref + ")."
		}
		if most := t.role.Bounds["summary"].Bytes; most > 0 && len(out.Summary)+1+len(text) > most {
			continue
		}
		out.Summary = strings.TrimSpace(out.Summary + " " + text)
	}
}

// claim is a model's sentence as it may leave; one that may not is counted.
func (t *turn) claim(g *grounds, text string, most int) string {
	out := g.claim(t.mask(text), most)
	if out == "" && strings.TrimSpace(text) != "" {
		t.env.Tally.Add(func(u *catalog.ModelUse) { u.Dropped++ })
	}
	return out
}

func clone(r contract.Result) contract.Result {
	r.References, r.KeyFindings = slices.Clone(r.References), slices.Clone(r.KeyFindings)
	return r
}
