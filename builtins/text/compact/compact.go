package compact

import (
	"strings"
	"unicode/utf8"
)

// Subject is what the conversation was about when the tool was called. All of it may be empty.
type Subject struct {
	Task      string // the user's words
	Arguments string // of the call, as JSON or text
	Known     string // what the model has read before: earlier calls and their results
}

// Options bound a summary.
type Options struct {
	Bytes   int // of the summary at most; a token is about four
	Subject Subject
	Kind    Kind // how the text is read; Unknown has it found out
}

// Summary is a text made short.
type Summary struct {
	Text  string
	Kind  Kind
	Whole bool // the text as it was, because it is within the bound
	Units int  // lines, records or members of the text
	Kept  int  // how many of them the summary shows, whole or in part
}

// Shorten makes a text short enough. One within the bound is returned as it is.
func Shorten(text string, o Options) Summary {
	kind := o.Kind
	if kind == Unknown {
		kind = Detect(text)
	}
	if len(text) <= o.Bytes {
		return Summary{Text: text, Kind: kind, Whole: true}
	}
	s := newShortener(o)
	room := o.Bytes
	if room >= leastNoted {
		room -= noteBytes
	}
	out := s.read(kind, text, room)
	out.Kind = kind
	out.Text = cut(out.Text, room)
	if room < o.Bytes && out.Kept < out.Units {
		out.Text = strings.TrimPrefix(out.Text+"\n"+note("%v more "+unitName(kind), out.Units-out.Kept), "\n")
	}
	return out
}

// What the note at the end of a summary takes, and the bound from which there is one.
const (
	noteBytes  = 30
	leastNoted = 240
)

// unitName is what the units of a kind are called in notes.
func unitName(k Kind) string {
	switch k {
	case JSON:
		return "members"
	case Table:
		return "rows"
	case Hits:
		return "hits"
	case Listing, Tree:
		return "paths"
	}
	return "lines"
}

// shortener is one summary in the making.
type shortener struct {
	subject subject
}

func newShortener(o Options) *shortener {
	return &shortener{subject: readSubject(o.Subject)}
}

func (s *shortener) read(kind Kind, text string, bytes int) Summary {
	switch kind {
	case JSON:
		if v := parseJSON(text); v != nil {
			if out := s.shortenJSON(v, bytes); len(out.Text) > bytes/3 || len(out.Text) > 1200 {
				return out
			}
		}
	case Table:
		if rows := readRows(strings.TrimSpace(text)); rows != nil {
			t, kept := s.tableText("", rows, bytes)
			return Summary{Text: t, Units: len(rows), Kept: kept}
		}
	case HTML:
		if t := textOfHTML(text); len(t) <= bytes {
			return Summary{Text: t}
		} else {
			return s.shortenLines(Markdown, t, bytes)
		}
	case Listing:
		return s.shortenListing(unnumber(strings.TrimSpace(text)), bytes)
	case Tree:
		return s.shortenTree(unnumber(strings.TrimSpace(text)), bytes)
	case Hits:
		return s.shortenHits(unnumber(strings.TrimSpace(text)), bytes)
	case Log:
		return s.shortenLog(text, bytes)
	case Tests:
		return s.shortenFindings(text, bytes, findTests)
	case Compiler:
		return s.shortenFindings(text, bytes, findDiagnostics)
	case Trace:
		return s.shortenTrace(text, bytes)
	}
	return s.shortenLines(kind, text, bytes)
}

// cut takes at most n bytes of a text, whole runes.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return strings.TrimRight(text[:n], " \n")
}
