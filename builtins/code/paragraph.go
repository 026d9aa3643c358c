package code

import (
	"regexp"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lazyregexp"
)

var (
	markupTag   = lazyregexp.New(`<[^>]{0,400}>`)
	imageLink   = lazyregexp.New(`!\[[^\]]*\]\([^)]*\)|!\[[^\]]*\]\[[^\]]*\]`)
	badgeLink   = lazyregexp.New(`\[\s*\]\([^)]*\)|\[\s*\]\[[^\]]*\]`)
	textLink    = lazyregexp.New(`\[([^\]]+)\](\([^)]*\)|\[[^\]]*\])`)
	roleLink    = lazyregexp.New("`([^`<]+?)\\s*<[^>]*>`_+|`([^`]+)`_+")
	funding     = lazyregexp.New(`(?i)\bsponsor|\bdonat|\bfunding\b|\bbackers?\b|\bopen collective\b|\bthis readme\b|\bsubscription\b|\bcommercial support\b|\bwe(\s+are|'re) hiring`)
	saysWhat    = lazyregexp.New(`(?i)\b(is|are)\s+(an?|the|used|meant|designed|built)\b|\bprovides?\b|\b(framework|library|toolkit|server|client|tool|language|engine|database)\b`)
	letterWords = regexp.MustCompile(`\p{L}{2,}`)
)

// paragraphs are the first paragraphs of a document, up to max bytes, with the
// line of the first.
func paragraphs(text string, max int) (string, int) {
	first, line := firstParagraph(text)
	if line == 0 {
		return "", 0
	}
	lines := strings.Split(text, "\n")
	for from, tries := line, 0; tries < 5 && !saysWhat.MatchString(first); tries++ {
		for from < len(lines) && strings.TrimSpace(lines[from-1]) != "" {
			from++
		}
		next, at := firstParagraph(strings.Join(lines[min(from, len(lines)):], "\n"))
		if at == 0 {
			break
		}
		if from += at; saysWhat.MatchString(next) {
			first, line = next, from
		}
	}
	out := first
	for from := line; len(out) < max/2; {
		for from < len(lines) && strings.TrimSpace(lines[from]) != "" {
			from++
		}
		next, at := firstParagraph(strings.Join(lines[min(from, len(lines)):], "\n"))
		if at == 0 || at > 12 {
			break
		}
		out += " " + next
		from += at
	}
	return out, line
}

// firstParagraph is the first run of lines in a document that says something in
// words: no badge, logo, heading, list of links, directive or block of code.
func firstParagraph(text string) (string, int) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		end := paragraphEnd(lines, i)
		if end == i {
			i++
			continue
		}
		block := lines[i:end]
		at := i
		if end < len(lines) && underline(lines[end]) { // a heading of two lines
			i = end + 1
			continue
		}
		i = end
		if p := prose(block); p != "" {
			for strings.TrimSpace(plainText(lines[at])) == "" {
				at++
			}
			return p, at + 1
		}
		if fence(block[0]) {
			for i < len(lines) && !fence(lines[i]) {
				i++
			}
			i++
		}
	}
	return "", 0
}

// paragraphEnd is the line after the paragraph that begins at a line; that line
// itself where it is blank, a heading or markup.
func paragraphEnd(lines []string, from int) int {
	i := from
	for i < len(lines) {
		s := strings.TrimSpace(lines[i])
		if s == "" || strings.HasPrefix(s, "#") || underline(s) {
			break
		}
		i++
		if fence(s) {
			return i
		}
	}
	return i
}

func fence(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~")
}

// underline is the second line of a heading, or a rule.
func underline(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) >= 3 && strings.Trim(s, s[:1]) == "" && strings.ContainsRune("=-~*^\"#_+", rune(s[0]))
}

// prose is a block as one line of plain text, "" where it holds no sentence.
func prose(block []string) string {
	first := strings.TrimSpace(block[0])
	if fence(first) || strings.HasPrefix(first, "..") || strings.HasPrefix(first, ":") || strings.HasPrefix(first, "|") ||
		strings.HasPrefix(first, "$ ") || strings.HasPrefix(first, "[![") && len(block) > 2 || strings.HasPrefix(block[0], "    ") {
		return ""
	}
	var kept []string
	for _, l := range block {
		if l = plainText(l); l != "" {
			kept = append(kept, l)
		}
	}
	p := strings.Join(strings.Fields(markupTag.ReplaceAllString(strings.Join(kept, " "), " ")), " ")
	if funding.MatchString(p) {
		return ""
	}
	if len(letterWords.FindAllString(p, 6)) < 6 || strings.HasPrefix(p, "- ") || strings.HasPrefix(p, "* ") || strings.Count(p, "|")+strings.Count(p, "·")+strings.Count(p, "•") > 2 {
		return ""
	}
	return p
}

// plainText takes markup out of a line.
func plainText(l string) string {
	l = markupTag.ReplaceAllString(l, " ")
	l = imageLink.ReplaceAllString(l, "")
	l = badgeLink.ReplaceAllString(l, "")
	l = textLink.ReplaceAllString(l, "$1")
	l = roleLink.ReplaceAllString(l, "$1$2")
	if strings.Contains(l, "&nbsp;") || strings.HasPrefix(strings.TrimSpace(l), "[") && strings.Contains(l, "]:") {
		return ""
	}
	l = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(l), "> "))
	return strings.NewReplacer("**", "", "`", "", "__", "").Replace(l)
}
