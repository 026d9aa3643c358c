package summaries

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// bytesPerToken is the assumed length of a token.
const bytesPerToken = 4

// minRatio is how many times its budget a result must have to count: otherwise a copy of it
// would score.
const minRatio = 1.5

// Result is the outcome of a summary of a case.
type Result struct {
	ID      string   `json:"id"`
	Kind    string   `json:"kind"`
	Source  string   `json:"source,omitempty"`
	Budget  int      `json:"budget"`
	Needed  int      `json:"needed"`
	Kept    int      `json:"kept"`
	Parts   int      `json:"parts"`
	Anch    int      `json:"anch"`
	Bytes   int      `json:"bytes"`
	Over    bool     `json:"over,omitempty"` // it was cut at its budget
	Idents  int      `json:"idents"`         // identifiers of the summary
	Foreign []string `json:"foreign,omitempty"`
	Missing []string `json:"missing,omitempty"`
}

// Counts reports whether a case is large enough for a budget.
func (c Case) Counts(budget int) bool {
	return float64(len(c.Result)) >= minRatio*bytesPerToken*float64(budget)
}

// Score measures the summary of a case at a budget in tokens.
func Score(c Case, summary string, budget int) Result {
	r := Result{ID: c.ID, Kind: c.Kind, Source: c.Source, Budget: budget, Needed: len(c.Needed)}
	s := summary
	if most := budget * bytesPerToken; len(s) > most {
		s, r.Over = strings.ToValidUTF8(s[:most], ""), true
	}
	r.Bytes = len(s)
	src, d := readSource(c.Result), unescape(s)
	for _, x := range c.Needed {
		if !keptIn(x, s, d) {
			r.Missing = append(r.Missing, x)
			if byParts(x, s, d) {
				r.Parts++
			}
			continue
		}
		r.Kept++
		r.Parts++
		if isAnchored(x, src.nearWords(x), d) {
			r.Anch++
		}
	}
	r.findForeign(c, src, s)
	return r
}

// findForeign collects the identifiers of the summary that occur in nothing that it was made from.
func (r *Result) findForeign(c Case, src *source, s string) {
	ids := findIdentifiers(s)
	if r.Over { // the cut may have split the last
		if all := identForm.FindAllString(s, -1); len(all) > 0 {
			delete(ids, all[len(all)-1])
		}
	}
	read := c.readFor()
	r.Idents = len(ids)
	for t := range ids {
		if !isGrounded(t, src.text, src.decoded, read) {
			r.Foreign = append(r.Foreign, t)
		}
	}
	slices.Sort(r.Foreign)
}

// readFor returns the purpose for which the result was read, as JSON.
func (c Case) readFor() string {
	text := func(s *string) json.RawMessage {
		if s == nil {
			return json.RawMessage("null")
		}
		return rawjson.Quote(*s)
	}
	var b strings.Builder
	b.WriteByte('[')
	for i, v := range []json.RawMessage{text(c.Task), c.Arguments, text(c.Tool), text(c.Server)} {
		if i > 0 {
			b.WriteString(", ")
		}
		dumpValue(&b, v)
	}
	return b.String() + "]"
}

// isAnchored reports whether an identifier is kept with something that it belongs to: two of
// the words near it in the source are next to it here, or in the head of its table, the last
// line before it without a digit.
func isAnchored(x string, near map[string]bool, text string) bool {
	if len(near) < 2 {
		return true
	}
	at := findPlaces(x, text, maxTold)
	if m := lineForm.FindStringSubmatch(x); m != nil && len(at) == 0 {
		at = findPlaces(m[1], text, maxTold)
	}
	for _, p := range at {
		from, to := lineAround(text, p)
		w := map[string]bool{}
		addWords(text[stepBack(text, p.from, besides):p.from]+" "+text[p.to:stepAhead(text, p.to, besides)], w)
		addWords(text[max(from, stepBack(text, p.from, lineInSum)):p.from]+" "+text[p.to:min(to, stepAhead(text, p.to, lineInSum))], w)
		if countShared(w, near) >= 2 {
			return true
		}
		if head := headOver(text, from-1); head != nil {
			for h := range head {
				w[h] = true
			}
			if countShared(w, near) >= 2 {
				return true
			}
		}
	}
	return false
}

// headOver returns the words in the head of a table: the last line before end with at least
// two words and without a digit.
func headOver(text string, end int) map[string]bool {
	for k := 0; end > 0 && k < headLines; k++ {
		start := strings.LastIndexByte(text[:end], '\n') + 1
		line := text[start:end]
		if strings.TrimSpace(line) != "" && !strings.ContainsFunc(line, unicode.IsDigit) {
			head := map[string]bool{}
			if strings.ContainsAny(line, "|,\t;") {
				keyWords(line, head)
			} else {
				addWords(line, head)
			}
			if len(head) >= 2 {
				return head
			}
		}
		end = start - 1
	}
	return nil
}

func countShared(a, b map[string]bool) (n int) {
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}
