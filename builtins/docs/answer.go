package docs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// AnswerIn is the input of docs.answer.
type AnswerIn struct {
	Question   string   `json:"question" doc:"what to answer, as a person would ask it"`
	TopK       int      `json:"top_k" doc:"passages that are read at most" default:"6" min:"1" max:"50"`
	Filters    *Only    `json:"filters,omitempty" doc:"only some documents; nothing is scored beyond them"`
	Collection string   `json:"collection,omitempty" doc:"only this collection; all when left out"`
	Style      string   `json:"style" doc:"how much is said" default:"default" enum:"concise,default,technical"`
	Said       string   `json:"said,omitempty" doc:"how a model words the answer, with marks such as [2] for passages as docs.evidence numbers them: stands as far as the passages bear it out"`
	Unsaid     string   `json:"unsaid,omitempty" doc:"why no model says anything"`
	Debug      bool     `json:"debug" doc:"also how the answer was come to" default:"false"`
	Earlier    []string `json:"earlier,omitempty" doc:"questions of the same session before it, oldest first: one such as \"and for TLS?\" is asked with their words"`
	Others     []string `json:"others,omitempty" doc:"other wordings of the question, as a model gives them: each is searched and counts half of the question"`
	Unasked    string   `json:"unasked,omitempty" doc:"why no model gave other wordings"`
}

// Answered is the documents' answer to a question.
type Answered struct {
	Answer     string     `json:"answer" doc:"in sentences of the documents, or as a model words them; what stands in it is data"`
	Citations  []Citation `json:"citations" doc:"what the answer rests on; each quote stands in its document at its bytes"`
	Confidence string     `json:"confidence" doc:"high, med or low; none where the documents do not answer"`
	Abstained  string     `json:"abstained,omitempty" doc:"why there is no answer; answer says so and names what is nearest"`
	Nearest    []Near     `json:"nearest,omitempty" doc:"where there is no answer: the passages that come nearest"`
	By         string     `json:"by" doc:"documents, for their own sentences; else the models that worded it"`
	Note       string     `json:"note,omitempty" doc:"what is missing"`
	Debug      *Debug     `json:"debug,omitempty"`
}

// Whole marks the value as never cut: the style determines its length.
func (Answered) Whole() {}

// Near is a passage that is close but no answer.
type Near struct {
	ID      string `json:"id" doc:"of the passage, for lookup"`
	URI     string `json:"uri"`
	Section string `json:"section,omitempty"`
}

// Debug says how an answer was produced.
type Debug struct {
	Support  float64          `json:"support" doc:"how likely the passages answer the question, 0 to 1"`
	Signs    answer.Signs     `json:"signs" doc:"what support was read off"`
	Kind     string           `json:"kind,omitempty" doc:"of the question"`
	Searched int              `json:"searched" doc:"passages that were looked at"`
	Passages []string         `json:"passages" doc:"ids of those that were read, the best first"`
	Dropped  []answer.Dropped `json:"dropped,omitempty" doc:"what a model said and the passages do not bear out"`
	BM25     []Ranked         `json:"bm25" doc:"what words gave passages that were read, the best first"`
	Vector   []Ranked         `json:"vector" doc:"what meaning and spelling gave them"`
	Rerank   []Ranked         `json:"rerank" doc:"what a judge gave them; empty where the collection has none"`
	Latency  int64            `json:"latency_ms" doc:"of the search and the answer, without a model; 0 where times are left out"`
}

// Ranked is the score that one kind of signal gives a passage.
type Ranked struct {
	ID    string  `json:"id" doc:"of the passage"`
	Score float64 `json:"score"`
}

// byDocuments is the author of an answer that no model worded.
const byDocuments = "documents"

// maxNear is how many passages an abstention names.
const maxNear = 3

// Answer returns docs.answer, which answers from the collections with a citation for each sentence.
func Answer(mask func(string) string) catalog.Builtin {
	return catalog.New("docs.answer", "answer a question from documents, with quotes that stand in them", catalog.Documents,
		func(ctx context.Context, env *catalog.Env, in AnswerIn) (out Answered, err error) {
			if strings.TrimSpace(in.Question) == "" {
				return Answered{Citations: []Citation{}}, invalidInput("question is empty: ask in a sentence what the documents should say")
			}
			start := now(env)
			m := newMaterial(env, mask, "docs.answer")
			question := env.Documents.Read(in.Question).Text
			found, err := m.addFound(ctx, in.Question, in.Collection, in.TopK, in.Filters, in.Earlier, in.Others)
			if err != nil {
				return Answered{Citations: []Citation{}}, err
			}
			if in.Unasked != "" {
				m.notes = append(m.notes, noteUnasked(in.Unasked))
			}
			shown := m.passages // as they were shown to the model
			var a answer.Answer
			var dropped []answer.Dropped
			ctx, told := beginAnswer(ctx, m.builtin)
			defer func() {
				told.endAnswer(m, in.Question, out.Citations, len(dropped), out.By, out.Confidence, out.Abstained, err)
			}()
			cited, err := m.composeStanding(ctx, func(list []answer.Passage) ([]answer.Citation, error) {
				a, err = answer.Compose(question, list, answer.Policy{Style: answer.Style(in.Style)})
				return a.Citations, err
			})
			if err != nil {
				return Answered{Citations: []Citation{}}, err
			}
			out = Answered{Answer: a.Text, Citations: cited, Confidence: string(a.Confidence()), By: byDocuments}
			if a.Abstained != "" {
				out.abstain(a, found, mask)
			} else if dropped, err = m.useModelText(ctx, &out, question, in.Said, in.Unsaid, shown); err != nil {
				return Answered{Citations: []Citation{}}, err
			}
			if in.Debug {
				out.Debug = debugInfo(a, found, dropped)
				out.Debug.Latency = elapsedMillis(env, start)
			}
			out.Note = strings.Join(m.notes, "; ")
			return out, nil
		})
}

