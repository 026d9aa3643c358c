package coderank

import (
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// zone is the part of a question that a word is in.
type zone uint8

const (
	zoneTitle zone = iota
	zoneBody
	zonePasted
)

// parser collects the words of a question. The limits are applied at the end, so that a word of the
// title is never pushed out by an earlier log line.
type parser struct {
	q     *Query
	zone  zone
	lang  string
	last  int // preceding term in the same sentence, -1 if none
	index map[string]int
	names map[string]int
	pairs map[Pair]bool
	said  map[Pair]bool // pairs that occur outside pasted text
	order []Pair
	plain int    // words of the question that are not stop words
	only  string // the last word, as written, that says what the question is about
	// pasted counts the words of code and stack traces.
	pasted int
}

func newParser(q *Query) *parser {
	return &parser{q: q, last: -1, index: map[string]int{}, names: map[string]int{}, pairs: map[Pair]bool{}, said: map[Pair]bool{}}
}

// read parses the words of one section, in chunks without white space.
func (p *parser) read(s string) {
	p.last = -1
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case isSpace(r):
			i += n
		case r == '`' || r == '"' || r == '\'' || r == '“' || r == '«' || r == '「':
			i = p.readQuoted(s, i, n, r)
		default:
			i = p.readUnquoted(s, i)
		}
	}
}

func isSpace(r rune) bool {
	return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\v' || r == '\f' || r == 0x85 || r == 0xA0 || r == 0x3000
}

var closing = map[rune]string{'`': "`", '"': `"`, '\'': "'", '“': "”", '«': "»", '「': "」"}

// readQuoted reads a quoted run, or skips a quote that does not close nearby.
func (p *parser) readQuoted(s string, i, n int, r rune) int {
	rest := s[i+n:]
	end := strings.Index(rest[:min(len(rest), 200)], closing[r])
	apostrophe := r == '\'' && i > 0 && words.ClassOf(s[i-1]) != words.Separator
	if end <= 0 || apostrophe || strings.Contains(rest[:end], "\n") {
		return i + n
	}
	if inner := rest[:end]; strings.ContainsAny(inner, " \t") {
		for _, f := range strings.Fields(inner) {
			p.readChunk(f, false)
		}
	} else {
		p.q.Words++
		p.readChunk(inner, true)
	}
	return i + n + end + len(closing[r])
}

// readUnquoted reads up to the next white space or quote.
func (p *parser) readUnquoted(s string, i int) int {
	j := i
	for j < len(s) {
		r, n := utf8.DecodeRuneInString(s[j:])
		if isSpace(r) || r == '`' || r == '"' {
			break
		}
		j += n
	}
	p.q.Words++
	p.readChunk(s[i:j], false)
	return j
}

// maxChunk is the length in bytes above which a run without white space is data, not words.
const maxChunk = 400

// readChunk reads a run without white space: "Head.indexRange()," or "re-read".
func (p *parser) readChunk(s string, quoted bool) {
	if len(s) > maxChunk || isNoise(s) {
		p.last = -1
		return
	}
	qualifier, scope := "", false
	for i := 0; i < len(s); {
		if c := words.ClassOf(s[i]); c == words.Separator || c == words.Cont {
			i++ // a continuation byte begins no word: it is the rest of a sign such as ¿
			continue
		}
		j := words.Run(s, i, words.Any)
		sep := s[j:]
		call := strings.HasPrefix(sep, "(") || strings.HasPrefix(sep, "!(")
		p.addWord(s[i:j], qualifier, call || scope, quoted)
		qualifier = ""
		if joinsName(sep) {
			qualifier = s[i:j]
		}
		scope = qualifier != "" && !strings.HasPrefix(sep, ".")
		i = j
	}
	if endsSentence(s) {
		p.last = -1
	}
}

// joinsName reports whether sep joins a qualifier to a name.
func joinsName(sep string) bool {
	for _, j := range []string{"::", "->", ".", "#"} {
		if strings.HasPrefix(sep, j) && len(sep) > len(j) && words.ClassOf(sep[len(j)]) != words.Separator {
			return true
		}
	}
	return false
}

