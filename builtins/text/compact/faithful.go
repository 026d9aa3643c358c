package compact

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// maxUnfaithful limits the number of reported claims.
const maxUnfaithful = 100

// Faithful returns the claims of a summary that its source does not contain: identifiers, numbers, paths, code and
// quoted lines, each once and in order. It is a check, not a proof: of a sentence without any of these it says nothing.
//
// Numbers in notes (see note) are not looked up if they are counts of this package. A token cut by an omission mark may
// be part of one in the source. JSON escapes count as the characters they stand for. In JSON a path is found if its
// names are.
func Faithful(source, summary string) []string {
	c := newClaims(summary)
	source = plainMarks(withoutEscapes(source), false)
	c.find(source)
	if c.open > 0 && strings.IndexByte(source, '\\') >= 0 {
		c.find(unescape(source))
	}
	if c.open > 0 {
		c.acceptByParts(source)
	}
	var out []string
	for _, x := range c.all {
		if !x.found && len(out) < maxUnfaithful {
			out = append(out, x.text)
		}
	}
	return out
}

// newClaims collects what a summary claims about its source.
func newClaims(summary string) *claims {
	c := emptyClaims()
	if looksLikeJSONText(summary) && json.Valid([]byte(summary)) {
		c.addTokens(unescape(summary)) // its quotation marks do not mark quotations
		return c
	}
	fenced := false
	for line := range strings.SplitSeq(summary, "\n") {
		t := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(t, "```"):
			fenced = !fenced
			continue
		case fenced:
			c.addQuote(t)
			continue
		case strings.HasPrefix(t, "> "):
			c.addQuote(t[2:])
		}
		c.addLine(withoutMarker(line))
	}
	return c
}

// withoutMarker removes the number of an ordered list from a line.
func withoutMarker(line string) string {
	t := strings.TrimLeft(line, " \t")
	i := 0
	for i < len(t) && i < 3 && isDigit(t[i]) {
		i++
	}
	if i > 0 && i+1 < len(t) && (t[i] == '.' || t[i] == ')') && t[i+1] == ' ' {
		return t[i+2:]
	}
	return line
}

// addLine adds the quotations and tokens of a line.
func (c *claims) addLine(line string) {
	for _, q := range quotationsIn(line) {
		c.addQuote(q)
	}
	c.addTokens(line)
}

// addTokens adds the tokens of a text, except the counts in notes, which are our own.
func (c *claims) addTokens(line string) {
	line = plainMarks(line, true)
	for line != "" {
		at, end := nextNote(line)
		eachToken(line[:at], c.addToken)
		note := line[at:end]
		eachToken(note, func(t token) {
			if !isOwnCount(note, t) {
				c.addToken(t)
			}
		})
		line = line[end:]
	}
}

// addToken adds a token that identifies something.
func (c *claims) addToken(t token) {
	form := formOf(t.text)
	if form == formNone || usual[strings.ToLower(t.text)] {
		return
	}
	if abbreviatesHash(t.text) {
		t.open |= openRight
	}
	x := claim{text: t.text, fold: form == formCapitals, index: t.index, open: t.open}
	c.add(x, t.text)
	if form == formNumber {
		if plain := strings.ReplaceAll(t.text, ",", ""); plain != t.text {
			c.addPattern(plain)
		}
	}
}

// abbreviatesHash reports whether a token may be the beginning of a hash, by which people and git name a commit.
func abbreviatesHash(t string) bool {
	return len(t) >= 7 && len(t) < 40 && isHex(t) && strings.ContainsAny(t, "abcdef") && strings.ContainsAny(t, "0123456789")
}

// addQuote adds the parts of a quoted text between omission marks.
func (c *claims) addQuote(q string) {
	for at, end := nextNote(q); at < end; at, end = nextNote(q) {
		q = q[:at] + omission + q[end:]
	}
	q = strings.ReplaceAll(q, "...", omission)
	parts := strings.Split(strings.ReplaceAll(q, " | ", omission), omission) // cells of a table were not joined in the source
	for i, part := range parts {
		open := sides(0)
		if i > 0 {
			open |= openLeft
		}
		if i < len(parts)-1 {
			open |= openRight
		}
		if part = strings.Join(strings.Fields(plainMarks(part, false)), " "); strings.ContainsFunc(part, isName) {
			c.add(claim{text: part, open: open}, part)
		}
	}
}

func isName(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// quotationsIn returns the texts in backticks of a line, and those of two words or more in double quotes.
func quotationsIn(line string) []string {
	var out []string
	for _, q := range []struct {
		open, close string
		words       int
	}{{"`", "`", 1}, {`"`, `"`, 2}, {"“", "”", 2}} {
		rest := line
		for {
			_, after, ok := strings.Cut(rest, q.open)
			if !ok {
				break
			}
			in, behind, ok := strings.Cut(after, q.close)
			if !ok {
				break
			}
			rest = behind
			if len(strings.Fields(in)) >= q.words {
				out = append(out, in)
			}
		}
	}
	return out
}

// acceptByParts accepts claims whose parts are in the source: a place if its path and its line are; in JSON also an
// index, and a path of members if its names are.
func (c *claims) acceptByParts(source string) {
	members := hasMembers(source)
	parts := emptyClaims()
	of := map[*claim][]string{}
	for _, x := range c.all {
		if x.found {
			continue
		}
		if x.index && members {
			x.found = true
			continue
		}
		if in := partsOf(x.text, members); len(in) > 1 {
			of[x] = in
			for _, p := range in {
				parts.add(claim{text: p}, p)
			}
		}
	}
	if len(of) == 0 {
		return
	}
	parts.find(source)
	if parts.open > 0 && strings.IndexByte(source, '\\') >= 0 {
		parts.find(unescape(source))
	}
	found := map[string]bool{}
	for _, x := range parts.all {
		found[x.text] = x.found
	}
	for x, in := range of {
		x.found = true
		for _, p := range in {
			x.found = x.found && found[p]
		}
	}
}

// partsOf returns the path and the line of a place, or the names of a path of members.
func partsOf(text string, members bool) []string {
	if i := strings.LastIndexByte(text, ':'); i > 0 && strings.Trim(text[i+1:], "0123456789-") == "" && i+1 < len(text) {
		return append([]string{text[:i]}, strings.FieldsFunc(text[i+1:], func(r rune) bool { return r == '-' })...)
	}
	if !members || !strings.Contains(text, ".") {
		return nil
	}
	parts := strings.Split(text, ".")
	names := 0
	for _, p := range parts {
		if p == "" {
			return nil
		}
		if len(p) > 2 && formOf(p) == formNone {
			names++
		}
	}
	for _, p := range parts {
		if isDigit(p[0]) && names < 2 { // a number, an address, a version
			return nil
		}
	}
	return parts
}

// hasMembers reports whether a text is JSON, YAML, TOML or INI, or has some among its outputs, so that its summary may
// name members by their paths.
func hasMembers(text string) bool {
	lines := strings.Split(cut(text, looked), "\n")
	return looksLikeJSONText(text) || looksLikeYAML(lines) || looksLikeINI(lines) ||
		slices.ContainsFunc(splitOutputs(text, Detect(text)), func(o output) bool { return len(o.text) < len(text) && hasMembers(o.text) })
}

func looksLikeJSONText(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	return text != "" && (text[0] == '{' || text[0] == '[') && looksLikeJSON(text)
}
