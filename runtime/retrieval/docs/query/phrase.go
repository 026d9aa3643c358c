package query

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// Said is a phrase of plain words that is interpreted as a filter.
type Said struct {
	Words string // as in the question
	As    string // the operator that means the same
}

// Notes says how phrases were interpreted, so that a reader can notice a misunderstanding.
func (q Query) Notes() (out []string) {
	for _, s := range q.Said {
		out = append(out, "“"+s.Words+"” is read as "+s.As)
	}
	return out
}

var (
	// A year alone is not a date: much happened since 2019 that no file tells by its date.
	datePhrase = lazyregexp.New(`(?i)\b(since|after|before)\s+(\d{4}-\d{2}(?:-\d{2})?)(?:$|[\s?!.,;])`)
	// "in markdown" asks about Markdown, "in markdown files" about the contents of such files.
	kindPhrase       = lazyregexp.New(`(?i)(^|\s)in\s+(?:the\s+|my\s+|our\s+|all\s+)?(?:(pdfs|notebooks)|(pdf|word|html|markdown|jupyter|rst|asciidoc)\s+(?:files|documents|docs|notebooks))(?:$|[\s?!.,;])`)
	collectionPhrase = lazyregexp.New(`(?i)(^|\s)in\s+(?:the\s+|my\s+|our\s+)?([\w.-]+)\s+collection(?:$|[\s?!.,;])`)
)

var kinds = map[string]string{"pdfs": "pdf", "pdf": "pdf", "notebooks": "notebook", "jupyter": "notebook", "word": "docx", "html": "html", "markdown": "markdown", "rst": "rst", "asciidoc": "asciidoc"}

// readPhrases parses the phrases of the text, each kind once. A phrase in the middle of a sentence may
// belong to the question, so phrases for places must be at its beginning or its end.
func (q *Query) readPhrases(collections []string) {
	if m := datePhrase.FindStringSubmatchIndex(q.Text); m != nil {
		name, at := strings.ToLower(q.Text[m[2]:m[3]]), q.Text[m[4]:m[5]]
		to := &q.After
		if name == "before" {
			to = &q.Before
		}
		if t, err := parseDate(at); err == nil && to.IsZero() && q.takePhrase(m[2], m[5], name+":"+at) {
			*to = t
		}
	}
	for range 2 {
		if m := collectionPhrase.FindStringSubmatchIndex(q.Text); m != nil && q.Collection == "" {
			i := slices.IndexFunc(collections, func(c string) bool { return strings.EqualFold(c, q.Text[m[4]:m[5]]) })
			end := m[5] + strings.Index(strings.ToLower(q.Text[m[5]:]), "collection") + len("collection")
			if i >= 0 && q.isAtEdge(m[3], end) && q.takePhrase(m[3], end, "collection:"+collections[i]) {
				q.Collection = collections[i]
			}
		}
		if m := kindPhrase.FindStringSubmatchIndex(q.Text); m != nil && q.Kind == "" {
			word := ""
			for _, g := range []int{4, 6} {
				if m[g] >= 0 {
					word = strings.ToLower(q.Text[m[g]:m[g+1]])
				}
			}
			end := m[1]
			for end > m[3] && strings.ContainsRune(" ?!.,;", rune(q.Text[end-1])) {
				end--
			}
			if q.isAtEdge(m[3], end) && q.takePhrase(m[3], end, "type:"+kinds[word]) {
				q.Kind = kinds[word]
			}
		}
	}
}

// isAtEdge reports whether nothing is asked before the given bytes of the text, or nothing after them.
func (q *Query) isAtEdge(start, end int) bool {
	const marks = " ?!.,;:"
	return strings.Trim(q.Text[:start], marks) == "" || strings.Trim(q.Text[end:], marks) == ""
}

// takePhrase takes a phrase out of the text, if the rest still says what to look for.
func (q *Query) takePhrase(start, end int, as string) bool {
	rest := strings.Join(strings.Fields(q.Text[:start]+" "+q.Text[end:]), " ")
	rest = strings.TrimLeft(spaced.ReplaceAllString(rest, "$1"), ",;: ")
	if len(q.Read) >= maxFilters || !hasContentWord(rest) {
		return false
	}
	phrase := q.Text[start:end]
	q.Read, q.Said, q.Text = append(q.Read, phrase), append(q.Said, Said{phrase, as}), rest
	return true
}

// spaced matches a mark that a phrase was removed before.
var spaced = lazyregexp.New(`\s+([?!.,;])`)

var stops = words.Set(words.CommonStops())

// hasContentWord reports whether a text has a word that says what to look for.
func hasContentWord(text string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return !words.IsLetter(r) }), func(w string) bool {
		w = words.Fold(w)
		return len(w) > 1 && !stops[w]
	})
}
