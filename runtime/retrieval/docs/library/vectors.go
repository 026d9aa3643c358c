package library

import (
	"context"
	"fmt"
	"maps"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/vectors"
)

// Tier is a tier of vectors with the weight of its leg.
type Tier struct {
	vectors.Tier
	Weight float64
	Err    error // why it cannot be used, if it could not be opened
}

// Leg returns the name of the tier's leg, or "vectors" if it could not be opened.
func (t Tier) Leg() string {
	if t.Err != nil {
		return "vectors"
	}
	return t.Name()
}

// Vectored is the result of a run for a tier.
type Vectored struct {
	Tier    string `json:"tier"`
	Made    int    `json:"made"`    // passages
	Missing int    `json:"missing"` // passages without a vector
	Error   string `json:"error,omitempty"`
}

// embedAtOnce is the number of passages that a tier is asked for at a time. The next are read when
// their vectors are stored, so that a slow endpoint delays the run and does not fill its memory.
const embedAtOnce = 32

// keptTiers lists the tiers whose vectors stay; the list is empty, for all, if a tier cannot be used now.
func (r *run) keptTiers() (out []string) {
	for _, t := range r.Tiers {
		if t.Err != nil {
			return nil
		}
		out = append(out, t.ID())
	}
	return out
}

// vectorize asks each tier for the missing vectors of contents. If a tier fails, its vectors are
// left out: the run continues, and the next run asks for the rest.
func (r *run) vectorize(ctx context.Context) error {
	for _, t := range r.Tiers {
		if t.Err != nil {
			r.report.Vectors = append(r.report.Vectors, Vectored{Tier: t.Leg(), Error: t.Err.Error()})
			continue
		}
		start := r.Now()
		have, err := r.Shelf.Vectored(ctx, t.ID())
		if err != nil {
			return err
		}
		if r.opt.All {
			have = map[string]bool{}
		}
		v := &vectorizing{run: r, tier: t, have: have, said: Vectored{Tier: t.Name()}}
		err, fatal := v.vectorizeAll(ctx)
		if fatal != nil {
			return fatal
		}
		job := r.newJob(digest(t.ID()), Embed, "", start, err)
		switch {
		case err != nil:
			v.said.Error = err.Error()
			r.problems = append(r.problems, job) // it stays until it is repaired
		case v.said.Made > 0:
			r.jobs = append(r.jobs, job)
		}
		if err != nil || v.said.Made > 0 {
			r.report.Vectors = append(r.report.Vectors, v.said)
		}
	}
	return nil
}

// vectorizing is one tier of a run.
type vectorizing struct {
	*run
	tier  vectors.Tier
	have  map[string]bool
	said  Vectored
	done  int
	texts []string
	ends  []ending
	got   [][]float32
}

// ending is a content that ends at a number of texts.
type ending struct {
	content string
	at      int
}

// vectorizeAll goes through the documents. err is an error of the tier; an error of the shelf is fatal.
func (v *vectorizing) vectorizeAll(ctx context.Context) (err, fatal error) {
	for _, d := range v.docs {
		v.done += d.Chunks
		if v.have[d.Content] || d.Chunks == 0 {
			continue
		}
		if err != nil {
			v.said.Missing += d.Chunks
			continue
		}
		c, fatal := v.Shelf.Content(ctx, d.Content)
		if fatal != nil {
			return nil, fmt.Errorf("%s: %w", d.URI, fatal)
		}
		v.have[d.Content] = true
		for _, k := range c.Chunks {
			v.texts = append(v.texts, d.Title+"\n"+headingLines(d, k)+"\n"+c.Text[k.Start:k.End])
		}
		v.ends = append(v.ends, ending{d.Content, len(v.texts)})
		for err == nil && len(v.texts)-len(v.got) >= embedAtOnce {
			err, fatal = v.askTier(ctx)
			if fatal != nil {
				return err, fatal
			}
		}
		v.reportStep(Embed, v.done, v.report.Passages)
	}
	for err == nil && len(v.got) < len(v.texts) {
		if err, fatal = v.askTier(ctx); fatal != nil {
			return err, fatal
		}
	}
	v.said.Missing += len(v.texts)
	return err, nil
}

// askTier asks for some vectors, and stores the vectors of the contents that are now complete.
func (v *vectorizing) askTier(ctx context.Context) (err, fatal error) {
	some := v.texts[len(v.got):]
	got, err := v.tier.Passages(ctx, some[:min(len(some), embedAtOnce)])
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return err, nil
	}
	v.got = append(v.got, got...)
	whole, from := map[string]vectors.Rows{}, 0
	for len(v.ends) > 0 && v.ends[0].at-from <= len(v.got)-from && v.ends[0].at <= len(v.got) {
		end := v.ends[0]
		rows, err := vectors.NewRows(v.got[from:end.at])
		if err != nil {
			return err, nil
		}
		whole[end.content] = rows
		from, v.ends = end.at, v.ends[1:]
	}
	if from == 0 {
		return nil, nil
	}
	v.said.Made += from
	v.texts, v.got = v.texts[from:], v.got[from:]
	for i := range v.ends {
		v.ends[i].at -= from
	}
	return nil, v.Shelf.KeepVectors(ctx, v.tier.ID(), whole)
}

