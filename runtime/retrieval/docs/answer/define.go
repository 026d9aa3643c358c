package answer

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

//go:embed lists/definitions.txt
var definitionList string

// defining holds the phrases of definitions, in lower case, by class.
var defining = sync.OnceValue(func() map[string][]string { return phrasesByClass(definitionList) })

// How surely a sentence of a form says what its subject is. They were set by hand: README.md has what they reach.
const (
	saysIs      = 1.0 // X is a …
	saysNamed   = 0.9 // … is called an X
	saysLabel   = 0.8 // **X**: …
	saysDoes    = 0.7 // X allows …
	saysOpening = 0.6 // the first sentence below a heading that is X
	saysMay     = 0.6 // X is …

	saysPlainLabel = 0.6 // X: …
	saysActs       = 0.5 // X exposes …
	saysAside      = 0.3 // below a heading that is X: "To use it, …"
	saysHappens    = 0.2 // X is started …
)

// Limits of the reading of a definition.
const (
	maxDefined   = 400 // bytes of a unit that are read for its subject
	maxLeadWords = 6   // words before the subject of a definition
	maxMatches   = 12  // of the subject in a unit that are read
)

// A unit with firmDefinition is a definition. One more is only worth saying if it is about as sure as the best.
const (
	firmDefinition = 0.6
	lessSure       = 0.15
)

// subjectWord is a word of a unit, as a term.
type subjectWord struct {
	term       string
	start, end int
}

// subjectWords returns the words at the beginning of a text.
func subjectWords(text string) (out []subjectWord) {
	text = text[:charBoundary(text, min(len(text), maxDefined))]
	for at := 0; at < len(text); {
		skip := strings.IndexFunc(text[at:], words.IsLetter)
		if skip < 0 {
			break
		}
		from, to := at+skip, len(text)
		if size := strings.IndexFunc(text[from:], func(r rune) bool { return !words.IsLetter(r) }); size >= 0 {
			to = from + size
		}
		at = to
		if !isRole(text, from, to) {
			w := words.Fold(text[from:to])
			if !asking()[w] {
				w = words.Root(w)
			}
			out = append(out, subjectWord{w, from, to})
		}
	}
	return out
}

// isRole reports whether a word is the role of the code after it, as in reStructuredText: :func:`open`.
func isRole(text string, start, end int) bool {
	return start > 0 && text[start-1] == ':' && strings.HasPrefix(text[end:], ":`")
}

// definedShare returns how surely a unit says what the subject of the question is, 0..1.
func (r *rater) definedShare(i int) float64 {
	u := &r.units[i]
	if len(r.q.subjects) == 0 || u.kind == code {
		return 0
	}
	share, matches := r.openingShare(i), 0
	text := r.passages[u.passage].Text[u.start:u.end]
	list := subjectWords(text)
	for first := range list {
		for _, subject := range r.q.subjects {
			last := subjectAt(subject, list, first)
			if last < 0 {
				continue
			}
			if u.kind == row {
				return max(share, rowShare(text, list, first, last))
			}
			share = max(share, definitionShare(text, list, first, last, r.q.named))
			if matches++; matches == maxMatches {
				return share
			}
		}
	}
	return share
}

// rowShare returns how surely a row of a table says what its first cell names, if that ends in the subject.
func rowShare(text string, list []subjectWord, first, last int) float64 {
	name, said, _ := strings.Cut(strings.TrimLeft(text, "| "), "|")
	end := len(text) - len(strings.TrimLeft(text, "| ")) + len(name)
	if list[last].end > end || last+1 < len(list) && list[last+1].start < end || len(strings.Fields(said)) < 4 {
		return 0
	}
	if first == 0 {
		return saysLabel
	}
	if strings.ContainsAny(name, "/.") { // a path that ends in the name
		return saysDoes
	}
	return 0
}

