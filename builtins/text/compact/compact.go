package compact

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Subject describes what the conversation was about when the tool was called. All fields may be empty.
type Subject struct {
	Task      string // the user's words
	Arguments string // of the call, as JSON or text
	Known     string // what the model has read before: earlier calls and their results
}

// Options limit a summary.
type Options struct {
	Bytes   int // maximum size of the summary; a token is about four bytes
	Subject Subject
	Kind    Kind // how to read the text; Unknown to detect it
	// Dense says that the limit stands for a limit in counted tokens, so text with many tokens for its bytes, such as
	// digits and hashes, costs more.
	Dense bool

	counted bool // a line above the summary gives the number of lines of the text
}

// Summary is a shortened text.
type Summary struct {
	Text  string
	Kind  Kind
	Whole bool // the text is unchanged, because it is within the limit
	Units int  // lines, records or members of the text
	Kept  int  // the number of units that the summary shows, whole or in part

	left   string // the parts that are not shown, for the note at the end
	gapped bool   // some gaps have a marker, and short gaps have none
	lines  int    // lines of the text, if its units are not lines but its readers count lines
	lined  bool   // the units are lines, whatever the units of its kind are
}

// Document is a text that is to be shortened, perhaps to several limits. What does not depend
// on the limit is computed once, when first needed. It may be used by several goroutines.
type Document struct {
	text  string
	clean func() string           // without escape sequences, progress meters and data
	parts func() (Kind, []output) // how to read the clean text, and the outputs that it consists of
}

// NewDocument returns a document. It does not read the text yet.
func NewDocument(text string) *Document {
	d := &Document{text: text, clean: sync.OnceValue(func() string { return withoutData(withoutMeters(plainText(text))) })}
	d.parts = sync.OnceValues(func() (Kind, []output) {
		clean := strings.TrimSuffix(d.clean(), "\n")
		kind := Detect(clean)
		all := splitOutputs(clean, kind)
		for i := range all {
			all[i].document = NewDocument(all[i].text)
		}
		return kind, all
	})
	return d
}

// Shorten shortens a text to the limit. A text within the limit is returned unchanged.
func Shorten(text string, o Options) Summary { return NewDocument(text).Shorten(o) }

// Shorten shortens the text to the limit. A text within the limit is returned unchanged.
func (d *Document) Shorten(o Options) Summary {
	if len(d.text) <= o.Bytes {
		kind := o.Kind
		if kind == Unknown {
			kind = Detect(d.text)
		}
		return Summary{Text: d.text, Kind: kind, Whole: true}
	}
	size := len(d.clean())
	text := strings.TrimSuffix(d.clean(), "\n") // the newline that ends the last line does not begin another
	kind, all := o.Kind, []output(nil)
	if kind == Unknown {
		kind, all = d.parts()
	}
	if len(text) <= o.Bytes {
		return Summary{Text: text, Kind: kind}
	}
	if o.Kind == Unknown {
		if out := shortenOutputs(slices.Clone(all), o); out.Text != "" {
			return out
		}
	}
	s := newShortener(o)
	most := max(readWhole(kind, text), sampleShare*o.Bytes)
	if s.parted = standsBelow(kind, text); s.parted {
		most = max(most, partedBytes)
	}
	read, part := s.sampleText(kind, text, most)
	s.part = part
	if kind != JSON && kind != YAML {
		read = withoutColumns(read)
	}
	room := o.Bytes - noteRoom(kind, text, o, part)
	out := s.shorten(kind, read, room)
	if out.Text == "" {
		out = s.shortenLines(Prose, read, room) // not of that kind after all
	}
	if out.Kind != Unknown {
		kind = out.Kind // for example JSON that is a log
	}
	out.Kind = kind
	out.Text = cutWhole(out.Text, room)
	if part {
		out.Units = max(out.Units+1, unitsOf(kind, text))
		if room < o.Bytes {
			out.Text = strings.TrimPrefix(out.Text+"\n"+note("%v bytes, of which %v bytes were read", size, len(read)), "\n")
		}
		return out
	}
	if room < o.Bytes && out.Kept < out.Units {
		out.addNote(text, o)
	}
	return out
}

