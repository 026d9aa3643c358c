package answer

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Passage is a stretch of a document that a search has found.
type Passage struct {
	ID         string   `json:"id"`
	URI        string   `json:"uri"`
	Version    string   `json:"version,omitempty"` // of the document, as a hash
	Title      string   `json:"title,omitempty"`
	Section    []string `json:"section,omitempty"` // the headings above it, outermost first
	Text       string   `json:"text"`              // the document's bytes from Start to End
	Start      int      `json:"start"`
	End        int      `json:"end"`
	Score      float64  `json:"score,omitempty"`      // in the search
	Confidence float64  `json:"confidence,omitempty"` // of the search, 0..1
}

// Citation is a quote, word for word, with its place.
type Citation struct {
	ID      string `json:"id"` // of the passage
	URI     string `json:"uri"`
	Version string `json:"version,omitempty"`
	Quote   string `json:"quote"`
	Start   int    `json:"start"` // in the document, in bytes
	End     int    `json:"end"`
}

// Check returns an error that says why a quote is not in its document at the place of the citation.
func Check(c Citation, document string) error {
	switch {
	case c.Quote == "":
		return fmt.Errorf("%s: the citation quotes nothing", c.URI)
	case c.Start < 0 || c.End > len(document) || c.Start >= c.End:
		return fmt.Errorf("%s: bytes %d to %d are not in the document, which has %d", c.URI, c.Start, c.End, len(document))
	case !onBoundary(document, c.Start) || !onBoundary(document, c.End):
		return fmt.Errorf("%s: bytes %d to %d cut a character in two", c.URI, c.Start, c.End)
	case document[c.Start:c.End] != c.Quote:
		return fmt.Errorf("%s: the document does not say %q at byte %d", c.URI, quoteStart(c.Quote), c.Start)
	}
	return nil
}

func onBoundary(s string, at int) bool { return at == len(s) || utf8.RuneStart(s[at]) }

// quoteStart returns the part of a quote that an error shows.
func quoteStart(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	end := most
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// Limits of the input.
const (
	MaxPassages = 64
	MaxBytes    = 1 << 20 // of all passages together
	MaxQuestion = 4 << 10 // of a question or a focus
	maxUnits    = 20_000
)

// readablePassages returns the passages that are read: in order, within the limits, without those whose
// offsets do not fit their text.
func readablePassages(list []Passage) []Passage {
	var out []Passage
	room := MaxBytes
	for _, p := range list {
		if len(out) == MaxPassages || room <= 0 {
			break
		}
		if p.Start < 0 || p.End-p.Start != len(p.Text) {
			continue
		}
		if len(p.Text) > room {
			p.Text = p.Text[:charBoundary(p.Text, room)]
			p.End = p.Start + len(p.Text)
		}
		room -= len(p.Text)
		out = append(out, p)
	}
	return out
}

// charBoundary returns the last position up to at where a character begins.
func charBoundary(s string, at int) int {
	if at >= len(s) {
		return len(s)
	}
	for i := 0; at > 0 && i < utf8.UTFMax && !utf8.RuneStart(s[at]); i++ {
		at--
	}
	return at
}

// clipQuestion returns the part of a question or a focus that is read.
func clipQuestion(s string) string { return strings.ToValidUTF8(s[:charBoundary(s, MaxQuestion)], " ") }
