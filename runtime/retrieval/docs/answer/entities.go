package answer

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// EntityKind is the kind of an entity.
type EntityKind string

// The kinds, in the order in which they claim a stretch of text.
const (
	URL        EntityKind = "url"
	Email      EntityKind = "email"
	Date       EntityKind = "date"
	Version    EntityKind = "version"
	ErrorCode  EntityKind = "error"
	Option     EntityKind = "option"
	Path       EntityKind = "path"
	Identifier EntityKind = "identifier"
	Place      EntityKind = "place"
	Name       EntityKind = "name"
)

// EntityKinds lists all of them.
var EntityKinds = []EntityKind{URL, Email, Date, Version, ErrorCode, Option, Path, Identifier, Place, Name}

// Entity is a name or a value with its places.
type Entity struct {
	Kind  EntityKind `json:"kind"`
	Text  string     `json:"text"`
	Count int        `json:"count"`
	Spans []Span     `json:"spans"` // the first of them
}

// Span is a place in a document.
type Span struct {
	ID    string `json:"id"`
	URI   string `json:"uri"`
	Start int    `json:"start"` // in the document, in bytes
	End   int    `json:"end"`
}

// Limits of the result.
const (
	MaxEntities = 1000
	MaxSpans    = 20 // of one entity
)

// Entities returns the names and values of passages: the most frequent first, equal ones in the
// order of their kinds and texts. Stretches that passages share count once.
func Entities(passages []Passage) []Entity {
	passages = readablePassages(passages)
	g := &gatherer{passages: passages, found: map[entityKey]*Entity{}, seen: map[place]bool{}}
	for i := range passages {
		for _, m := range findMentions(passages[i].Text) {
			g.add(i, m)
		}
	}
	g.addNames(splitUnits(passages))
	return g.sortedEntities()
}

type entityKey struct {
	kind EntityKind
	text string
}

type place struct {
	uri string
	at  int
}

// gatherer counts entities.
type gatherer struct {
	passages []Passage
	found    map[entityKey]*Entity
	seen     map[place]bool
}

func (g *gatherer) add(passage int, m mention) {
	p := &g.passages[passage]
	at := place{p.URI, p.Start + m.start}
	if g.seen[at] {
		return
	}
	g.seen[at] = true
	text := strings.Clone(flattenText(p.Text[m.start:m.end]))
	key := entityKey{m.kind, text}
	e := g.found[key]
	if e == nil {
		e = &Entity{Kind: m.kind, Text: text}
		g.found[key] = e
	}
	if e.Count++; len(e.Spans) < MaxSpans {
		e.Spans = append(e.Spans, Span{ID: p.ID, URI: p.URI, Start: p.Start + m.start, End: p.Start + m.end})
	}
}

func (g *gatherer) sortedEntities() []Entity {
	out := make([]Entity, 0, len(g.found))
	for _, e := range g.found {
		out = append(out, *e)
	}
	slices.SortFunc(out, func(a, b Entity) int {
		return cmp.Or(b.Count-a.Count, slices.Index(EntityKinds, a.Kind)-slices.Index(EntityKinds, b.Kind), cmp.Compare(a.Text, b.Text))
	})
	return out[:min(len(out), MaxEntities)]
}

// mention is an entity at a place of a text.
type mention struct {
	kind EntityKind
	span
}

// A pattern finds entities of a kind: its first group, or all of it.
type pattern struct {
	kind EntityKind
	re   *lazyregexp.Regexp
}

const month = `(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?`

// patterns are tried in this order; text that one has claimed is left out by the next.
var patterns = []pattern{
	{URL, lazyregexp.New(`\b(?:https?|ftp|wss?|file)://[^\s<>"'` + "`" + `\])}|]+`)},
	{Email, lazyregexp.New(`\b[A-Za-z0-9._%+-]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,24}\b`)},
	{Date, lazyregexp.New(`\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?\b`)},
	{Date, lazyregexp.New(`\b\d{1,2}(?:st|nd|rd|th)? ` + month + `,? \d{4}\b|\b` + month + ` \d{1,2}(?:st|nd|rd|th)?, \d{4}\b|\b` + month + ` \d{4}\b|\b\d{1,2}\.\d{1,2}\.(?:19|20)\d{2}\b|\b\d{1,2}/\d{1,2}/(?:19|20)\d{2}\b|\d{4}年\d{1,2}月(?:\d{1,2}日)?`)},
	{ErrorCode, lazyregexp.New(`\b(?:[A-Z][A-Z0-9]*_)*(?:ERR|ERROR)(?:_[A-Z0-9]+)+\b|\bE[A-Z]{4,}\b|\b[A-Z]{1,4}-?\d{3,6}\b|\b[A-Z][A-Za-z0-9]*(?:Error|Exception)\b`)},
	{Version, lazyregexp.New(`\bv?\d+\.\d+\.\d+(?:[-.+][0-9A-Za-z.+-]*[0-9A-Za-z])?\b|\bv\d+(?:\.\d+)*\b`)},
	{Option, lazyregexp.New("(?:^|[\\s`'\"(\\[|,=])(--?[A-Za-z][\\w-]*[\\w])")},
	{Path, lazyregexp.New(`(?:^|[\s` + "`" + `'"(\[|])((?:~|\.{1,2})?/?[\w@.-]+(?:/[\w@.*-]+)+/?|[\w-]+\.(?:go|js|ts|jsx|tsx|mjs|py|rs|rb|java|c|h|cpp|cs|php|sh|md|rst|txt|json|ya?ml|toml|ini|cfg|conf|xml|html|css|sql|cue|proto|lock|log|env))\b`)},
	{Identifier, lazyregexp.New(`\b[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b|\b_[A-Za-z0-9_]+\b|\b[a-z][a-z0-9]*(?:\.[a-z_][A-Za-z0-9_]*)*\.?[a-z0-9]*[A-Z][A-Za-z0-9]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*\b|\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b|\b[A-Za-z_][\w.]*\(\)`)},
}

