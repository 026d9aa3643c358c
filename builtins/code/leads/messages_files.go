package leads

import (
	"cmp"
	"context"
	"errors"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/lang/errormsg"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/retrieval/match"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// These bound the search for a literal.
const (
	huntWords   = 63  // words of the messages by which files are selected, a bit of a mask each
	huntRuns    = 56  // pairs of words, and words, that are searched in these files
	huntRead    = 160 // files that are searched
	huntParsed  = 12  // files whose literals are parsed
	huntHits    = 512 // matching lines of one file
	huntNear    = 8   // lines over which one message may be spread
	maxHuntLine = 4096
)

// hunt searches for the literals of messages.
type hunt struct {
	asked []errormsg.Message
	words []string
	runs  []string
	worth []float64 // parallel to runs
}

func newHunt(asked []errormsg.Message) *hunt {
	h := &hunt{asked: asked}
	for _, m := range asked {
		words, runs := errormsg.Words(m.Text)
		for _, w := range words {
			if len(h.words) < huntWords && len(w) <= 40 && !slices.Contains(h.words, w) {
				h.words = append(h.words, w)
			}
		}
		for _, w := range words { // a word between two values is in no pair
			if len(w) >= 5 {
				runs = append(runs, w)
			}
		}
		for _, r := range runs {
			if !slices.Contains(h.runs, r) {
				h.runs = append(h.runs, r)
			}
		}
	}
	return h
}

// huntFile is a file that may hold a literal, and the offsets where.
type huntFile struct {
	ref   string
	at    []int
	score float64
}

// catalogues are the extensions of message files that belong to no supported language.
var catalogues = map[string]bool{".properties": true, ".resx": true, ".po": true, ".strings": true, ".ftl": true, ".xlf": true}

// files returns the files that have the rarest neighbouring words of the messages close together,
// best first.
func (h *hunt) files(ctx context.Context, env *catalog.Env) ([]huntFile, error) {
	var out []huntFile
	for _, root := range env.Roots.Roots() {
		known, err := source.SurveyRoot(ctx, env, root)
		if err != nil {
			return nil, err
		}
		list := h.chooseFiles(env, root, known)
		if len(list) == 0 || len(h.runs) == 0 {
			continue
		}
		found, err := h.searchFiles(ctx, env, root, list)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	slices.SortStableFunc(out, func(a, b huntFile) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.ref, b.ref)) })
	out = out[:min(len(out), huntParsed)]
	n := 0
	for n < len(out) && out[n].score >= out[0].score*.45 {
		n++
	}
	return out[:n], nil
}