// table holds the vectors of one tier in memory.
type table struct {
	mark string
	*vectors.Table
}

// tierLegs returns the legs of the tiers that can be used, and the weights of all legs. A tier that
// takes no part gets a note and no weight.
func (at *loaded) tierLegs(ctx context.Context, v View, q Query, allow *index.Set) (legs []index.Leg, weights index.Weights, notes []string, err error) {
	if len(q.Tiers) == 0 {
		return nil, q.Weights, nil, nil
	}
	weights = maps.Clone(q.Weights)
	if weights == nil {
		weights = maps.Clone(at.index.Settings().Weights)
	}
	for _, t := range q.Tiers {
		if t.Weight <= 0 {
			continue
		}
		if t.Err != nil {
			notes = append(notes, t.Err.Error())
			continue
		}
		leg, note, err := at.tierLeg(ctx, v, t, q.Text, allow)
		if err != nil {
			return nil, nil, notes, err
		}
		if note != "" {
			notes = append(notes, note)
		}
		if leg != nil {
			legs = append(legs, leg)
			weights[t.Name()] = t.Weight
		}
	}
	return legs, weights, notes, nil
}

// tierLeg returns the leg of one tier, or nil if it takes no part; the note gives the reason.
func (at *loaded) tierLeg(ctx context.Context, v View, t Tier, text string, allow *index.Set) (leg index.Leg, note string, err error) {
	first := false
	if at.fewAllowed(allow) {
		if first, err = at.firstRequest(ctx, v, t); err != nil {
			return nil, "", err
		}
	}
	var vector []float32
	var parts []vectors.Part
	asked := func() string {
		vector, parts, err = t.Question(ctx, text)
		if err != nil && ctx.Err() == nil {
			return fmt.Sprintf("%s takes no part: %v", t.Name(), err)
		}
		return ""
	}
	var with Comparer
	if first {
		if with, err = v.Comparer(ctx, t.ID()); err != nil {
			return nil, "", err
		}
	}
	if with != nil {
		if note = asked(); note != "" || ctx.Err() != nil {
			return nil, note, ctx.Err()
		}
		c, err := at.compareInDatabase(ctx, v, t.ID(), with, vector, allow)
		if err != nil {
			return nil, "", err
		}
		if c != nil {
			return vectors.NewLeg(t.Name(), c, vector, parts), "", nil
		}
	}
	rows, err := at.tierRows(ctx, v, t)
	if err != nil {
		return nil, "", err
	}
	if rows.Table == nil || rows.Have == 0 {
		return nil, t.Name() + " takes no part: no passage has a vector yet; run compactor index", nil
	}
	if vector == nil {
		if note = asked(); note != "" || ctx.Err() != nil {
			return nil, note, ctx.Err()
		}
	}
	if len(vector) != rows.Dims {
		return nil, fmt.Sprintf("%s takes no part: the question has %d numbers and the passages %d; run compactor index reindex", t.Name(), len(vector), rows.Dims), nil
	}
	if missing := at.index.Len() - rows.Have; missing > 0 {
		note = fmt.Sprintf("%s: %d of %d passages have no vector yet; run compactor index", t.Name(), missing, at.index.Len())
	}
	return vectors.NewLeg(t.Name(), rows.Table, vector, parts), note, nil
}

// tierRows returns the vectors of a tier, and reads them if they have changed.
func (at *loaded) tierRows(ctx context.Context, v View, t Tier) (table, error) {
	id := t.ID()
	mark, err := v.VectorMark(ctx, id)
	if err != nil {
		return table{}, err
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	if known, ok := at.tables[id]; ok && known.mark == mark {
		return known, nil
	}
	of, err := v.Vectors(ctx, id)
	if err != nil {
		return table{}, err
	}
	out := table{mark: mark}
	for _, d := range at.docs {
		r, ok := of[d.Content]
		if !ok || r.Len() != d.Chunks {
			continue
		}
		if out.Table == nil {
			out.Table = vectors.NewTable(r.Dims, at.index.Len())
		}
		if r.Dims == out.Dims {
			out.Put(d.First, r)
		}
	}
	if at.tables == nil {
		at.tables = map[string]table{}
	}
	at.tables[id] = out
	return out, nil
}
