package answer

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Claim is a sentence that a model worded, with the support that the model gives for it.
type Claim struct {
	Text   string
	Quotes []Quoted
}

// Quoted is what a model says that a passage says.
type Quoted struct {
	ID   string // of the passage; "" for any
	Text string // "" for the passage as a whole
}

// Kept is the supported part of a text that a model worded.
type Kept struct {
	Text      string     `json:"text"`
	Citations []Citation `json:"citations"`
	Dropped   []Dropped  `json:"dropped,omitempty"`
}

// Dropped is an unsupported claim, and the reason.
type Dropped struct {
	Text string `json:"text"`
	Why  string `json:"why"`
}

// Reasons for dropping a claim.
const (
	NotQuoted  = "nothing of the passages supports it"
	NotThere   = "the passages do not say what it quotes"
	TooLong    = "it is too long to be held against the passages"
	OtherValue = "a value in it stands neither in what it cites nor in the question"
)

// backed is the share of a claim's words that a sentence of the passage it names must hold, if the
// claim quotes nothing.
const backed = 0.5

// Keep compares the words of a model with the passages. A claim is kept if one of its quotes is in
// a passage, white space and emphasis aside, or, if it only names a passage, if a sentence of the
// passage holds most of its words; and if its numbers, names in code and addresses are in the cited
// passages or in the question. A citation's quote is the document's own bytes.
func Keep(claims []Claim, question string, passages []Passage) Kept {
	passages = readablePassages(passages)
	k := &keeper{passages: passages, units: splitUnits(passages), plain: make([]plainText, len(passages))}
	countTerms(k.units, passages)
	for i := range passages {
		k.plain[i] = toPlainText(passages[i].Text)
	}
	out := Kept{Citations: []Citation{}}
	var said []string
	for _, c := range claims[:min(len(claims), maxClaims)] {
		cited, why := k.checkClaim(c, clipQuestion(question))
		if why != "" {
			out.Dropped = append(out.Dropped, Dropped{Text: c.Text, Why: why})
			continue
		}
		said = append(said, strings.TrimSpace(c.Text))
		for _, x := range cited {
			if !slices.Contains(out.Citations, x) {
				out.Citations = append(out.Citations, x)
			}
		}
	}
	out.Text = strings.Join(said, " ")
	return out
}

// maxClaims limits the claims of one reply.
const maxClaims = 200

// keeper compares claims with passages.
type keeper struct {
	passages []Passage
	units    []unit
	plain    []plainText
}

// checkClaim returns the citations of a claim, or why it is dropped.
func (k *keeper) checkClaim(c Claim, question string) (cited []Citation, why string) {
	if len(c.Text) > MaxQuestion {
		return nil, TooLong
	}
	why = NotQuoted
	for _, q := range c.Quotes[:min(len(c.Quotes), maxClaims)] {
		var x Citation
		var ok bool
		if q.Text == "" {
			x, ok = k.findBacking(c.Text, q.ID)
		} else if x, ok = k.find(q); !ok {
			why = NotThere
		}
		if ok {
			cited = append(cited, x)
		}
	}
	if len(cited) == 0 {
		return nil, why
	}
	known := strings.ToLower(question)
	for _, x := range cited {
		if i := k.byID(x.ID); i >= 0 {
			known += "\n" + strings.ToLower(k.passages[i].Text)
		}
	}
	for _, v := range fixedValues(c.Text) {
		if indexApart(known, strings.ToLower(v)) < 0 {
			return nil, OtherValue
		}
	}
	return cited, ""
}

func (k *keeper) byID(id string) int {
	return slices.IndexFunc(k.passages, func(p Passage) bool { return p.ID == id })
}

// find returns the place of a quote: in the passage that it names, or else in another.
func (k *keeper) find(q Quoted) (Citation, bool) {
	want := toPlainText(strings.Trim(q.Text, " \t\r\n\"“”…")).text
	if !isTelling(want) {
		return Citation{}, false
	}
	first := k.byID(q.ID)
	for _, i := range append([]int{first}, indicesWithout(len(k.passages), first)...) {
		if i < 0 {
			continue
		}
		if s, ok := k.plain[i].find(want); ok {
			return cite(&k.passages[i], s), true
		}
	}
	return Citation{}, false
}

func indicesWithout(n, without int) (out []int) {
	for i := range n {
		if i != without {
			out = append(out, i)
		}
	}
	return out
}

// isTelling reports whether a quote is long enough to say something: a word that every text holds
// proves nothing.
func isTelling(quote string) bool {
	return len(strings.Fields(quote)) >= 3 || utf8.RuneCountInString(quote) >= 6
}

func cite(p *Passage, s span) Citation {
	return Citation{ID: p.ID, URI: p.URI, Version: p.Version, Quote: p.Text[s.start:s.end], Start: p.Start + s.start, End: p.Start + s.end}
}

