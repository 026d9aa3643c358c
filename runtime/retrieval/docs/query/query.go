package query

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/glob"
)

// Query is a question without its filters, and those.
type Query struct {
	Text       string    // to be ranked by; the words of phrases are in it
	Path       string    // glob
	Section    string    // words of the headings
	Kind       string    // of document, or the ending of its name
	Collection string    //
	Phrases    []string  // that a passage must hold
	Not        []string  // words that no passage may hold
	After      time.Time // changed on that day or later
	Before     time.Time // changed before that day
	Tags       []string  // that a document must have
	Read       []string  // the filters as they were written
	Said       []Said    // those of them that are plain words
}

// maxFilters bounds what is read of one question; more are words.
const maxFilters = 16

// minNot is how long a word is that can be excluded: -v and -rf are options of
// programs, and what is asked about.
const minNot = 3

// maxPhrase is how many bytes a phrase has at most. What is quoted at greater length is words: each quote that nothing
// closes would be looked for to the end of the question.
const maxPhrase = 2_000

// wholeWords is how many words a question in quotes has at least, less one: no text has a
// sentence of its reader's, so the quotes are only around it.
const wholeWords = 4

// Parse reads a question: its operators, and the few phrases of plain words that mean a
// filter, such as "in the manual collection" with a name of collections. One that is nothing
// but operators has an empty text.
func Parse(question string, collections ...string) Query {
	q := Operators(question)
	if len(q.Phrases) == 0 && len(q.Text) <= maxPhrase { // who quotes writes filters as operators
		q.phrases(collections)
	}
	return q
}

// Operators reads a question without phrases.
func Operators(question string) Query {
	var q Query
	var rest []string
	for s := strings.TrimLeftFunc(question, unicode.IsSpace); s != ""; s = strings.TrimLeftFunc(s, unicode.IsSpace) {
		n, word, ok := q.take(s)
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
		q.Read = slices.DeleteFunc(q.Read, func(r string) bool { _, n, ok := quoted(r); return ok && n == len(r) })
		if q.Phrases = nil; len(q.Read) == 0 {
			q.Read = nil
		}
	}
	return q
}

// take reads the filter that s begins with: how long it is, and what of it is ranked by.
func (q *Query) take(s string) (n int, word string, ok bool) {
	full := len(q.Read) == maxFilters
	if phrase, n, ok := quoted(s); ok {
		if !full {
			q.Phrases = append(q.Phrases, phrase)
		}
		return n, phrase, true
	}
	if s[0] == '-' {
		n := wordEnd(s)
		if not := s[1:n]; excludable(not) {
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
	if v, m, ok := quoted(s[len(key)+1:]); ok {
		value, n = v, len(key)+1+m
	}
	if value == "" || full || !q.set(strings.ToLower(key), value) {
		return 0, "", false
	}
	return n, "", true
}

// set keeps the value of a filter. The first of two stands, the second is words.
func (q *Query) set(key, value string) bool {
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
		t, err := date(value)
		*at = t
		return err == nil
	}
	return false
}

// maxForms is how many patterns the groups {a,b} of one may stand for, as in the collections themselves.
const maxForms = 64

// isGlob reports whether a text is a pattern of paths: what is none was not meant as a filter.
func isGlob(text string) bool {
	list, err := glob.Groups(text, maxForms)
	return err == nil && !slices.ContainsFunc(list, func(one string) bool {
		_, ok := glob.Runes.Split(one)
		return !ok || glob.Check(one) != nil || strings.TrimLeft(strings.TrimPrefix(one, "./"), "/") == ""
	})
}

// date reads a year, a month or a day.
func date(s string) (t time.Time, err error) {
	for _, form := range []string{time.DateOnly, "2006-01", "2006"} {
		if t, err = time.Parse(form, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, err
}

// quoted reads what stands in double quotes at the beginning of s.
func quoted(s string) (text string, n int, ok bool) {
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

// excludable reports whether -word excludes a word: one of letters, and not an option.
func excludable(word string) bool {
	return utf8.RuneCountInString(word) >= minNot && strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0
}

// Filters reports whether anything but words was asked.
func (q Query) Filters() bool { return len(q.Read) > 0 }

// Narrow reports whether more was asked than words and a collection.
func (q Query) Narrow() bool {
	return len(q.Read) > 1 || len(q.Read) == 1 && q.Collection == ""
}
