package coderank

import "golang.org/x/text/unicode/norm"

// Limits that bound a query, and with it the cost of a scan, whatever is pasted into the question.
const (
	maxQuestion = 16 << 10 // bytes of the question that are read
	maxTerms    = 128      // distinct stems that are counted
	maxSynonyms = 48
	maxIdents   = 24
	maxNamed    = 48
	maxPairs    = 192
	maxWord     = 48 // bytes of a subword
)

// Query is a parsed question: what to count while scanning, what it names, and
// what kind of answer it wants.
type Query struct {
	Text   string // the question as read, cut at 16 KiB
	Cut    bool   // the question was longer
	Terms  []Term
	Idents []Ident
	Named  []Named
	Pairs  []Pair
	Intent Intent
	Words  int // words in the question, stop words included
	// Foreign counts the words of languages other than English, Known those whose meaning is known.
	// In a run without spaces, characters are counted.
	Foreign, Known int
	Found          []string // files that an earlier question led to, best first

	pasted map[Pair]bool // pairs that occur only in pasted code
}

// Term is one stem to count.
type Term struct {
	Stem string
	Word string // the first form in which it was written, in lower case
	// Title, Body and Pasted count its occurrences in the first sentence, in the prose after it,
	// and in code blocks and stack traces.
	Title, Body, Pasted int
	Weak                bool    // an action such as "fix", or filler
	Foreign             bool    // a word of another language, which English code does not hold
	Of                  int     // index of the term it is a synonym of, -1 for the question's own
	Everyday            bool    // a word of code that stands for everyday words of the question
	Before              float64 // weight of a term of an earlier question, 0 for one of this question
}

// Ident is a name in the question that is, or may be, a name in the code.
type Ident struct {
	Text       string  // without underscores on either side
	Written    string  // with underscores, as in the question
	Qualifier  string  // "Head" of Head.indexRange
	Norm       string  // lower case without underscores: the form that is compared
	Title      bool    // occurs in the first sentence
	Quoted     bool    // in backticks or quotes
	Shaped     bool    // looks like code on its own: parseURL, max_size, run()
	Said       bool    // occurs outside pasted text
	Decomposed bool    // repeats the one before it in Unicode's form NFD, which macOS and some editors write
	Before     float64 // weight of a name that an earlier question led to, 0 for one of this question
}

// Pair is two terms that are adjacent in the question, in order.
type Pair struct{ A, B int }

// Named is a file, a module or a stack frame that the question names.
type Named struct {
	Path string // slash separated, as written
	Line int    // 0 when not given
	More []int  // further lines of it, as named
	Func string // the function of a frame
	// Funcs are the functions of the further lines, "" where none is named.
	Funcs []string
	// Imported says that the file is named only by a line that imports it.
	Imported bool
	Kind     NamedKind
	Rank     int // 0 is the strongest of its kind: the deepest frame, the first path
}

// NamedKind says how a file was named.
type NamedKind uint8

// The ways to name a file.
const (
	NamedPath   NamedKind = iota // lib/server.js:42
	NamedFrame                   // a stack frame
	NamedModule                  // celery.app.base
)

// Intent is the kind of answer that a question wants.
type Intent struct {
	Definition bool // where a named thing is
	Bare       bool // a name and hardly anything else
	Tests      bool
	Docs       bool
	Config     bool
	Examples   bool
	How        bool // how something works
	Happens    bool // what happens when, or if
	Callers    bool // who calls or uses a named thing
	Option     bool // which option, flag, key, variable or default
	Message    bool // what causes a message that is quoted or pasted
	Extend     bool // how to add one more of a kind
	Coverage   bool // which tests cover something
	Overview   bool // what the whole is, and where to begin
	Topic      bool // the name of a topic: "panic recovery middleware", "how routes are grouped"
	Path       bool // a path and nothing else
	Question   bool // a question, not a statement such as a report or a commit
	Trace      bool // a stack trace, or a path with a line, and hardly anything else
}

// addDecomposed adds the names of the question again in Unicode's decomposed form (NFD), since
// files are compared byte by byte.
func (p *parser) addDecomposed() {
	var out []Ident
	for _, id := range p.q.Idents {
		if out = append(out, id); !norm.NFD.IsNormalString(id.Written) {
			for _, s := range []*string{&id.Text, &id.Written, &id.Qualifier, &id.Norm} {
				*s = norm.NFD.String(*s)
			}
			id.Decomposed = true
			out = append(out, id)
		}
	}
	p.q.Idents = out
}

// Parse parses a question in any language. It never fails: words that it does not understand are
// treated like any others.
func Parse(question string) *Query {
	text, cut := clipQuestion(question)
	text = norm.NFC.String(text)
	p := newParser(&Query{Text: text, Cut: cut})
	p.lang = guessLanguage(text)
	p.q.Named = namedFiles(text)
	for _, s := range splitSections(dropLinks(text)) {
		p.zone = s.zone
		before := p.q.Words
		p.read(s.text)
		if s.zone == zonePasted {
			p.pasted += p.q.Words - before
		}
	}
	p.readAskedName(text)
	return p.finish()
}
