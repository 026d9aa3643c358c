package toolrank

import (
	"strings"
	"unicode/utf8"
)

// opening is the length in bytes of the text after a description's first sentence that says what a
// tool does. The text after it mostly says how to call the tool.
const opening = 400

// splitProse splits a description into its first sentence, the text that follows closely and the rest.
// Code, purposes that the tool is not for and its responses to errors are left out: they are words
// of other tools.
func splitProse(text string) (lead, body, rest string) {
	var kept strings.Builder
	code := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
			continue
		}
		if code || isWarning(line) {
			continue
		}
		if beginsErrors(line) {
			break
		}
		for s := range sentences(line) {
			if !isWarning(s) {
				kept.WriteString(stripLabel(stripNoting(s)))
			}
		}
	}
	clean := strings.TrimSpace(kept.String())
	end := firstSentence(clean)
	lead, body = clean[:end], clean[end:]
	if len(body) > opening {
		at := opening
		for !utf8.RuneStart(body[at]) {
			at--
		}
		body, rest = body[:at], body[at:]
	}
	return lead, body, rest
}

// warnings begin sentences and lines that say what a tool is not for.
var warnings = []string{"not recommended", "do not ", "don't ", "never ", "not for ", "common mistake", "avoid ", "must not ",
	"cannot ", "unlike ", "not suitable", "when not to "}

func isWarning(text string) bool {
	text = strings.TrimLeft(text, " \t*_#>-")
	for _, w := range warnings {
		if len(text) >= len(w) && strings.EqualFold(text[:len(w)], w) {
			return true
		}
	}
	return false
}

// labelWords is the maximum number of words in a label.
const labelWords = 3

// stripLabel returns a text without the label before it: Note:, **Best for:**.
func stripLabel(text string) string {
	i := strings.IndexByte(text, ':')
	if i < 0 || i+1 < len(text) && text[i+1] != ' ' && text[i+1] != '*' && text[i+1] != '\n' {
		return text
	}
	if label := strings.Trim(text[:i], " \t*_#>-"); len(strings.Fields(label)) > labelWords || strings.ContainsAny(label, "\"'`()") {
		return text
	}
	return text[i+1:]
}

// notings begin sentences that note something: these are not about notes.
var notings = []string{"note that ", "please note that ", "please note ", "it is important to note that ", "take note that "}

// stripNoting returns a sentence without a noting at its beginning.
func stripNoting(text string) string {
	at := len(text) - len(strings.TrimLeft(text, " \t*_#>-("))
	for _, n := range notings {
		if len(text) >= at+len(n) && strings.EqualFold(text[at:at+len(n)], n) {
			return " " + text[at+len(n):]
		}
	}
	return text
}

// beginsErrors reports whether a description lists its errors after this line.
func beginsErrors(line string) bool {
	const head = "error responses"
	return len(line) >= len(head) && strings.EqualFold(line[:len(head)], head)
}

// sentences yields the sentences of a line, including their ends.
func sentences(line string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		from := 0
		for i := 1; i+1 < len(line); i++ {
			if (line[i] == '.' || line[i] == ';') && line[i+1] == ' ' {
				if !yield(line[from : i+1]) {
					return
				}
				from = i + 1
			}
		}
		yield(line[from:])
	}
}

// stripToolNames returns a text without the names of other tools: sentences about them do not describe
// this one.
func stripToolNames(text, own string, known map[string]bool) string {
	if !strings.ContainsAny(text, "_-.") {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		n := nameRun(text[i:])
		if n == 0 {
			out.WriteByte(text[i])
			i++
			continue
		}
		if w := strings.TrimRight(text[i:i+n], ".-_"); w == own || !known[w] {
			out.WriteString(text[i : i+n])
		}
		i += n
	}
	return out.String()
}

// nameRun returns the length in bytes of the beginning of a text that may be a tool's name.
func nameRun(text string) int {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '_' && c != '-' && c != '.' && !isDigit(c) && !isUpper(c) && (c < 'a' || c > 'z') && c < utf8.RuneSelf {
			return i
		}
	}
	return len(text)
}

// firstSentence returns the length of text's first sentence or line.
func firstSentence(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			return i
		case '.', '!', '?':
			if i > 20 && i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\n') {
				return i + 1
			}
		}
	}
	return len(text)
}
