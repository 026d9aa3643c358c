package query

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/glob"
)

// Query is a question without its filters, and the filters.
type Query struct {
	Text       string    // for ranking; the words of phrases are in it
	Path       string    // glob
	Section    string    // words of the headings
	Kind       string    // of document, or the extension of its name
	Collection string    //
	Phrases    []string  // that a passage must hold
	Not        []string  // words that no passage may hold
	After      time.Time // changed on that day or later
	Before     time.Time // changed before that day
	Tags       []string  // that a document must have
	Read       []string  // the filters as written
	Said       []Said    // filters that are plain words
}

// maxFilters limits the filters of one question; more are words.
const maxFilters = 16

// minNot is the minimum length of a word that can be excluded: -v and -rf are options of
// programs, and the subject of questions.
const minNot = 3

// maxPhrase is the maximum length of a phrase in bytes. A longer quote is words: otherwise each
// unclosed quote would be searched for to the end of the question.
const maxPhrase = 2_000

// wholeWords is the minimum number of words of a question in quotes, less one: no text has a
// sentence of its reader's, so the quotes are only around it.
const wholeWords = 4

// Parse parses a question: its operators, and the few phrases of plain words that mean a filter,
// such as "in the manual collection" with a name of collections. A question of nothing but
// operators has an empty text.
func Parse(question string, collections ...string) Query {
	q := Operators(question)
	if len(q.Phrases) == 0 && len(q.Text) <= maxPhrase { // a user who quotes writes filters as operators
		q.readPhrases(collections)
	}
	return q
}

// Operators parses a question without its phrases of plain words.
func Operators(question string) Query {
	var q Query
	var rest []string
	for s := strings.TrimLeftFunc(question, unicode.IsSpace); s != ""; s = strings.TrimLeftFunc(s, unicode.IsSpace) {
		n, word, ok := q.takeFilter(s)
		if ok && len(q.Read) < maxFilters {
			q.Read = append(q.Read, s[:n])
		} else {
			if n == 0 {
				n = wordEnd(s)
			}
			word = s[:n]
		}
		if word != "" {
			rest = append(rest, word)
		}
		s = s[n:]
	}
	q.Text = strings.Join(rest, " ")
	if len(q.Phrases) == 1 && q.Phrases[0] == q.Text && strings.Count(q.Text, " ") >= wholeWords {
		q.Read = slices.DeleteFunc(q.Read, func(r string) bool { _, n, ok := readQuoted(r); return ok && n == len(r) })
		if q.Phrases = nil; len(q.Read) == 0 {
			q.Read = nil
		}
	}
	return q
}

// takeFilter parses the filter that s begins with, and returns its length and the part of it that is used for ranking.
func (q *Query) takeFilter(s string) (n int, word string, ok bool) {
	full := len(q.Read) == maxFilters
	if phrase, n, ok := readQuoted(s); ok {
		if !full {
			q.Phrases = append(q.Phrases, phrase)
		}
		return n, phrase, true
	}
	if s[0] == '-' {
		n := wordEnd(s)
		if not := s[1:n]; isExcludable(not) {
			if !full {
				q.Not = append(q.Not, not)
			}
			return n, "", true
		}
		return 0, "", false
	}
	key, value, found := strings.Cut(s[:wordEnd(s)], ":")
	if !found {
		return 0, "", false
	}
	n = wordEnd(s)
	if v, m, ok := readQuoted(s[len(key)+1:]); ok {
		value, n = v, len(key)+1+m
	}
	if value == "" || full || !q.setFilter(strings.ToLower(key), value) {
		return 0, "", false
	}
	return n, "", true
}

// setFilter stores the value of a filter. If a filter is repeated, the first value counts and the second is words.
func (q *Query) setFilter(key, value string) bool {
	text := map[string]*string{"path": &q.Path, "section": &q.Section, "kind": &q.Kind, "type": &q.Kind, "collection": &q.Collection}
	if key == "path" && !isGlob(value) {
		return false
	}
	if at := text[key]; at != nil && *at == "" {
		*at = value
		return true
	}
	if key == "tag" {
		q.Tags = append(q.Tags, value)
		return true
	}
	day := map[string]*time.Time{"after": &q.After, "since": &q.After, "before": &q.Before}
	if at := day[key]; at != nil && at.IsZero() {
		t, err := parseDate(value)
		*at = t
		return err == nil
	}
	return false
}

// maxForms limits the patterns that the groups {a,b} of one pattern expand to, as in the collections themselves.
const maxForms = 64

// isGlob reports whether a text is a valid pattern of paths; others were not meant as a filter.
func isGlob(text string) bool {
	list, err := glob.Groups(text, maxForms)
	return err == nil && !slices.ContainsFunc(list, func(one string) bool {
		_, ok := glob.Runes.Split(one)
		return !ok || glob.Check(one) != nil || strings.TrimLeft(strings.TrimPrefix(one, "./"), "/") == ""
	})
}

// parseDate parses a year, a month or a day.
func parseDate(s string) (t time.Time, err error) {
	for _, form := range []string{time.DateOnly, "2006-01", "2006"} {
		if t, err = time.Parse(form, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, err
}

// readQuoted parses a text in double quotes at the beginning of s.
func readQuoted(s string) (text string, n int, ok bool) {
	for _, mark := range []struct {
		open string
		end  rune
	}{{`"`, '"'}, {"“", '”'}} {
		rest, found := strings.CutPrefix(s, mark.open)
		if !found {
			continue
		}
		end := strings.IndexRune(rest[:min(len(rest), maxPhrase)], mark.end)
		if end < 0 {
			return "", 0, false
		}
		text = strings.Join(strings.Fields(rest[:end]), " ")
		return text, len(mark.open) + end + utf8.RuneLen(mark.end), text != ""
	}
	return "", 0, false
}

func wordEnd(s string) int {
	if n := strings.IndexFunc(s, unicode.IsSpace); n >= 0 {
		return n
	}
	return len(s)
}

// isExcludable reports whether -word excludes a word: it has only letters and digits, and is not an option.
func isExcludable(word string) bool {
	return utf8.RuneCountInString(word) >= minNot && strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0
}

// Filters reports whether the question has filters.
func (q Query) Filters() bool { return len(q.Read) > 0 }

// Narrow reports whether the question has filters other than a collection.
func (q Query) Narrow() bool {
	return len(q.Read) > 1 || len(q.Read) == 1 && q.Collection == ""
}