func endsSentence(s string) bool {
	t := strings.TrimRight(s, "\"'`)]}*_")
	for _, e := range []string{".", "?", "!", ":", ";", "。", "？", "！", "，", "、"} {
		if strings.HasSuffix(t, e) {
			return true
		}
	}
	return false
}

// addWord adds one word: whole as an identifier if it looks like one, and its subwords as terms.
func (p *parser) addWord(w, qualifier string, call, quoted bool) {
	shaped := codeShaped(w)
	name := shaped || call && len(w) > 2 || quoted && len(w) > 1 || qualifier != "" && qualifiesMember(qualifier, w)
	if low := strings.ToLower(w); !name && p.isStopWord(low) {
		return
	}
	p.plain++
	terms := len(p.q.Terms)
	for i := 0; i < len(w); {
		if words.ClassOf(w[i]) == words.Under {
			i++
			continue
		}
		j := words.Next(w, i)
		p.addSubword(w[i:j], shaped)
		i = j
	}
	if len(p.q.Terms) > terms && !p.q.Terms[terms].Weak && words.ClassOf(w[0]) != words.Wide {
		p.only = w
	}
	if name {
		p.noteIdent(w, qualifier, shaped || call, quoted)
	}
}

// qualifiesMember reports whether q.w names a member: Client.send and pool.New do,
// Mailer.php and e.g do not.
func qualifiesMember(q, w string) bool {
	if words.ClassOf(w[0]) == words.Upper && len(w) > 1 && len(q) > 1 && !products[strings.ToLower(q+"."+w)] && !extensions[strings.ToLower(w)] {
		return true
	}
	capital := words.ClassOf(q[0]) == words.Upper && len(q) > 1 && words.ClassOf(q[1]) == words.Lower && len(w) > 2
	return codeShaped(q) || capital && !extensions[strings.ToLower(w)] && !products[strings.ToLower(q+"."+w)]
}

func (p *parser) isStopWord(low string) bool {
	return stopWords()["en"][low] || p.lang != "en" && stopWords()[p.lang][low]
}

// addSubword adds a term, and the English translation of a foreign word.
func (p *parser) addSubword(w string, shaped bool) {
	low := strings.ToLower(w)
	if words.ClassOf(w[0])&words.Wide != 0 {
		p.addWide(low)
		return
	}
	if len(low) < 2 || len(low) > maxWord || !shaped && p.isStopWord(low) || isNumeric(low) {
		return
	}
	before := p.last
	p.noteTerm(low, words.StemOf(low))
	if p.lang != "en" && !shaped {
		p.q.Terms[p.last].Foreign = true
		meanings := translateWord(p.lang, low)
		p.q.Foreign++
		if len(meanings) > 0 {
			p.q.Known++
			p.last = before // its translation follows that of the word before it
		}
		for _, e := range meanings {
			p.noteTerm(e, words.StemOf(e))
			p.q.Terms[p.last].Foreign = false
		}
	}
}

// addWide adds the character pairs of a run of CJK text, which is written without spaces, and the
// English for the words in it.
func (p *parser) addWide(s string) {
	meanings, known := wideMeanings(s)
	p.q.Foreign += utf8.RuneCountInString(s)
	p.q.Known += known
	for _, e := range meanings {
		p.noteTerm(e, words.StemOf(e))
	}
	forPairs(s, func(pair string) {
		p.noteTerm(pair, pair)
		p.q.Terms[p.last].Foreign = true
	})
	p.last = -1
}