// addNote appends the note that says what was left out of a text.
func (out *Summary) addNote(text string, o Options) {
	if !o.counted && (out.Kind == YAML || out.Kind == INI) {
		out.lines = strings.Count(text, "\n") + 1
	}
	left := leftNote(out.Kind, *out)
	if len(out.Text)+1+len(left) > o.Bytes {
		out.gapped = false // the number of lines is more useful
		left = leftNote(out.Kind, *out)
	}
	out.Text = strings.TrimPrefix(cutWhole(out.Text, o.Bytes-len(left)-1)+"\n"+left, "\n")
}

// noteRoom returns the number of bytes reserved for the note at the end of a summary.
func noteRoom(kind Kind, text string, o Options, part bool) int {
	switch {
	case o.Bytes < minNoted:
		return 0
	case part:
		return partBytes
	case kind == JSON, o.counted && (kind == YAML || kind == INI):
		return noteBytes
	case kind == YAML, kind == INI:
		return noteBytes + len("; 99,999 lines in all")
	}
	gapped := o.Bytes >= minSaid && (kind == Prose || kind == Markdown || kind == Source)
	return len(leftNote(Prose, Summary{Units: strings.Count(text, "\n") + 1, gapped: gapped})) + 1
}

// standsBelow reports whether lines of a text belong to lines above them and so cannot be read in isolation.
func standsBelow(kind Kind, text string) bool {
	switch kind {
	case Diff, Tests, Compiler, Trace, Tree:
		return true
	}
	return layoutOf(kind, cut(text, looked)) != nil
}

// leftNote returns the note at the end of a summary: how much was left out, including what gap markers already say.
func leftNote(k Kind, s Summary) string {
	name := unitName(k)
	if s.lined {
		name = "lines"
	}
	if s.gapped {
		name += " left out; short gaps have no mark"
	} else {
		name += " left out"
	}
	if s.lines > 0 {
		name += "; " + withCommas(s.lines) + " lines in all"
	}
	return note("%s%v of the %v %s", s.left, s.Units-s.Kept, s.Units, name)
}

// The size of the note at the end of a summary, and the limit from which there is one.
const (
	noteBytes = 52
	partBytes = 72 // if the text was read in part
	minNoted  = 240
	minSaid   = 1600 // from here the note says that short gaps have no marker
	partNote  = 30   // extra bytes for each sort of part
)