// findBacking returns the sentence of a passage that holds most of a claim's words.
func (k *keeper) findBacking(claim, id string) (Citation, bool) {
	var terms []string
	eachTerm(clipQuestion(claim), func(t string, part bool) {
		if !part && !asking()[t] && !slices.Contains(terms, t) {
			terms = append(terms, t)
		}
	})
	best, most := -1, 0.0
	for i := range k.units {
		u := &k.units[i]
		if u.kind == heading || id != "" && k.passages[u.passage].ID != id {
			continue
		}
		held := 0.0
		for _, t := range terms {
			held += min(1, u.terms[t]/partShare)
		}
		if share := held / float64(max(len(terms), 1)); share > most {
			best, most = i, share
		}
	}
	if best < 0 || most < backed {
		return Citation{}, false
	}
	u := &k.units[best]
	return cite(&k.passages[u.passage], u.span), true
}

// plainText is a text without emphasis and with single spaces, and the offset of each of its bytes
// in the text itself.
type plainText struct {
	text string
	at   []int
}

func toPlainText(text string) plainText {
	b := make([]byte, 0, len(text))
	at := make([]int, 0, len(text)+1)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '*' || c == '`':
		case isSpace(c):
			if len(b) > 0 && b[len(b)-1] != ' ' {
				b, at = append(b, ' '), append(at, i)
			}
		default:
			b, at = append(b, c), append(at, i)
		}
	}
	return plainText{strings.TrimRight(string(b), " "), append(at, len(text))}
}

// find returns the place in the text itself where want occurs, not as a part of a word.
func (p plainText) find(want string) (span, bool) {
	i := indexApart(p.text, want)
	if i < 0 {
		return span{}, false
	}
	return span{p.at[i], p.at[i+len(want)-1] + 1}, true
}

// indexApart returns the position in text where part is not inside a longer word, or -1.
func indexApart(text, part string) int {
	for from := 0; part != ""; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			break
		}
		if i += from; isWholeWord(text, i, i+len(part)) {
			return i
		}
		from = i + 1
	}
	return -1
}

// isWholeWord reports whether a stretch has whole characters, and splits no word at its ends.
func isWholeWord(text string, start, end int) bool {
	if !onBoundary(text, start) || !onBoundary(text, end) {
		return false
	}
	return (start == 0 || !isWordByte(text[start-1]) || !isWordByte(text[start])) && (end == len(text) || !isWordByte(text[end-1]) || !isWordByte(text[end]))
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// ReadClaims splits a model's reply into claims: its sentences, with the passages that marks such
// as [2] name, counted from 1, and with the texts in double quotation marks. A sentence without a
// mark may rest on any passage.
func ReadClaims(reply string, passages []Passage) []Claim {
	reply = strings.ToValidUTF8(reply[:charBoundary(reply, MaxBytes/16)], "\ufffd")
	var out []Claim
	all := []Passage{{Text: reply, End: len(reply)}}
	for _, u := range splitUnits(all) {
		if u.kind == heading || len(out) == maxClaims {
			continue
		}
		text := reply[u.start:u.end]
		c := Claim{Text: text}
		ids := citedIDs(text, passages)
		for _, q := range quotedIn(text) {
			c.Quotes = append(c.Quotes, Quoted{ID: slices.Concat(ids, []string{""})[0], Text: q})
		}
		if len(c.Quotes) == 0 {
			for _, id := range ids {
				c.Quotes = append(c.Quotes, Quoted{ID: id})
			}
		}
		if len(c.Quotes) == 0 {
			c.Quotes = []Quoted{{}}
		}
		out = append(out, c)
	}
	return out
}

// citedIDs returns the ids of the passages that marks such as [2] or [1, 3] name.
func citedIDs(text string, passages []Passage) (ids []string) {
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, "[")
		if !ok {
			return ids
		}
		inner, _, ok := strings.Cut(after, "]")
		rest = after
		if !ok || len(inner) > 40 {
			continue
		}
		for _, f := range strings.FieldsFunc(inner, func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
			n := 0
			for _, d := range f {
				if d < '0' || d > '9' || n > MaxPassages {
					n = -1
					break
				}
				n = 10*n + int(d-'0')
			}
			if n >= 1 && n <= len(passages) && !slices.Contains(ids, passages[n-1].ID) {
				ids = append(ids, passages[n-1].ID)
			}
		}
	}
}

// quotedIn returns the texts in double quotation marks that are long enough to be a quote.
func quotedIn(text string) (out []string) {
	for _, pair := range [][2]string{{"“", "”"}, {"\"", "\""}, {"„", "“"}, {"«", "»"}} {
		for rest := text; ; {
			_, after, ok := strings.Cut(rest, pair[0])
			if !ok {
				break
			}
			inner, left, ok := strings.Cut(after, pair[1])
			if !ok {
				break
			}
			if len(strings.Fields(inner)) >= 3 {
				out = append(out, inner)
			}
			rest = left
		}
	}
	return out
}