// forPairs calls fn with every two adjacent characters of s.
func forPairs(s string, fn func(pair string)) {
	prev := 0
	for i := range s {
		if i == 0 {
			continue
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		fn(s[prev : i+n])
		prev = i
	}
}

func (p *parser) noteTerm(word, stem string) {
	t, ok := p.index[stem]
	if !ok {
		t = len(p.q.Terms)
		p.index[stem] = t
		p.q.Terms = append(p.q.Terms, Term{Stem: stem, Word: word, Weak: weakWords()[word], Of: -1})
	}
	switch term := &p.q.Terms[t]; p.zone {
	case zoneTitle:
		term.Title++
	case zoneBody:
		term.Body++
	default:
		term.Pasted++
	}
	if k := (Pair{p.last, t}); p.last >= 0 && p.last != t && !p.pairs[k] {
		p.pairs[k] = true
		p.order = append(p.order, k)
	}
	if k := (Pair{p.last, t}); p.zone != zonePasted {
		p.said[k] = true
	}
	p.last = t
}

// askedName matches a short question that is all about one name, even if that is an everyday word. The groups
// are the kind of thing or the tool that runs it, a qualifier, the name, the kind again, and what is asked.
var askedName = lazyregexp.New(`^\s*(?:[Ww]here(?:'s| is| are)|[Ww]hat(?:'s| is| does| do)|[Ww]ho calls|[Ww]ho uses|[Ff]ind|[Ss]how(?: me)?|[Ee]xplain)\s+(?:the\s+)?` +
	`(?:(` + kindWords + `)\s+|(make|npm run|pnpm|yarn|just)\s+)?(?:([A-Za-z_]\w*)\.)?([A-Za-z_]\w*)(?:\(\))?(?:\s+(` + kindWords + `))?(?:\s+(defined|declared|implemented|created|do))?\s*[?.]?\s*$`)

// kindWords are the kinds of things that a name stands for.
const kindWords = `function|method|class|component|type|struct|interface|macro|trait|enum|record|protocol|table|view|procedure|trigger|policy`

// readAskedName adds the name that a question asks for if it is a stop word, too, or has nothing
// but a capital to show that it is a name: where is Get defined? A name in lower case may be an
// ordinary word, unless a tool runs it: where is this defined, what does make pack do?
func (p *parser) readAskedName(text string) {
	m := askedName.FindStringSubmatch(text)
	if m == nil {
		return
	}
	kind, runner, name, verb := m[1]+m[5], m[2], m[4], m[6]
	low := strings.ToLower(name)
	capital, stop := name != low, p.isStopWord(low)
	isDefined := verb != "" && verb != "do" && verb != "created"
	if capital && (stop || kind != "" || isDefined) || !stop && runner != "" && verb == "do" {
		p.zone = zoneTitle
		p.noteIdent(name, m[3], true, false)
	}
}

func (p *parser) noteIdent(w, qualifier string, shaped, quoted bool) {
	norm := normalizeName(w)
	if len(norm) < 2 || len(norm) > 120 || isNumeric(norm) || !quoted && !shaped && p.isStopWord(norm) {
		return
	}
	at, ok := p.names[norm]
	if !ok {
		at = len(p.q.Idents)
		p.names[norm] = at
		p.q.Idents = append(p.q.Idents, Ident{Text: strings.Trim(w, "_"), Written: w, Norm: norm})
		if strings.Trim(w, "_") == "" {
			p.q.Idents[at].Text = w
		}
	}
	id := &p.q.Idents[at]
	id.Title = id.Title || p.zone == zoneTitle
	id.Said = id.Said || p.zone != zonePasted
	id.Quoted = id.Quoted || quoted
	id.Shaped = id.Shaped || shaped
	if id.Qualifier == "" {
		id.Qualifier = qualifier
	}
}

// normalizeName returns the form in which identifiers are compared.
func normalizeName(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }

func isNumeric(s string) bool { return strings.Trim(s, "0123456789") == "" }

// codeShaped reports whether a word is not prose: it has a hump, an inner or leading underscore, or
// digits after capitals (E1101).
func codeShaped(w string) bool {
	t := strings.Trim(w, "_")
	if len(t) < 3 {
		return false
	}
	if strings.Contains(t, "_") || w[0] == '_' {
		return true
	}
	seenLower, capitals := false, 0
	for i := 0; i < len(t); i++ {
		switch c := t[i]; {
		case 'a' <= c && c <= 'z':
			seenLower = true
			plural := i == len(t)-1 && c == 's'
			if capitals > 1 && !plural {
				return true // HTTPServer
			}
			capitals = 0
		case 'A' <= c && c <= 'Z':
			if seenLower {
				return true
			}
			capitals++
		case '0' <= c && c <= '9':
			if capitals > 0 && capitals == i && len(t) > 3 {
				return true
			}
		default:
			return false
		}
	}
	return false
}
