package coderank

import (
	"math"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// A Message is the text of a past commit and the files of the tree that it changed.
type Message struct {
	Text  string
	Files []string // paths as the ranking knows them
}

// Constants of history as evidence. They were fitted on commits of repositories in twelve
// languages, with every question asked of the tree and the history before it, and checked on
// others. The optimum is flat: most may change by half.
const (
	pastBody     = .4  // weight of a term in the body against one in the subject
	pastSpread   = .25 // a commit of n files counts n^-pastSpread for each of them
	pastNorm     = .7  // strength of the length normalization
	pastMost     = 30  // a commit of more source files says nothing about them
	pastAlike    = 20  // number of messages that vote
	pastVoteNorm = .4
	pastVoteK    = 1.2
)

// past holds what the repository's commit messages say about its files.
type past struct {
	said  map[string][]pastCount // by file
	votes map[string]float64     // by file, 1 for the most

	told []told  // messages that contain anything of the question
	df   []int   // number of these messages that contain a unit
	all  int     // number of messages, including those with nothing of the question
	mean float64 // mean number of words of a message
}

// countIn returns how much the messages say about a unit in a file.
func (p *past) countIn(file string, u unit) (pastCount, bool) {
	list := p.said[file]
	if i := slices.IndexFunc(list, func(c pastCount) bool { return c.unit == u }); i >= 0 {
		return list[i], true
	}
	return pastCount{}, false
}

type pastCount struct {
	unit unit
	m    float64
}

// Learn takes the messages of past commits as evidence of what files are about. It is called after
// a first Rank, and before Further and another Rank. The evidence moves files up and down; the
// confidence in an answer, and whether there is one, still depend on the tree alone. Learn reports
// whether the messages contain anything of the question.
func (r *Ranker) Learn(messages []Message) bool {
	if r.w.Past == 0 && r.w.PastVotes == 0 {
		return false
	}
	l := learner{ranker: r, m: newMatcher(r.plan), df: make([]int, r.plan.units)}
	for i := range messages {
		l.readMessage(&messages[i])
	}
	r.past = past{said: l.sumCounts(), told: l.counted, df: l.df, all: l.all, mean: l.mean()}
	return len(l.counted) > 0
}

// told is a message with the units of the question that it contains.
type told struct {
	files   []string
	subject []pastCount
	body    []pastCount
	words   int
}

type learner struct {
	ranker  *Ranker
	m       *matcher
	counted []told
	df      []int
	words   int
	all     int
}

// readMessage counts the question's own terms and pairs in a message.
func (l *learner) readMessage(msg *Message) {
	var files []string
	for _, f := range msg.Files {
		if IsSource(f) {
			files = append(files, f)
		}
	}
	if len(files) == 0 || len(files) > pastMost {
		return
	}
	subject, body, _ := strings.Cut(strings.TrimSpace(msg.Text), "\n")
	t := told{files: files}
	var n, k int
	t.subject, n = l.countUnits(subject)
	t.body, k = l.countUnits(proseOf(body))
	t.words = n + k
	l.all++
	l.words += t.words
	seen := map[unit]bool{}
	for _, c := range slices.Concat(t.subject, t.body) {
		if !seen[c.unit] {
			seen[c.unit] = true
			l.df[c.unit]++
		}
	}
	if len(seen) > 0 {
		l.counted = append(l.counted, t)
	}
}

func (l *learner) mean() float64 { return math.Max(1, float64(l.words)/math.Max(1, float64(l.all))) }

// countUnits counts the question's own units in a text, and the words of the text.
func (l *learner) countUnits(text string) (out []pastCount, words int) {
	words = l.m.find([]byte(text))
	for _, h := range l.m.hits {
		if !l.ranker.plan.isOwnUnit(h.unit) {
			continue
		}
		if i := slices.IndexFunc(out, func(c pastCount) bool { return c.unit == h.unit }); i >= 0 {
			out[i].m++
		} else {
			out = append(out, pastCount{h.unit, 1})
		}
	}
	return out, words
}

// isOwnUnit reports whether a unit is a term or a pair of the question itself, and not a synonym or an
// identifier.
func (p *plan) isOwnUnit(u unit) bool {
	switch {
	case int(u) < len(p.query.Terms):
		return p.query.Terms[u].Of < 0
	case int(u) >= p.pair0 && int(u) < p.surface0:
		q := p.query.Pairs[int(u)-p.pair0]
		return p.query.Terms[q.A].Of < 0 && p.query.Terms[q.B].Of < 0
	}
	return false
}

// sumCounts sums up what all messages say about each file.
func (l *learner) sumCounts() map[string][]pastCount {
	out := map[string][]pastCount{}
	add := func(file string, u unit, m float64) {
		list := out[file]
		if i := slices.IndexFunc(list, func(c pastCount) bool { return c.unit == u }); i >= 0 {
			list[i].m += m
			return
		}
		out[file] = append(list, pastCount{u, m})
	}
	for i := range l.counted {
		t := &l.counted[i]
		spread := math.Pow(float64(len(t.files)), -pastSpread)
		for _, f := range t.files {
			for _, c := range t.subject {
				add(f, c.unit, math.Min(c.m, 1)*spread)
			}
			for _, c := range t.body {
				add(f, c.unit, pastBody*c.m*spread)
			}
		}
	}
	return out
}

// castVotes lets the messages most like the question vote for their files.
func (r *Ranker) castVotes() {
	type voter struct {
		files []string
		score float64
	}
	var list []voter
	n := float64(max(r.past.all, 1))
	for i := range r.past.told {
		t := &r.past.told[i]
		tf := map[unit]float64{}
		var order []unit
		for _, c := range slices.Concat(t.subject, t.body) {
			if tf[c.unit] == 0 {
				order = append(order, c.unit)
			}
			tf[c.unit] += c.m
		}
		score, norm := 0.0, retrieval.Norm(pastVoteNorm, float64(t.words), r.past.mean)
		for _, u := range order {
			score += retrieval.IDF(n, float64(r.past.df[u])) * r.ownWeight(u) * retrieval.Saturate(tf[u]/norm, pastVoteK)
		}
		list = append(list, voter{t.files, score})
	}
	slices.SortStableFunc(list, func(a, b voter) int { return retrieval.Descending(a.score, b.score) })
	r.past.votes = map[string]float64{}
	most := 0.0
	for _, v := range list[:min(len(list), pastAlike)] {
		for _, f := range v.files {
			r.past.votes[f] += v.score * v.score / math.Sqrt(float64(len(v.files)))
			most = math.Max(most, r.past.votes[f])
		}
	}
	for f := range r.past.votes {
		r.past.votes[f] /= math.Max(most, 1e-9)
	}
}

// ownWeight returns the weight that the question gives to a term or a pair, whatever the tree holds.
func (r *Ranker) ownWeight(u unit) float64 {
	if int(u) < len(r.plan.query.Terms) {
		return r.termWeight(int(u))
	}
	return r.w.Pair
}

// pastTF returns what messages add to the occurrences of a unit in a file with this number of tokens.
func (r *Ranker) pastTF(c pastCount, tokens float64) float64 {
	return r.w.Past * c.m / retrieval.Norm(pastNorm, tokens, r.meanTokens)
}

// proseOf returns the body of a message without trailers, links and fenced code.
func proseOf(body string) string {
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(body) {
		t := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(t, "```"):
			fenced = !fenced
		case fenced || isTrailer(t):
		default:
			for _, w := range strings.Fields(t) {
				if !strings.Contains(w, "://") {
					b.WriteString(w + " ")
				}
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// isTrailer reports whether a line is a trailer such as "Signed-off-by: somebody".
func isTrailer(line string) bool {
	key, value, ok := strings.Cut(line, ": ")
	return ok && value != "" && strings.Contains(key, "-") && !strings.Contains(key, " ")
}

// pastRough returns what messages add to the rough score of a file. It counts each unit as if the
// file did not hold it, which is precise enough to get the file among the candidates.
func (r *Ranker) pastRough(f *counted) (score float64) {
	for _, c := range r.past.said[f.path] {
		score += r.unitWeights[c.unit] * retrieval.Saturate(r.pastTF(c, float64(f.tokens)), r.w.Saturation)
	}
	return score
}

// pastOnly returns the score of what messages say about a file and the file itself does not hold.
func (r *Ranker) pastOnly(d *document) (score float64) {
	for _, c := range r.past.said[d.path] {
		if !slices.ContainsFunc(d.counts, func(t counts) bool { return t.unit == c.unit }) {
			score += r.unitWeights[c.unit] * retrieval.Saturate(r.pastTF(c, d.lens[fieldBody]), r.w.Saturation)
		}
	}
	return score
}

// Further determines the candidates again, with the evidence learned since, and returns those that
// have not been read yet.
func (r *Ranker) Further(limit int) []string {
	read := map[string]bool{}
	for _, d := range r.docs {
		read[d.path] = true
	}
	return slices.DeleteFunc(r.Candidates(limit), func(path string) bool { return read[path] })
}