// maxMentions limits the mentions of a kind in one passage.
const maxMentions = 20_000

// findMentions returns the entities that are recognized by their form, in the order of the text.
func findMentions(text string) (out []mention) {
	taken := make([]bool, len(text))
	for _, p := range patterns {
		for _, loc := range p.re.Regexp().FindAllStringSubmatchIndex(text, maxMentions) {
			start, end := loc[0], loc[1]
			if len(loc) > 2 && loc[2] >= 0 {
				start, end = loc[2], loc[3]
			}
			for end > start && strings.IndexByte(".,;:!?", text[end-1]) >= 0 {
				end--
			}
			if start < end && !slices.Contains(taken[start:end], true) {
				for i := start; i < end; i++ {
					taken[i] = true
				}
				out = append(out, mention{p.kind, span{start, end}})
			}
		}
	}
	slices.SortFunc(out, func(a, b mention) int { return a.start - b.start })
	return out
}

// number matches a value that a claim must not make up.
var number = lazyregexp.New(`\d+(?:[.,]\d+)*`)

// fixedValues returns the parts of a claim that cannot be worded in another way: numbers, versions,
// names in code, addresses.
func fixedValues(claim string) (out []string) {
	text := stripMarks(claim)
	for _, m := range findMentions(text) {
		out = append(out, strings.TrimSuffix(text[m.start:m.end], "()"))
	}
	return append(out, number.Regexp().FindAllString(text, -1)...)
}

// stripMarks returns a claim without the mark of an item and the marks of passages.
func stripMarks(claim string) string {
	claim = strings.TrimSpace(claim)
	claim = claim[markerLength(claim):]
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(claim, "[")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		inner, rest, closed := strings.Cut(after, "]")
		if closed && strings.Trim(inner, "0123456789,; ") == "" {
			claim = rest
			continue
		}
		b.WriteByte(' ')
		claim = after
	}
}

//go:embed lists/places.txt
var placeList string

var places = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for line := range words.Lines(placeList) {
		for p := range strings.SplitSeq(line, ",") {
			m[strings.TrimSpace(p)] = true
		}
	}
	return m
})

// addNames adds words written as names in prose: known places, two or more words with capitals, and
// single words with a capital that occur twice inside sentences.
func (g *gatherer) addNames(list []unit) {
	var single []mention
	var of []int
	often := map[string]int{}
	for i := range list {
		u := &list[i]
		if u.kind == heading || u.kind == code || u.kind == row {
			continue
		}
		text := g.passages[u.passage].Text
		for _, m := range capitalRuns(text, u.span) {
			name := flattenText(text[m.start:m.end])
			switch {
			case places()[name]:
				g.add(u.passage, mention{Place, m})
			case strings.Contains(name, " "):
				g.add(u.passage, mention{Name, m})
			default:
				often[name]++
				single, of = append(single, mention{Name, m}), append(of, u.passage)
			}
		}
	}
	for i, m := range single {
		if often[flattenText(g.passages[of[i]].Text[m.start:m.end])] > 1 {
			g.add(of[i], m)
		}
	}
}

// capitalRuns returns runs of words that begin with a capital. The first word of a sentence begins
// with one anyway: alone it is not a name.
func capitalRuns(text string, in span) (out []span) {
	var run span
	n := 0
	close := func() {
		if n > 1 || n == 1 && (!opensSentence(text, in, run) || places()[text[run.start:run.end]]) {
			out = append(out, run)
		}
		run, n = span{}, 0
	}
	for i := in.start; i < in.end; {
		r, size := utf8.DecodeRuneInString(text[i:in.end])
		if !unicode.IsLetter(r) {
			if n > 0 && r != ' ' {
				close()
			}
			i += size
			continue
		}
		end := i + size
		for end < in.end {
			next, w := utf8.DecodeRuneInString(text[end:in.end])
			if !unicode.IsLetter(next) && !unicode.IsDigit(next) && next != '\'' && next != '’' && next != '-' && next != '_' {
				break
			}
			end += w
		}
		word := text[i:end]
		lower := strings.ToLower(word)
		switch {
		case unicode.IsUpper(r) && end-i > 1 && !(n == 0 && asking()[lower]) && !strings.Contains(word, "_"):
			if n == 0 {
				run.start = i
			}
			run.end = end
			n++
		default:
			close()
		}
		i = end
	}
	close()
	return out
}

// opensSentence reports whether a run begins its sentence.
func opensSentence(text string, in, run span) bool {
	before := strings.TrimRight(text[in.start:run.start], "*_\"'“„«([ ")
	return before == "" || markerLength(text[in.start:run.start]) == run.start-in.start
}
