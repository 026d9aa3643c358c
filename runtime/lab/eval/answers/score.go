package answers

import "strings"

// Result is a case with the outcome of its reply. Pointers are nil if a measure is undefined:
// hits without gold, honesty of an answerable case.
type Result struct {
	ID         string   `json:"id"`
	Kind       string   `json:"kind"`
	Repo       string   `json:"repo,omitempty"`
	Question   string   `json:"question"`
	Reply      string   `json:"reply"`
	Confidence string   `json:"confidence,omitempty"`
	Tokens     int      `json:"tokens"`
	Seconds    float64  `json:"seconds,omitempty"`
	Failed     string   `json:"failed,omitempty"`
	Nuggets    *float64 `json:"nuggets,omitempty"`
	Answered   *float64 `json:"answered,omitempty"`
	Hit1       *float64 `json:"hit1,omitempty"`
	Hit3       *float64 `json:"hit3,omitempty"`
	Hit5       *float64 `json:"hit5,omitempty"`
	Honest     *float64 `json:"honest,omitempty"`
	Denied     *float64 `json:"denied,omitempty"`
	Forbidden  []string `json:"forbidden,omitempty"`
	Missed     []string `json:"missed,omitempty"` // facts that the reply does not say
}

// enough is the least share of the facts with which a question counts as answered.
const enough = 0.75

// Score scores a reply to a case. known reports whether a path is a file of the tree that was
// asked about.
func Score(c Case, r Reply, known func(path string) bool) Result {
	r.findReferences(known)
	out := Result{ID: c.ID, Kind: c.Kind, Repo: c.Repo, Question: c.Question, Reply: r.Text, Confidence: r.Confidence,
		Tokens: r.Tokens, Seconds: r.Seconds, Failed: r.Failed}
	for _, f := range c.Forbidden {
		if r.countSaid(f.Match) > 0 {
			out.Forbidden = append(out.Forbidden, f.Why)
		}
	}
	if !c.answerable() {
		out.Honest = boolShare(r.Failed == "" && r.denies())
		return out
	}
	out.Denied = boolShare(r.Failed != "" || r.denies())
	if len(c.Nuggets) > 0 {
		out.scoreNuggets(c.Nuggets, &r)
	}
	if len(c.Gold) > 0 {
		out.scoreHits(c.Gold, &r)
	}
	return out
}

// scoreNuggets measures which of the facts the reply says.
func (out *Result) scoreNuggets(list []Nugget, r *Reply) {
	said, all := 0.0, 0.0
	for _, n := range list {
		weight := n.Weight
		if weight == 0 {
			weight = 1
		}
		all += weight
		if r.countSaid(n.Need) >= max(n.Min, 1) {
			said += weight
			continue
		}
		why := strings.Join(n.Need, " | ")
		if n.Why != "" {
			why = n.Why + ": " + why
		}
		out.Missed = append(out.Missed, why)
	}
	recall := said / all
	out.Nuggets, out.Answered = &recall, boolShare(recall >= enough)
}

// scoreHits measures how early a right place is named.
func (out *Result) scoreHits(gold []string, r *Reply) {
	first := 1 << 30
	for i, ref := range r.refs {
		for _, g := range gold {
			if ref.pointsInto(parsePlace(g)) {
				first = min(first, i+1)
			}
		}
	}
	out.Hit1, out.Hit3, out.Hit5 = boolShare(first <= 1), boolShare(first <= 3), boolShare(first <= 5)
}

func boolShare(yes bool) *float64 {
	v := 0.0
	if yes {
		v = 1
	}
	return &v
}

// countSaid counts the alternatives that a reply says.
func (r *Reply) countSaid(list []string) int {
	n := 0
	for _, alt := range list {
		if r.saysOne(alt) {
			n++
		}
	}
	return n
}

func (r *Reply) saysOne(alt string) bool {
	if at, ok := strings.CutPrefix(alt, "@"); ok {
		want := parsePlace(at)
		for _, ref := range r.refs {
			if ref.pointsInto(want) || want.first == 0 && strings.HasPrefix(ref.path, strings.TrimSuffix(want.path, "/")+"/") {
				return true
			}
		}
		return false
	}
	if pattern, ok := strings.CutPrefix(alt, "re:"); ok {
		p, err := compilePattern(pattern)
		return err == nil && p.matches(r.plain)
	}
	return holdsWord(strings.ToLower(r.plain), strings.ToLower(alt))
}

// holdsWord reports whether a text contains part, and not only within a longer word.
func holdsWord(text, part string) bool {
	for at := 0; part != ""; at++ {
		i := strings.Index(text[at:], part)
		if i < 0 {
			return false
		}
		at += i
		if end := at + len(part); (at == 0 || !wordByte(text[at-1])) && (end == len(text) || !wordByte(text[end])) {
			return true
		}
	}
	return false
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
