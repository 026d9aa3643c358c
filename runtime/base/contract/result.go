package contract

import (
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// Confidence tells how far a result can be trusted.
type Confidence string

// The three levels of a Result's confidence.
const (
	Low  Confidence = "low"
	Med  Confidence = "med"
	High Confidence = "high"
)

// Result is what every subagent returns, with or without a model.
type Result struct {
	Summary     string     `json:"summary" doc:"direct answer in a few sentences"`
	References  []string   `json:"references" doc:"path, path:line or path:line:col, best first"`
	KeyFindings []Finding  `json:"key_findings" doc:"one fact a line, each with the place it stands at"`
	Confidence  Confidence `json:"confidence" doc:"how far to trust this" enum:"low,med,high"`
	Notes       *string    `json:"notes" doc:"what was cut, missing or degraded; null when nothing was"`

	Follows string `json:"-"` // the earlier question that was read together with this one; "" for none
}

// NotFound returns the result of a search that found nothing: it says so in words, with
// low confidence and no references.
func NotFound(summary string, notes ...string) Result {
	r := Result{Summary: summary, Confidence: Low, References: []string{}, KeyFindings: []Finding{}}
	for _, n := range notes {
		r.Note(n)
	}
	return r
}

// Note appends one remark to the notes; empty and repeated ones are dropped.
func (r *Result) Note(s string) {
	switch {
	case s == "":
	case r.Notes == nil:
		r.Notes = &s
	case !strings.Contains(*r.Notes, s):
		both := *r.Notes + "; " + s
		r.Notes = &both
	}
}

// Bounds limits a Result. Zero means no limit.
type Bounds struct {
	References int // entries
	Findings   int // entries
	Summary    int // bytes
	Finding    int // bytes of one finding
}

// Bound cuts a result to its bounds, makes its lists non-nil and its references unique,
// and notes each cut.
func (r *Result) Bound(b Bounds) {
	if r.Confidence == "" {
		r.Confidence = Low
	}
	r.References = Dedupe(append([]string{}, r.References...))
	r.KeyFindings = uniqueFindings(r.KeyFindings)
	if cut := len(r.References) - b.References; b.References > 0 && cut > 0 {
		r.References = r.References[:b.References]
		r.Note(words.Count(cut, "reference") + " left out")
	}
	if cut := len(r.KeyFindings) - b.Findings; b.Findings > 0 && cut > 0 {
		r.KeyFindings = r.KeyFindings[:b.Findings]
		r.Note(words.Count(cut, "finding") + " left out")
	}
	if short := Shorten(r.Summary, b.Summary); short != r.Summary {
		r.Summary = short
		r.Note("summary cut")
	}
	for i, f := range r.KeyFindings {
		r.KeyFindings[i].Text = Shorten(f.Text, b.Finding)
	}
}

// Shorten cuts s to at most max bytes at a word boundary, with an ellipsis; 0 means no
// limit. It never splits a rune, nor anything that may be a key or a token: redaction
// comes later and would not recognize half of one.
func Shorten(s string, max int) string {
	if max <= 0 || len(s) <= max {
		return s
	}
	const ellipsis = "…"
	end := max - len(ellipsis)
	if end <= 0 {
		return ""
	}
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	if i := strings.LastIndexAny(s[:end], " \n\t"); i > end*2/3 {
		end = i
	}
	end = BeforeToken(s, end)
	return strings.TrimRight(s[:end], " \n\t,;:") + ellipsis
}

// BeforeToken moves a cut that falls into a run of letters and digits as long as a
// token to a place that leaves little of the run.
func BeforeToken[T string | []byte](s T, cut int) int {
	const (
		shortest = 16 // bytes of a token
		kept     = 4  // reveal nothing of it, and keep a text that is a single run from vanishing
	)
	from, to := cut, cut
	for from > 0 && tokenByte(s[from-1]) {
		from--
	}
	for to < len(s) && tokenByte(s[to]) {
		to++
	}
	if cut-from <= kept || to-from < shortest || !strings.ContainsAny(string(s[from:to]), "0123456789") {
		return cut
	}
	return from + kept
}

func tokenByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_-+/=.~%", c) >= 0
}