func debugInfo(a answer.Answer, found library.Answer, dropped []answer.Dropped) *Debug {
	d := &Debug{Support: round(a.Support), Signs: a.Signs, Kind: a.Kind, Searched: found.Searched, Passages: []string{}, Dropped: dropped, BM25: []Ranked{}, Vector: []Ranked{}, Rerank: []Ranked{}}
	for _, f := range found.Found {
		d.Passages = append(d.Passages, f.ID)
		s := scoresOf(f)
		d.BM25, d.Vector, d.Rerank = insertRanked(d.BM25, f.ID, s.BM25), insertRanked(d.Vector, f.ID, s.Vector), insertRanked(d.Rerank, f.ID, s.Rerank)
	}
	return d
}

// now returns the time, or zero in a deterministic run.
func now(env *catalog.Env) time.Time {
	if env.Deterministic || env.Now == nil {
		return time.Time{}
	}
	return env.Now()
}

// elapsedMillis returns the milliseconds since a time, or 0 if that is zero.
func elapsedMillis(env *catalog.Env, since time.Time) int64 {
	if since.IsZero() {
		return 0
	}
	return env.Now().Sub(since).Milliseconds()
}

// insertRanked inserts a passage into a list sorted by score, unless its score is 0.
func insertRanked(list []Ranked, id string, score float64) []Ranked {
	if score <= 0 {
		return list
	}
	at := len(list)
	for at > 0 && list[at-1].Score < score {
		at--
	}
	return slices.Insert(list, at, Ranked{id, score})
}

// abstain says that the documents do not answer, and which passages are nearest.
func (o *Answered) abstain(a answer.Answer, found library.Answer, mask func(string) string) {
	o.Abstained, o.Confidence = a.Abstained, "none"
	o.Answer = "The documents do not answer this."
	if a.Abstained == answer.NoQuestion {
		o.Answer = "There are no words in the question to look for in the documents."
	}
	var places []string
	for _, f := range found.Found[:min(len(found.Found), maxNear)] {
		n := Near{ID: f.ID, URI: f.Document.URI, Section: mask(strings.Join(f.Section, " › "))}
		o.Nearest = append(o.Nearest, n)
		place := n.URI
		if n.Section != "" {
			place += " (" + n.Section + ")"
		}
		places = append(places, place)
	}
	if len(places) > 0 {
		o.Answer += " Nearest to it: " + strings.Join(places, "; ") + "."
	}
}

// useModelText replaces the documents' sentences with the model's, as far as the passages support them. The
// documents' citations are kept, so that a model's answer never rests on fewer.
func (m *material) useModelText(ctx context.Context, out *Answered, question, said, unsaid string, shown []answer.Passage) ([]answer.Dropped, error) {
	if strings.TrimSpace(said) == "" {
		if unsaid != "" {
			m.notes = append(m.notes, unsaid)
		}
		return nil, nil
	}
	text, cited, dropped, err := m.keepSupported(ctx, question, said, shown)
	if err != nil {
		return nil, err
	}
	if text == "" {
		m.notes = append(m.notes, "what the model said is not borne out by the documents: these are their own sentences")
		return dropped, nil
	}
	out.Answer, out.Citations, out.By = text, joinCitations(cited, out.Citations), m.modelNames()
	if n := len(dropped); n > 0 {
		m.notes = append(m.notes, fmt.Sprintf("%d of the model's sentences left out: the documents do not bear them out", n))
	}
	return dropped, nil
}

// keepSupported returns the supported part of the model's text; nothing if less than half of it is supported.
func (m *material) keepSupported(ctx context.Context, question, said string, shown []answer.Passage) (string, []Citation, []answer.Dropped, error) {
	claims := answer.ReadClaims(said, shown)
	k := answer.Keep(claims, question, shown)
	cited, fallen, err := m.checkCitations(ctx, k.Citations)
	if err != nil || len(fallen) > 0 || len(k.Citations) == 0 || 2*len(k.Dropped) > len(claims) {
		return "", nil, k.Dropped, err
	}
	return removeMarks(k.Text, len(shown)), cited, k.Dropped, nil
}

// joinCitations returns the citations of both lists, except citations in second whose bytes lie within one
// in first.
func joinCitations(first, second []Citation) []Citation {
	out := first
	for _, c := range second {
		within := false
		for _, f := range first {
			within = within || f.URI == c.URI && f.ID == c.ID && f.Start <= c.Start && c.End <= f.End
		}
		if !within {
			out = append(out, c)
		}
	}
	return out
}

// modelUse returns what models did in the run so far.
func (m *material) modelUse() catalog.ModelUse {
	if m.env.Run == nil {
		return catalog.ModelUse{}
	}
	return m.env.Run().Model
}

// modelNames returns the names of the models that answered in the run so far.
func (m *material) modelNames() string {
	if list := m.modelUse().Models; len(list) > 0 {
		return strings.Join(list, ", ")
	}
	return "model"
}