// subjectAt returns the index of the last word of the subject that begins at a word, or -1: its words follow one
// another, with words that say nothing between them.
func subjectAt(subject []string, list []subjectWord, first int) int {
	if last := compoundAt(subject, list, first); last >= 0 {
		return last
	}
	at, last := first, -1
	for _, term := range subject {
		for at > first && at < len(list) && list[at].term != term && asking()[list[at].term] {
			at++
		}
		if at >= len(list) || !inflects(term, list[at].term) {
			return -1
		}
		last = at
		at++
	}
	return last
}

// compoundAt returns what subjectAt does for words that are written together in the question and apart in the text, or
// the other way round.
func compoundAt(subject []string, list []subjectWord, first int) int {
	whole, built := strings.Join(subject, ""), ""
	for at := first; at < len(list) && len(built) < len(whole); at++ {
		if built += list[at].term; inflects(whole, built) {
			return at
		}
	}
	return -1
}

// inflects reports whether two terms are forms of one word.
func inflects(a, b string) bool {
	return a == b || matchShare(a, b) >= 0.8 && max(len(a), len(b))-min(len(a), len(b)) <= 2
}

// definitionShare returns how surely a text defines the subject that stands at some of its words.
func definitionShare(text string, list []subjectWord, first, last int, named bool) float64 {
	start, end := list[first].start, list[last].end
	if strings.Count(text[:start], "`")%2 == 1 && !strings.HasPrefix(text[end:], "`") || nameGoesOn.MatchString(text[end:]) || nameBegan.MatchString(text[:start]) {
		return 0 // a part of code or of a longer name
	}
	before := strings.ToLower(strings.TrimRight(text[:start], " \t\n*_`\"'“‘[("))
	for _, article := range []string{"a", "an", "the"} {
		before = strings.TrimRight(strings.TrimSuffix(before, " "+article), " *_`\"'“‘[(")
	}
	for _, p := range defining()["named"] {
		if strings.HasSuffix(before, " "+p) && nameEnds.MatchString(text[end:]) {
			return saysNamed
		}
	}
	lead := leadFactor(text, list, first)
	if lead == 0 {
		return 0
	}
	share := predicateShare(text[end:], named)
	if share == saysLabel {
		if lead < 1 || strings.Contains(text[:start], ":") { // :name: is a field
			return 0
		}
		if !strings.ContainsAny(text[:start], "*_`") {
			share = saysPlainLabel
		}
	}
	if pointsElsewhere(text) {
		share /= 2
	}
	return lead * share
}

// pointsElsewhere reports whether a text begins with a link, as an item of an index does.
func pointsElsewhere(text string) bool {
	text = strings.TrimSpace(text)
	return markerLength(text) > 0 && strings.HasPrefix(text[markerLength(text):], "[")
}

// leadFactor returns how far the words before a subject leave it the subject of the sentence: "a job" and "in Prometheus,
// a job" do, "a cron job" is another thing.
func leadFactor(text string, list []subjectWord, first int) float64 {
	said, from := 0, first
	for from > 0 && articles()[list[from-1].term] {
		from--
	}
	lead := strings.TrimRight(text[:list[from].start], " \t\n*_`\"'“‘[(")
	for _, w := range list[:first] {
		if !articles()[w.term] {
			said++
		}
	}
	switch {
	case said == 0:
		return 1
	case said > maxLeadWords:
		return 0
	case strings.HasSuffix(lead, ","):
		return 0.9
	case articles()[list[first-1].term]:
		return 0.5
	}
	return 0.3
}

var articles = sync.OnceValue(func() map[string]bool {
	return words.Set("a an the der die das ein eine le la les un une el los las una o os as um uma")
})

