package trust

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// MaxLines limits the lines returned by Diff.
const MaxLines = 40

// Diff describes the changes between two definitions of a tool to a person, one per line:
//
//	description: +42 -3 characters: … "also send the file to" …
//	annotations.readOnlyHint: true → false
//	inputSchema.properties.path: added, {"type":"string"}
//
// Only what Hash covers is compared, so equal hashes yield no lines. Foreign text is quoted, with hidden characters
// escaped. A definition that cannot be read yields one line that says so.
func Diff(old, new json.RawMessage) []string {
	var lines []string
	for _, c := range compare(old, new) {
		if len(lines) == MaxLines {
			return append(lines, "and more")
		}
		lines = append(lines, c.at+": "+c.what)
	}
	return lines
}

// change is one difference: where, and what.
type change struct{ at, what string }

func compare(old, new json.RawMessage) []change {
	a, err := readTool(old)
	if err != nil {
		return []change{{"the approved definition", "cannot be read: " + err.Error()}}
	}
	b, err := readTool(new)
	if err != nil {
		return []change{{"the new definition", "cannot be read: " + err.Error()}}
	}
	var d differ
	d.objects("", a, b)
	return d.changes
}

type differ struct{ changes []change }

func (d *differ) add(at, format string, args ...any) {
	if len(d.changes) <= MaxLines {
		d.changes = append(d.changes, change{at, fmt.Sprintf(format, args...)})
	}
}

// objects compares members in the order of their names, as hashed.
func (d *differ) objects(at string, a, b []rawjson.Member) {
	old, new := byName(a), byName(b)
	for _, name := range names(a, b) {
		x, had := old[name]
		y, has := new[name]
		switch where := join(at, name); {
		case !had:
			d.add(where, "added, %s", showNew(y))
		case !has:
			d.add(where, "removed, was %s", showOld(x))
		default:
			d.values(where, x, y)
		}
	}
}

func byName(members []rawjson.Member) map[string]json.RawMessage {
	out := make(map[string]json.RawMessage, len(members))
	for _, m := range members {
		out[m.Name] = m.Value
	}
	return out
}

func names(lists ...[]rawjson.Member) []string {
	var out []string
	for _, members := range lists {
		for _, m := range members {
			out = append(out, m.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (d *differ) values(at string, x, y json.RawMessage) {
	if canonical(x) == canonical(y) {
		return
	}
	kind := rawjson.Of(x)
	if kind != rawjson.Of(y) {
		d.add(at, "%s → %s", showOld(x), showNew(y))
		return
	}
	switch kind {
	case rawjson.Object:
		a, _ := rawjson.Members(x)
		b, _ := rawjson.Members(y)
		d.objects(at, a, b)
	case rawjson.Array:
		d.arrays(at, x, y)
	case rawjson.String:
		a, _ := rawjson.Text(x)
		b, _ := rawjson.Text(y)
		d.texts(at, a, b)
	default:
		d.add(at, "%s → %s", showOld(x), showOld(y))
	}
}

// arrays distinguishes added, removed and merely reordered items.
func (d *differ) arrays(at string, x, y json.RawMessage) {
	a, _ := rawjson.Items(x)
	b, _ := rawjson.Items(y)
	if len(a) == len(b) && slices.ContainsFunc(a, isComposite) {
		for i := range a {
			d.values(at+"["+strconv.Itoa(i)+"]", a[i], b[i])
		}
		return
	}
	came, went := itemsMissing(b, a), itemsMissing(a, b)
	for _, v := range came {
		d.add(at, "added %s", showNew(v))
	}
	for _, v := range went {
		d.add(at, "removed %s", showOld(v))
	}
	if len(came)+len(went) == 0 {
		d.add(at, "the order of its %d values changed", len(b))
	}
}

func isComposite(v json.RawMessage) bool {
	kind := rawjson.Of(v)
	return kind == rawjson.Object || kind == rawjson.Array
}

// itemsMissing returns the items of a that are not in b, counting repetitions.
func itemsMissing(a, b []json.RawMessage) []json.RawMessage {
	count := map[string]int{}
	for _, v := range b {
		count[canonical(v)]++
	}
	var out []json.RawMessage
	for _, v := range a {
		key := canonical(v)
		if count[key]--; count[key] < 0 {
			out = append(out, v)
		}
	}
	return out
}

// texts shows the text between the common beginning and the common end of two texts.
func (d *differ) texts(at, old, new string) {
	a, b := []rune(old), []rune(new)
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	added, removed := len(b)-start-end, len(a)-start-end
	start, end = wholeWords(a, b, start, end)
	gone, came := a[start:len(a)-end], b[start:len(b)-end]
	if len(a) <= 40 && len(b) <= 40 {
		d.add(at, "%s → %s", quote(old), quote(new))
		return
	}
	shown := "now " + quoteUpTo(string(came), maxNew)
	if len(came) == 0 {
		shown = "without " + quote(string(gone))
	}
	d.add(at, "+%d -%d characters: %s", added, removed, shown)
}

// maxWord limits how far a difference is widened: there are texts without spaces.
const maxWord = 40

// wholeWords moves the ends of the common beginning and the common end of two texts to word boundaries, so that no word
// is shown in part.
func wholeWords(a, b []rune, start, end int) (int, int) {
	inWord := func(text []rune, i int) bool {
		return i > 0 && i < len(text) && !unicode.IsSpace(text[i-1]) && !unicode.IsSpace(text[i])
	}
	first, last := start, end
	for first > 0 && (inWord(a, first) || inWord(b, first)) {
		first--
	}
	for last > 0 && (inWord(a, len(a)-last) || inWord(b, len(b)-last)) {
		last--
	}
	if start-first > maxWord {
		first = start
	}
	if end-last > maxWord {
		last = end
	}
	return first, last
}

// Limits for foreign text on one line, in characters. A person decides on new text, so an instruction must not be able
// to hide behind a harmless beginning.
const (
	maxShown = 160
	maxNew   = 4000
)

// showOld formats a removed value, showNew an added one.
func showOld(v json.RawMessage) string { return upTo(v, maxShown) }
func showNew(v json.RawMessage) string { return upTo(v, maxNew) }

func upTo(v json.RawMessage, most int) string {
	if rawjson.Of(v) == rawjson.String {
		s, _ := rawjson.Text(v)
		return quoteUpTo(s, most)
	}
	return escapeUpTo(canonical(v), most)
}

func quote(s string) string { return quoteUpTo(s, maxShown) }

func quoteUpTo(s string, most int) string { return `"` + escapeUpTo(s, most) + `"` }

// cutAtSpace removes an incomplete word from the end of a cut text.
func cutAtSpace(s []rune) []rune {
	for i := len(s); i > 0 && len(s)-i <= maxWord; i-- {
		if unicode.IsSpace(s[i-1]) {
			return s[:i]
		}
	}
	return s
}

// escapeUpTo writes a text on one line, cut to a number of characters, with everything invisible escaped; letters of
// all scripts are kept.
func escapeUpTo(s string, most int) string {
	cutOff := ""
	if n := utf8.RuneCountInString(s); n > most {
		kept := cutAtSpace([]rune(s)[:most])
		s, cutOff = string(kept), fmt.Sprintf("… and %d more", n-len(kept))
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == 0x2028 || r == 0x2029:
			b.WriteString(`\n`)
		case isControl(r) || isHidden(r) || isBlank(r):
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + cutOff
}
