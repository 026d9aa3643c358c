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
	// Dense says that the bound stands for one of counted tokens, so that what has many
	// for its bytes, such as digits and hashes, costs more.
	Dense bool

	counted bool // a line above the summary says how many lines the text has
}

// Summary is a text made short.
type Summary struct {
	Text  string
	Kind  Kind
	Whole bool // the text as it was, because it is within the bound
	Units int  // lines, records or members of the text
	Kept  int  // how many of them the summary shows, whole or in part

	left   string // how many of its parts it does not show, for the note at its end
	gapped bool   // some of its gaps have marks, and short ones have none
	lines  int    // of the text, where its units are no lines but its reader counts these
	lined  bool   // its units are lines, whatever those of its kind are
}

// Shorten makes a text short enough. One within the bound is returned as it is.
func Shorten(text string, o Options) Summary {
	whole := len(text) <= o.Bytes
	if !whole {
		text = withoutData(withoutMeters(plainText(text)))
	}
	size := len(text)
	if !whole {
		text = strings.TrimSuffix(text, "\n") // what ends the last line begins no other
	}
	kind := o.Kind
	if kind == Unknown {
		kind = Detect(text)
	}
	if len(text) <= o.Bytes {
		return Summary{Text: text, Kind: kind, Whole: whole}
	}
	if o.Kind == Unknown {
		if out := shortenOutputs(splitOutputs(text, kind), o); out.Text != "" {
			return out
		}
	}
	s := newShortener(o)
	most := max(readWhole(kind, text), sampleShare*o.Bytes)
	if s.parted = standsBelow(kind, text); s.parted {
		most = max(most, partedBytes)
	}
	read, part := s.sample(kind, text, most)
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
		kind = out.Kind // JSON that is a log
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

// addNote adds the note of what was left out of a text.
func (out *Summary) addNote(text string, o Options) {
	if !o.counted && (out.Kind == YAML || out.Kind == INI) {
		out.lines = strings.Count(text, "\n") + 1
	}
	left := leftNote(out.Kind, *out)
	if len(out.Text)+1+len(left) > o.Bytes {
		out.gapped = false // lines tell more
		left = leftNote(out.Kind, *out)
	}
	out.Text = strings.TrimPrefix(cutWhole(out.Text, o.Bytes-len(left)-1)+"\n"+left, "\n")
}

// noteRoom returns how many bytes the note at the end of a summary takes.
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

// standsBelow reports whether lines of a text stand below others, so that they cannot be read each by itself.
func standsBelow(kind Kind, text string) bool {
	switch kind {
	case Diff, Tests, Compiler, Trace, Tree:
		return true
	}
	return layoutOf(kind, cut(text, looked)) != nil
}

// leftNote says at the end of a summary how much was left out: where gaps were marked in their places, their sum.
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
		name += "; " + grouped3(s.lines) + " lines in all"
	}
	return note("%s%v of the %v %s", s.left, s.Units-s.Kept, s.Units, name)
}

// What the note at the end of a summary takes, and the bound from which there is one.
const (
	noteBytes = 52
	partBytes = 72 // where a text was read in part
	minNoted  = 240
	minSaid   = 1600 // from which it says that short gaps have no mark
	partNote  = 30   // what it takes more for each sort of parts
)

// unitName is what the units of a kind are called in notes.
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

// shortener is one summary in the making.
type shortener struct {
	subject subject
	dense   bool      // see Options
	part    bool      // the text is a part of what there is, so that counts are the least
	read    textLines // that part, where it is one of lines
	layout  *layout   // of the lines that are being chosen
	parted  bool      // lines of the text stand below others
	tallied bool      // some list is told by its values: a short text may say everything
}

// noteLike writes how many lines like one are not shown, and for a text that was read in part how many at least.
func (s *shortener) noteLike(left, all int) string {
	if s.part {
		return note("%s more like it", s.count(left))
	}
	return note("%v of %v like it", left, all)
}

// allOf says what all units have in common: of a text that was read in part all of those that were read.
func (s *shortener) allOf(units string) string {
	if s.part {
		return "all " + units + " read"
	}
	return "all"
}

// count is a number for a note.
func (s *shortener) count(n int) string {
	if s.part {
		return "at least " + grouped3(n)
	}
	return grouped3(n)
}

// counted returns how many of a unit there are, in brackets.
func counted(s *shortener, n int, unit string) string {
	if s.part {
		return note("%s "+unit, s.count(n))
	}
	return "[" + grouped3(n) + " " + unit + "]"
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

// shortenMembers shortens YAML and INI, and what is neither; the summary is empty where a text is none.
func shortenMembers(s *shortener, kind Kind, text string, bytes int) Summary {
	v, rest := parseMembers(kind, text)
	if v == nil {
		return Summary{}
	}
	if rest = s.aside(rest, bytes/4); len(rest) > bytes/2 {
		rest = ""
	}
	out := s.shortenJSON(v, bytes-len(rest))
	out.Text += rest
	return out
}

// shortenValue shortens JSON and what stands behind it; the summary is empty where its form would lose too much.
func (s *shortener) shortenValue(text string, bytes int) Summary {
	v, rest := parseJSON(text)
	if v == nil {
		return Summary{}
	}
	rest = s.aside(rest, bytes/4)
	out := s.shortenJSON(v, bytes-len(rest)-1)
	if len(out.Text) > min(bytes/3, 1200) || s.tallied || out.Kept == out.Units && !strings.Contains(out.Text, omission) {
		out.Text += rest
		return out
	}
	return Summary{}
}

// aside returns what is kept of the lines that are no units of a kind, such as the errors of a search, on lines of their
// own behind those units; "" of none.
func (s *shortener) aside(text string, bytes int) string {
	text = strings.Trim(text, "\n")
	if len(text) > bytes {
		out := s.shortenLines(Prose, text, bytes-noteBytes)
		if text = out.Text; out.Kept < out.Units {
			text = strings.TrimPrefix(text+"\n"+leftNote(Prose, out), "\n")
		}
	}
	return strings.TrimSuffix("\n"+text, "\n")
}

// What lines beside the units of a kind take of a summary at most, and in a small one.
const (
	asideShare = 16
	minAside   = 120 // bytes
)

// sample is what is read of a text, and whether that is a part of it only.
func (s *shortener) sample(kind Kind, text string, most int) (string, bool) {
	switch kind {
	case JSON:
		if strings.Count(cut(text, looked), "\n{") > 1 { // a value a line
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

// unitsOf counts the units of a text that is not read whole: its lines, and at least one member.
func unitsOf(kind Kind, text string) int {
	if kind == JSON || kind == YAML || kind == HTML {
		return 1
	}
	return strings.Count(text, "\n") + 1
}

// cutWhole takes at most n bytes of a text: whole lines, or a line that says that it was cut.
func cutWhole(text string, n int) string {
	if len(text) <= n {
		return text
	}
	if i := strings.LastIndexByte(text[:n+1], '\n'); i > n/2 {
		return strings.TrimRight(text[:i], " \n")
	}
	return cutMarked(text, n)
}

// cutMarked takes at most n bytes of a text with a mark of omission at their end.
func cutMarked(text string, n int) string {
	if len(text) <= n {
		return text
	}
	if n <= len(omission) {
		return ""
	}
	return cut(text, n-len(omission)) + omission
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
