package leads

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/errormsg"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// MessagesInput is the input of code.messages.
type MessagesInput struct {
	Question string `json:"question" doc:"an error, a panic, a warning or lines of a log, as they were pasted"`
	Tokens   int    `json:"tokens" doc:"tokens that the answer may have" default:"300" min:"50" max:"4000"`
}

// Messages returns code.messages, which explains where a message comes from: the literal in the
// code that produces it, the function around that, and the condition for it.
func Messages() catalog.Builtin {
	return catalog.New("code.messages", "find the code that makes a message, and when it does", catalog.Roots, explainMessages)
}

func explainMessages(ctx context.Context, env *catalog.Env, in MessagesInput) (contract.Result, error) {
	nothing := contract.NotFound("No literal in the code makes this message.")
	asked := errormsg.Read(in.Question)
	if len(asked) == 0 {
		return nothing, nil
	}
	h := newHunt(asked)
	files, err := h.files(ctx, env)
	if err != nil || len(files) == 0 {
		return nothing, err
	}
	origins, err := h.origins(ctx, env, files)
	if err != nil || len(origins) == 0 {
		return nothing, err
	}
	var sites []messageSite
	for _, o := range origins {
		found, err := sitesOf(ctx, env, o)
		if err != nil {
			return nothing, err
		}
		sites = addSites(sites, found)
	}
	if len(sites) == 0 {
		return nothing, nil
	}
	return tellMessage(ctx, env, sites, in.Tokens)
}

// origin is a literal that may have produced a message.
type origin struct {
	ref    string       // of the file
	src    *source.File // its content, set only for the best
	text   string       // of the literal
	line   int
	last   int // last line of the literal
	score  float64
	fit    errormsg.Fit
	said   errormsg.Message
	bucket coderank.Bucket
}

// These bound the answer for one message.
const (
	maxOrigins = 3
	maxSites   = 4
)

// nearBest is the share of the best literal's score that others must have.
const nearBest = .85

// origins matches the literals of the files against the messages and returns the best.
func (h *hunt) origins(ctx context.Context, env *catalog.Env, files []huntFile) ([]origin, error) {
	var all []origin
	for _, f := range files {
		root, rel, err := env.Roots.Resolve(f.ref)
		if err != nil {
			continue
		}
		data, _, err := source.ReadFile(ctx, env, root, rel, nil)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			continue // deleted since the search
		}
		bucket := coderank.BucketOf(f.ref, data[:min(len(data), 1024)])
		errormsg.Literals(symbols.Detect(rel, data), data, f.at, func(l errormsg.Literal) {
			for i, m := range h.asked {
				fit := l.Explain(m.Text)
				if !explains(fit, m) {
					continue
				}
				line, last := lineAt(data, l.Start), lineAt(data, l.End-1)
				all = append(all, origin{ref: f.ref, text: strings.Join(l.Pieces, "…"), line: line, last: last, fit: fit, said: m, bucket: bucket,
					score: fit.Score() * bucketTrust(bucket) * fade(i) * raisedHere(data, l, m)})
			}
		})
	}
	all = bestOrigins(liftNeighbours(all))
	for i := range all { // only these few files are parsed
		src, err := source.Load(ctx, env, all[i].ref)
		if err != nil {
			return all[:i], ctx.Err()
		}
		all[i].src = src
	}
	return all, nil
}

// liftNeighbours raises the score of literals that are close to one matching another part of the
// pasted text: a summary and its detail are two literals.
func liftNeighbours(all []origin) []origin {
	const near = 10 // lines
	all = all[:min(len(all), 2000)]
	sums := make([]float64, len(all))
	for i, a := range all {
		beside := 0.0
		for _, b := range all {
			if a.ref == b.ref && a.said.Text != b.said.Text && a.line != b.line && max(a.line-b.line, b.line-a.line) <= near {
				beside = max(beside, b.score)
			}
		}
		sums[i] = a.score + beside/2
	}
	for i := range all {
		all[i].score = sums[i]
	}
	return all
}

// explains reports whether a literal covers enough of a message to be its source.
func explains(f errormsg.Fit, m errormsg.Message) bool {
	if f.Letters >= 30 && f.Whole >= .95 {
		return true // the first sentence of a longer message
	}
	if m.Sure {
		return f.Letters >= 10 && f.Of >= .55 && f.Whole >= .25 || f.Whole >= .9 && f.Of >= .9
	}
	return f.Letters >= 20 && f.Of >= .75 && f.Whole >= .6 || f.Letters >= 24 && f.Of >= .95 && f.Whole >= .3
}

// bucketTrust weighs literals by the kind of their file: tests repeat whole messages.
func bucketTrust(b coderank.Bucket) float64 {
	switch b {
	case coderank.Test, coderank.Docs, coderank.Vendored, coderank.Generated:
		return .3
	}
	return 1
}

// raisedHere raises the score of a literal near the name of the exception.
func raisedHere(data []byte, l errormsg.Literal, m errormsg.Message) float64 {
	const around = 160 // bytes
	if m.Raised != "" && bytes.Contains(data[max(0, l.Start-around):min(len(data), l.End+around/2)], []byte(m.Raised)) {
		return 1.2
	}
	return 1
}

// fade lets later messages of the pasted text count less.
func fade(i int) float64 { return 1 / (1 + .1*float64(i)) }

// bestOrigins keeps the literals that score nearly as well as the best one.
func bestOrigins(all []origin) []origin {
	slices.SortStableFunc(all, func(a, b origin) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.ref, b.ref), cmp.Compare(a.line, b.line))
	})
	n := 0
	for n < len(all) && n < maxOrigins && all[n].score >= nearBest*all[0].score {
		n++
	}
	return all[:n]
}

// lineAt returns the 1-based line of a byte offset.
func lineAt(data []byte, at int) int {
	n := 1
	for _, c := range data[:min(at, len(data))] {
		if c == '\n' {
			n++
		}
	}
	return n
}

// addSites appends the places that are not in the list yet.
func addSites(to []messageSite, more []messageSite) []messageSite {
	for _, s := range more {
		same := func(o messageSite) bool {
			return o.src.Ref == s.src.Ref && (o.line == s.line || o.def.Line == s.def.Line && s.def.Line > 0)
		}
		if len(to) < maxSites && !slices.ContainsFunc(to, same) {
			to = append(to, s)
		}
	}
	return to
}

// messageSite is a place in the code that raises, logs or returns a message.
type messageSite struct {
	src    *source.File
	line   int // raises it
	last   int // of its statement
	def    symbols.Def
	holder *holder // what holds the text, if the place only names that
	fit    errormsg.Fit
	said   errormsg.Message
}

// holder is a constant, a type or a catalogue entry that holds the text.
type holder struct {
	name string
	ref  string
	text string
}
