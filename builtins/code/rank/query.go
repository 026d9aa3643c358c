package rank

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits that keep a query, and so the cost of a scan, bounded whatever is pasted.
const (
	maxQuestion = 16 << 10 // bytes of the question that are read
	maxTerms    = 160      // distinct stems counted while scanning
	maxIdents   = 24
	maxNamed    = 48 // files, frames and modules
	maxWord     = 48 // bytes of a subword
)

// Term is one stem that is counted while scanning.
type Term struct {
	Stem  string
	Word  string // first written form, lower case
	Title int    // occurrences in the first sentence
	Body  int    // occurrences after it
	Code  bool   // stands only inside identifiers, paths or quotes
	Of    int    // the term this one is a synonym of, or -1
}

// Ident is a name in the question that looks like code.
type Ident struct {
	Text      string // as written
	Qualifier string // "Head" of Head.indexRange
	Norm      string // lower case, without underscores
	Terms     []int  // its parts among the terms
	Title     bool
	Quoted    bool // in backticks or quotes
	Shaped    bool // looks like code by itself: a hump, an underscore, a call
}

// Named is a file, a module or a stack frame in the question.
type Named struct {
	Path  string // slash separated; a dotted module keeps its dots in Module
	Line  int    // 0 unknown
	Func  string
	Depth int // frames: 0 is the deepest
	Kind  NamedKind
}

// NamedKind says how a file was named.
type NamedKind int

// The ways to name a file.
const (
	NamedPath NamedKind = iota
	NamedFrame
	NamedModule
)

// Intent is what kind of answer the question asks for.
type Intent struct {
	Definition bool // where a named thing is
	Tests      bool
	Docs       bool
	Config     bool
	Examples   bool
	How        bool
}

// Query is a parsed question.
type Query struct {
	Question string
	Terms    []Term
	Idents   []Ident
	Named    []Named
	Pairs    [][2]int // terms that stand next to each other
	Intent   Intent
	Long     bool // a pasted report rather than a question
	Words    int

	index map[string]int
}

// Parse reads a question. It never fails: what it does not understand is a word.
func Parse(question string) *Query {
	if len(question) > maxQuestion {
		question = question[:maxQuestion]
	}
	question = strings.ToValidUTF8(question, " ")
	q := &Query{Question: question, index: map[string]int{}}
	p := parser{q: q}
	p.run(question)
	return q
}

type parser struct {
	q        *Query
	title    bool
	last     int // term before, for pairs; -1 none
	stop     map[string]bool
	idents   map[string]int
	pairSeen map[[2]int]bool
}

func (p *parser) run(s string) {
	p.idents = map[string]int{}
	p.pairSeen = map[[2]int]bool{}
	p.stop = stopEnglish
	p.q.Intent = intentOf(s)
	s = p.takeNamed(s)
	s = dropNoise(s)
	titleEnd := firstSentence(s)
	p.q.Words = len(strings.Fields(s))
	p.q.Long = p.q.Words > 60
	p.last = -1
	p.title = true
	for i := 0; i < len(s); {
		if i >= titleEnd {
			p.title = false
		}
		i = p.token(s, i)
	}
	p.addSynonyms()
}

// token reads one chunk (a run without white space) and returns where the next begins.
func (p *parser) token(s string, i int) int {
	r, n := utf8.DecodeRuneInString(s[i:])
	if unicode.IsSpace(r) {
		return i + n
	}
	if r == '`' || r == '"' || r == '\'' {
		if end := strings.IndexByte(s[i+n:], byte(r)); end > 0 && end < 200 {
			inner := s[i+n : i+n+end]
			if !strings.Contains(inner, "\n") && (r != '\'' || quoteOpens(s, i)) {
				p.quoted(inner)
				return i + n + end + 1
			}
		}
		return i + n
	}
	j := i
	for j < len(s) {
		r, n := utf8.DecodeRuneInString(s[j:])
		if unicode.IsSpace(r) || r == '`' || r == '"' || r == '(' && j == i {
			break
		}
		j += n
		if r == '(' || r == ',' || r == ';' {
			break
		}
	}
	if j == i {
		p.last = -1
		return i + n
	}
	p.chunk(s[i:j], j < len(s) && s[j-1] == '(', false)
	return j
}

func quoteOpens(s string, i int) bool {
	return i == 0 || s[i-1] == ' ' || s[i-1] == '(' || s[i-1] == '\n'
}

func (p *parser) quoted(s string) {
	if !strings.ContainsAny(s, " \t") {
		p.chunk(s, false, true)
		return
	}
	for _, f := range strings.Fields(s) {
		p.chunk(f, false, false)
	}
}