var (
	nameGoesOn  = lazyregexp.New(`^[-_./=(]+\w`)
	nameBegan   = lazyregexp.New(`\w[-_./=]+$`)
	closedMark  = lazyregexp.New("^(?:[*_`\"'”’)\\]]|\\((?:[^()\n]{0,80})\\)|\\s)*")
	thirdPerson = lazyregexp.New(`^[a-z]{2,}[a-z]s [a-z]`)
	address     = lazyregexp.New(`^\W*https?://`)
	labelMark   = lazyregexp.New("^(?::|–|—|-)+[*_`]*\\s")
	nameEnds    = lazyregexp.New("^[*_`\"'”’)\\]]*(?:\\([^()\n]{0,80}\\))?(?:[.,;:]|\\s*$|\\s+(?:and|or|which|that|because|it|if|when|by|on|at|from|with|in|for|to|since|as|is)\\b)")
	otherVerb   = lazyregexp.New(`^\S+ (?:is|are|was|were|may|can|must|will|should|has|have)\b`)
	participles = lazyregexp.New(`^(?:(?:not|only|also|always|usually|then|automatically|currently)[ *_]+)*(?:\w+(?:ed|ing)|given|taken|written|chosen|hidden|driven|broken|known|run|set|sent|kept|found|made|done|read|built|held|put|cut|left|shown|seen|begun|split|bound|told)\b`)
)

// predicateShare returns how surely a text that follows a subject says what it is. Behind a name in code that was asked for,
// "function" and the like belong to it.
func predicateShare(text string, named bool) float64 {
	ofCode := named && strings.HasPrefix(text, "`")
	text = text[len(closedMark.FindString(text)):]
	if labelMark.MatchString(text) {
		if address.MatchString(text) {
			return 0
		}
		return saysLabel
	}
	text = strings.ToLower(text[:charBoundary(text, min(len(text), 80))])
	if kind := startsWithAny(text, defining()["kind"]); ofCode && kind != "" {
		text = strings.TrimSpace(text[len(kind):])
	}
	may := startsWithAny(text, defining()["may"])
	switch {
	case startsWithAny(text, defining()["is"]) != "":
		return saysIs
	case otherVerb.MatchString(text): // job runs are kept
		return 0
	case startsWithAny(text, defining()["does"]) != "":
		return saysDoes
	case may != "" && participles.MatchString(strings.TrimLeft(text[len(may):], " *_")):
		return saysHappens
	case may != "":
		return saysMay
	case thirdPerson.MatchString(text):
		return saysActs
	}
	return 0
}

// openingShare returns how surely a unit says what its heading names, if that is the subject: the first sentence of the
// section does.
func (r *rater) openingShare(i int) float64 {
	u := &r.units[i]
	if u.kind != prose || r.homeOf(u) < 0 {
		return 0
	}
	text := strings.ToLower(r.passages[u.passage].Text[u.start:u.end])
	if startsWithAny(text, defining()["aside"]) != "" {
		return saysAside * leadShare(u, r.units, i)
	}
	return saysOpening * leadShare(u, r.units, i)
}

// startsWithAny returns the phrase with which a text begins, or "".
func startsWithAny(text string, phrases []string) string {
	for _, p := range phrases {
		if beginsWith(text, p) {
			return p
		}
	}
	return ""
}

// homeOf returns the index of the heading above a unit if it names the subject of the question, and -1 otherwise.
func (r *rater) homeOf(u *unit) int {
	if u.under < 0 || len(r.q.subjects) == 0 {
		return -1
	}
	named, ok := r.homes[u.under]
	if !ok {
		if r.homes == nil {
			r.homes = map[int]bool{}
		}
		h := &r.units[u.under]
		named = r.q.namesSubject(strings.TrimLeft(r.passages[h.passage].Text[h.start:h.end], "# "))
		r.homes[u.under] = named
	}
	if named {
		return u.under
	}
	return -1
}

// namesSubject reports whether a heading is the name of a subject and nothing more.
func (q *query) namesSubject(heading string) bool {
	list := subjectWords(heading)
	for first := range list {
		for _, subject := range q.subjects {
			if last := subjectAt(subject, list, first); last >= 0 && saysNothing(list[last+1:]) {
				return true
			}
		}
		if !asking()[list[first].term] {
			break
		}
	}
	return false
}

// saysNothing reports whether words are only such as questions are asked with.
func saysNothing(list []subjectWord) bool {
	for _, w := range list {
		if !asking()[w.term] {
			return false
		}
	}
	return true
}
