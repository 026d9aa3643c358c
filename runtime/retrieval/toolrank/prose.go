package toolrank

import (
	"strings"
	"unicode/utf8"
)

// opening is how much of a description behind its first sentence says what a
// tool does, in bytes. What follows mostly says how it is called.
const opening = 400

// prose cuts a description into its first sentence, what follows closely and
// the rest. Code, what the tool is not for and what it answers to errors are
// left out: they are words of other tools.
func prose(text string) (lead, body, rest string) {
	var kept strings.Builder
	code := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
			continue
		}
		if code || warns(line) {
			continue
		}
		if failures(line) {
			break
		}
		for s := range sentences(line) {
			if !warns(s) {
				kept.WriteString(unlabelled(unnoted(s)))
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

func warns(text string) bool {
	text = strings.TrimLeft(text, " \t*_#>-")
	for _, w := range warnings {
		if len(text) >= len(w) && strings.EqualFold(text[:len(w)], w) {
			return true
		}
	}
	return false
}

// labelWords is how many words a label has at most.
const labelWords = 3

// unlabelled is a text without the label before it: Note:, **Best for:**.
func unlabelled(text string) string {
	i := strings.IndexByte(text, ':')
	if i < 0 || i+1 < len(text) && text[i+1] != ' ' && text[i+1] != '*' && text[i+1] != '\n' {
		return text
	}
	if label := strings.Trim(text[:i], " \t*_#>-"); len(strings.Fields(label)) > labelWords || strings.ContainsAny(label, "\"'`()") {
		return text
	}
	return text[i+1:]
}

// notings begin sentences that note something: they are about no note.
var notings = []string{"note that ", "please note that ", "please note ", "it is important to note that ", "take note that "}

// unnoted is a sentence without such a beginning.
func unnoted(text string) string {
	at := len(text) - len(strings.TrimLeft(text, " \t*_#>-("))
	for _, n := range notings {
		if len(text) >= at+len(n) && strings.EqualFold(text[at:at+len(n)], n) {
			return " " + text[at+len(n):]
		}
	}
	return text
}

// failures reports a line behind which a description lists its errors.
func failures(line string) bool {
	const head = "error responses"
	return len(line) >= len(head) && strings.EqualFold(line[:len(head)], head)
}

// sentences calls yield for the sentences of a line, their ends included.
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

// unnamed is a text without the names of other tools: what is said of them is
// not about this one.
func unnamed(text, own string, known map[string]bool) string {
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

// nameRun is how many bytes of a text may be a tool's name.
func nameRun(text string) int {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '_' && c != '-' && c != '.' && !isDigit(c) && !isUpper(c) && (c < 'a' || c > 'z') && c < utf8.RuneSelf {
			return i
		}
	}
	return len(text)
}

// firstSentence is the length of text's first sentence or line.
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