// chunk reads a run without white space: identifiers in it, and their words.
func (p *parser) chunk(s string, call, quoted bool) {
	if len(s) > 400 {
		p.last = -1
		return
	}
	ends := strings.HasSuffix(strings.TrimRight(s, "\"'`)"), ".") || strings.HasSuffix(s, ":") || strings.HasSuffix(s, "?")
	var qual string
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && class[s[j]] != sep {
			j++
		}
		if j == i {
			if s[i] != '.' && s[i] != ':' && s[i] != '#' && s[i] != '-' && s[i] != '>' {
				qual = ""
			}
			i++
			continue
		}
		word := s[i:j]
		isCall := j < len(s) && s[j] == '(' || call && j >= len(s)-1
		p.word(word, qual, isCall, quoted, j < len(s) && (s[j] == '.' || s[j] == ':') && j+1 < len(s) && class[at(s, j+1)] != sep)
		if j < len(s) && (s[j] == '.' || s[j] == ':' || s[j] == '#' || s[j] == '-' && at(s, j+1) == '>') {
			qual = word
		} else {
			qual = ""
		}
		i = j
	}
	if ends {
		p.last = -1
	}
}

func at(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// word adds one identifier or plain word.
func (p *parser) word(w, qual string, call, quoted, qualifies bool) {
	shaped := codeShaped(w)
	isIdent := shaped || call && len(w) > 2 || quoted && len(w) > 1 || qual != "" && codeShaped(qual)
	if low := strings.ToLower(w); !shaped && !quoted && p.stop[low] {
		if stopBreaks[low] {
			p.last = -1
		}
		return
	}
	var parts []int
	for i := 0; i < len(w); {
		if class[w[i]] == under {
			i++
			continue
		}
		j := subword([]byte(w), i)
		if t := p.term(w[i:j], isIdent, shaped); t >= 0 {
			parts = append(parts, t)
		}
		i = j
	}
	if isIdent {
		p.ident(w, qual, parts, call || shaped, quoted)
	}
}

func (p *parser) ident(w, qual string, parts []int, shaped, quoted bool) {
	norm := normal(w)
	if len(norm) < 2 || len(norm) > 120 {
		return
	}
	if at, ok := p.idents[norm]; ok {
		id := &p.q.Idents[at]
		id.Quoted = id.Quoted || quoted
		id.Shaped = id.Shaped || shaped
		if id.Qualifier == "" {
			id.Qualifier = qual
		}
		return
	}
	if len(p.q.Idents) >= maxIdents {
		return
	}
	p.idents[norm] = len(p.q.Idents)
	p.q.Idents = append(p.q.Idents, Ident{Text: strings.Trim(w, "_"), Qualifier: qual, Norm: norm, Terms: parts,
		Title: p.title, Quoted: quoted, Shaped: shaped})
}

// term adds one subword; -1 when it is a stop word, too short or over the limit.
func (p *parser) term(w string, code, shaped bool) int {
	low := strings.ToLower(w)
	if len(low) < 2 || len(low) > maxWord || !shaped && p.stop[low] {
		return -1
	}
	st := string(stem([]byte(low)))
	t, ok := p.q.index[st]
	if !ok {
		if len(p.q.Terms) >= maxTerms {
			return -1
		}
		t = len(p.q.Terms)
		p.q.index[st] = t
		p.q.Terms = append(p.q.Terms, Term{Stem: st, Word: low, Code: true, Of: -1})
	}
	term := &p.q.Terms[t]
	if p.title {
		term.Title++
	} else {
		term.Body++
	}
	term.Code = term.Code && code
	if p.last >= 0 && p.last != t {
		k := [2]int{p.last, t}
		if !p.pairSeen[k] && len(p.q.Pairs) < 4*maxTerms {
			p.pairSeen[k] = true
			p.q.Pairs = append(p.q.Pairs, k)
		}
	}
	p.last = t
	return t
}

// normal is the form in which identifiers are compared.
func normal(s string) string {
	return strings.ToLower(strings.ReplaceAll(s, "_", ""))
}

// codeShaped reports a hump, an inner underscore or letters mixed with digits in capitals.
func codeShaped(w string) bool {
	t := strings.Trim(w, "_")
	if len(t) < 3 {
		return false
	}
	if strings.Contains(t, "_") || strings.HasPrefix(w, "__") || w[0] == '_' {
		return true
	}
	lowerSeen := false
	for i := 0; i < len(t); i++ {
		switch c := t[i]; {
		case 'a' <= c && c <= 'z':
			lowerSeen = true
		case 'A' <= c && c <= 'Z':
			if lowerSeen {
				return true
			}
			if i > 0 && i+1 < len(t) && 'a' <= t[i+1] && t[i+1] <= 'z' && !(i+2 == len(t) && t[i+1] == 's') {
				return true // HTTPServer
			}
		}
	}
	return false
}