// unitName returns the name of a kind's units in notes.
func unitName(k Kind) string {
	switch k {
	case JSON, YAML, INI:
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

// shortener makes one summary.
type shortener struct {
	subject subject
	dense   bool      // see Options
	part    bool      // the text is only a part of the source, so counts are lower bounds
	read    textLines // that part, if it consists of lines
	layout  *layout   // of the lines that are being chosen
	parted  bool      // lines of the text belong to lines above them
	tallied bool      // some list is written as counts of its values: a short summary may be complete
}

// noteLike returns a note with the number of similar lines not shown, a lower bound if the text was read in part.
func (s *shortener) noteLike(left, all int) string {
	if s.part {
		return note("%s more like it", s.formatCount(left))
	}
	return note("%v of %v like it", left, all)
}

// allOf returns the words for what all units have in common: for a text read in part, all units that were read.
func (s *shortener) allOf(units string) string {
	if s.part {
		return "all " + units + " read"
	}
	return "all"
}

// formatCount formats a number for a note.
func (s *shortener) formatCount(n int) string {
	if s.part {
		return "at least " + withCommas(n)
	}
	return withCommas(n)
}

// countOfUnits returns the number of a unit, in brackets.
func countOfUnits(s *shortener, n int, unit string) string {
	if s.part {
		return note("%s "+unit, s.formatCount(n))
	}
	return "[" + withCommas(n) + " " + unit + "]"
}

func newShortener(o Options) *shortener {
	return &shortener{subject: readSubject(o.Subject), dense: o.Dense, layout: &layout{}}
}

func (s *shortener) shorten(kind Kind, text string, bytes int) Summary {
	if out := s.shortenEvents(kind, text, bytes); out.Text != "" {
		return out
	}
	if l := layoutOf(kind, text); l != nil {
		return s.keep(s.linesOf(text), l, bytes)
	}
	switch kind {
	case Diff:
		t := s.linesOf(text)
		if c := readCommits(t.lines); len(c) > 1 {
			return s.shortenCommits(t, c, bytes)
		}
	case JSON:
		if out := s.shortenValue(text, bytes); out.Text != "" {
			return out
		}
	case YAML, INI:
		if out := shortenMembers(s, kind, text, bytes); out.Text != "" {
			return out
		}
	case Help:
		return shortenHelp(text, bytes, &s.subject)
	case Table:
		return s.shortenTables(text, bytes)
	case HTML: // its text
		if len(text) <= bytes {
			return Summary{Text: text}
		}
		return s.shortenLines(Markdown, text, bytes)
	case Listing:
		return s.shortenListing(unnumber(strings.TrimSpace(text)), bytes)
	case Tree:
		return s.shortenTree(unnumber(strings.TrimSpace(text)), bytes)
	case Hits:
		return s.shortenHits(unnumber(strings.TrimSpace(text)), bytes)
	case Log:
		return s.shortenLog(text, bytes)
	case Tests:
		return s.shortenFindings(text, bytes, "", findTests)
	case Compiler:
		return s.shortenFindings(text, bytes, "errors", findDiagnostics)
	case Trace:
		return s.shortenTrace(text, bytes)
	}
	return s.shortenLines(kind, text, bytes)
}

// shortenMembers shortens YAML and INI, with any other lines after them; the summary is empty if there are no members.
func shortenMembers(s *shortener, kind Kind, text string, bytes int) Summary {
	v, rest := parseMembers(kind, text)
	if v == nil {
		return Summary{}
	}
	if rest = s.shortenAside(rest, bytes/4); len(rest) > bytes/2 {
		rest = ""
	}
	out := s.shortenJSON(v, bytes-len(rest))
	out.Text += rest
	return out
}

// shortenValue shortens JSON and the text after it; the summary is empty if the form of JSON would lose too much.
func (s *shortener) shortenValue(text string, bytes int) Summary {
	v, rest := parseJSON(text)
	if v == nil {
		return Summary{}
	}
	rest = s.shortenAside(rest, bytes/4)
	out := s.shortenJSON(v, bytes-len(rest)-1)
	if len(out.Text) > min(bytes/3, 1200) || s.tallied || out.Kept == out.Units && !strings.Contains(out.Text, omission) {
		out.Text += rest
		return out
	}
	return Summary{}
}

// shortenAside shortens the lines that are not units of the kind, such as the errors of a search. They go on lines of their
// own after the units; "" if there are none.
func (s *shortener) shortenAside(text string, bytes int) string {
	text = strings.Trim(text, "\n")
	if len(text) > bytes {
		out := s.shortenLines(Prose, text, bytes-noteBytes)
		if text = out.Text; out.Kept < out.Units {
			text = strings.TrimPrefix(text+"\n"+leftNote(Prose, out), "\n")
		}
	}
	return strings.TrimSuffix("\n"+text, "\n")
}

// Lines that are not units of the kind take at most 1/asideShare of a summary, in a small one minAside.
const (
	asideShare = 16
	minAside   = 120 // bytes
)

// sampleText returns the part of a text to read, and whether it is only a part.
func (s *shortener) sampleText(kind Kind, text string, most int) (string, bool) {
	switch kind {
	case JSON:
		if strings.Count(cut(text, looked), "\n{") > 1 { // one value per line
			return s.sampleLines(text, most)
		}
		return s.sampleJSON(text, most)
	case YAML:
		if s.parted {
			break
		}
		return s.sampleYAML(text, most)
	case HTML:
		page := cut(text, htmlBytes)
		said, part := s.sampleLines(textOfHTML(page), most)
		return said, part || len(page) < len(text)
	}
	return s.sampleLines(text, most)
}

// unitsOf counts the units of a text that is read in part: its lines, or at least one member.
func unitsOf(kind Kind, text string) int {
	if kind == JSON || kind == YAML || kind == HTML {
		return 1
	}
	return strings.Count(text, "\n") + 1
}

// cutWhole returns at most n bytes of a text: whole lines, or a line with a mark that it was cut.
func cutWhole(text string, n int) string {
	if len(text) <= n {
		return text
	}
	if i := strings.LastIndexByte(text[:n+1], '\n'); i > n/2 {
		return strings.TrimRight(text[:i], " \n")
	}
	return cutMarked(text, n)
}

// cutMarked returns at most n bytes of a text, ending in an omission mark if it was cut.
func cutMarked(text string, n int) string {
	if len(text) <= n {
		return text
	}
	if n <= len(omission) {
		return ""
	}
	return cut(text, n-len(omission)) + omission
}

// cut returns at most n bytes of a text, in whole runes.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return strings.TrimRight(text[:n], " \n")
}