// chooseFiles selects the files that may contain most of the messages' words, especially rare ones,
// and weighs the runs by the rarity of their words. Words that no file contains are taken for
// values.
func (h *hunt) chooseFiles(env *catalog.Env, root *sandbox.Root, known *source.Survey) []sandbox.Entry {
	n := len(known.Files)
	holds := make([]uint64, n)
	df := make([]int, len(h.words))
	blind := 0
	for i, f := range known.Files {
		lang := symbols.Language(f.Path)
		if lang == "" && !catalogues[path.Ext(f.Path)] {
			continue
		}
		if len(known.Words[i]) == 0 {
			holds[i] = 1 << 63 // its words are unknown
			blind++
			continue
		}
		for k, w := range h.words {
			if known.Words[i].May(w) {
				holds[i] |= 1 << k
				df[k]++
			}
		}
	}
	idf := func(k int) float64 {
		if df[k] == 0 && blind == 0 {
			return 0
		}
		return math.Log(1 + float64(n-blind+1)/float64(1+df[k]))
	}
	h.weigh(idf)
	type choice struct {
		at  int
		sum float64
	}
	var list []choice
	top := 0.0
	for i, mask := range holds {
		if mask == 0 {
			continue
		}
		c := choice{at: i}
		for k := range h.words {
			if mask>>k&1 == 1 {
				c.sum += idf(k)
			}
		}
		if mask>>63 == 1 {
			c.sum = math.Inf(1)
		} else {
			top = max(top, c.sum)
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b choice) int { return cmp.Or(cmp.Compare(b.sum, a.sum), cmp.Compare(a.at, b.at)) })
	var out []sandbox.Entry
	room := huntRead
	for _, c := range list {
		f := known.Files[c.at]
		if c.sum < top*.3 {
			break
		}
		switch coderank.BucketOf(env.Roots.Ref(root, f.Path), nil) {
		case coderank.Test, coderank.Docs, coderank.Vendored, coderank.Generated:
			continue
		}
		if !math.IsInf(c.sum, 1) {
			if room--; room < 0 {
				break
			}
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b sandbox.Entry) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// weigh keeps the rarest runs whose words the tree may contain, rarest first.
func (h *hunt) weigh(idf func(int) float64) {
	rarity := map[string]float64{}
	for k, w := range h.words {
		rarity[w] = idf(k)
	}
	type run struct {
		text  string
		worth float64
	}
	var list []run
	for _, r := range h.runs {
		words, _ := errormsg.Words(r)
		worth, gone := .2, false
		for _, w := range words {
			v, ok := rarity[w]
			gone = gone || ok && v == 0
			worth += v
		}
		if len(words) == 1 && words[0] == r {
			worth *= .4
		}
		if !gone {
			list = append(list, run{r, worth})
		}
	}
	slices.SortStableFunc(list, func(a, b run) int { return cmp.Compare(b.worth, a.worth) })
	h.runs, h.worth = h.runs[:0:0], nil
	size := 0
	for _, r := range list {
		if size += len(r.text); len(h.runs) == huntRuns || size > match.MaxLiteralBytes {
			break
		}
		h.runs, h.worth = append(h.runs, r.text), append(h.worth, r.worth)
	}
}

// searchFiles searches the files for the runs.
func (h *hunt) searchFiles(ctx context.Context, env *catalog.Env, root *sandbox.Root, list []sandbox.Entry) ([]huntFile, error) {
	if len(h.runs) == 0 {
		return nil, nil
	}
	m, err := match.Any(h.runs, match.Options{})
	if err != nil {
		return nil, err
	}
	found := make([]huntFile, len(list))
	scanners := make([]*match.Scanner, source.CountWorkers(env))
	for i := range scanners {
		scanners[i] = m.NewScanner()
	}
	visit := sandbox.Visitor{Read: func(w, i int, e sandbox.Entry, data []byte, _ sandbox.Version) {
		found[i] = h.scanRuns(ctx, scanners[w], data)
		found[i].ref = env.Roots.Ref(root, e.Path)
	}}
	_, err = root.ScanVersions(ctx, list, len(scanners), visit)
	if err := errors.Join(err, ctx.Err()); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(f huntFile) bool { return f.score == 0 }), nil
}

// runHit is an occurrence of a run in a line.
type runHit struct{ line, at, run int }

// scanRuns finds the runs in a file, and scores its best range of lines.
func (h *hunt) scanRuns(ctx context.Context, s *match.Scanner, data []byte) huntFile {
	var hits []runHit
	lines := 0
	_ = s.Lines(ctx, data, func(l match.Line) bool { // the scan itself notices a cancelled context
		text := string(data[l.Start:min(l.End, l.Start+maxHuntLine)])
		for i, r := range h.runs {
			if at := strings.Index(text, r); at >= 0 {
				hits = append(hits, runHit{l.Number, l.Start + at, i})
			}
		}
		lines++
		return lines < huntHits
	})
	var f huntFile
	sum := make([]float64, len(hits))
	for i := range hits {
		var seen uint64
		for j := i; j < len(hits) && hits[j].line-hits[i].line <= huntNear; j++ {
			if bit := uint64(1) << hits[j].run; seen&bit == 0 {
				seen |= bit
				sum[i] += h.worth[hits[j].run]
			}
		}
		f.score = max(f.score, sum[i])
	}
	for i, hit := range hits {
		if sum[i] >= f.score*.4 {
			f.at = append(f.at, hit.at)
		}
	}
	slices.Sort(f.at)
	return f
}
