package leads

import (
	"regexp"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

var (
	markupTag   = lazyregexp.New(`<[^>]{0,400}>`)
	imageLink   = lazyregexp.New(`!\[[^\]]*\]\([^)]*\)|!\[[^\]]*\]\[[^\]]*\]`)
	badgeLink   = lazyregexp.New(`\[\s*\]\([^)]*\)|\[\s*\]\[[^\]]*\]`)
	textLink    = lazyregexp.New(`\[([^\]]+)\](\([^)]*\)|\[[^\]]*\])`)
	roleLink    = lazyregexp.New("`([^`<]+?)\\s*<[^>]*>`_+|`([^`]+)`_+")
	funding     = lazyregexp.New(`(?i)\bsponsor|\bdonat|\bfunding\b|\bbackers?\b|\bopen collective\b|\bthis readme\b|\bsubscription\b|\bcommercial support\b|\bwe(\s+are|'re) hiring`)
	fundingHead = lazyregexp.New(`(?i)\bsponsor|\bdonat|\bfunding\b|\bbackers?\b|\bfor enterprise\b`)
	saysWhat    = lazyregexp.New(`(?i)\b(is|are)\s+(an?|the|used|meant|designed|built)\b|\bprovides?\b|\b(framework|library|toolkit|server|client|tool|language|engine|database)\b`)
	letterWords = regexp.MustCompile(`\p{L}{2,}`)
)

// firstParagraphs returns the first paragraphs of a document that describe the project called name,
// about max bytes, and the line of the first.
func firstParagraphs(text, name string, max int) (string, int) {
	lines := strings.Split(text, "\n")
	blankFunding(lines)
	first, line := firstParagraph(strings.Join(lines, "\n"))
	if line == 0 {
		return "", 0
	}
	for next, at, tries := first, line, 0; tries < 5 && !saysWhat.MatchString(first); tries++ {
		if next, at = paragraphAfter(lines, at); at == 0 {
			break
		}
		if saysWhat.MatchString(next) {
			first, line = next, at
		}
	}
	// An introduction to the general subject may precede the paragraph on the project.
	if next, at := paragraphAfter(lines, line); at > 0 && !namesIt(first, name) && namesIt(next, name) && saysWhat.MatchString(next) {
		first, line = next, at
	}
	out := first
	for from := line; len(out) < max/2; {
		next, at := paragraphAfter(lines, from)
		if at == 0 || at-from > 16 {
			break
		}
		out += " " + next
		from = at
	}
	return out, line
}

// paragraphAfter returns the paragraph after the one that begins on a line, and its line, 0 if not
// found.
func paragraphAfter(lines []string, line int) (string, int) {
	from := line
	for from < len(lines) && strings.TrimSpace(lines[from]) != "" {
		from++
	}
	next, at := firstParagraph(strings.Join(lines[min(from, len(lines)):], "\n"))
	if at == 0 {
		return "", 0
	}
	return next, from + at
}

// namesIt reports whether the project's name occurs near the beginning of a paragraph.
func namesIt(text, name string) bool {
	const soon = 60
	return len(name) > 2 && strings.Contains(strings.ToLower(text[:min(len(text), soon)]), strings.ToLower(name))
}

// blankFunding blanks the sections of a document about sponsors and funding, with their
// subsections.
func blankFunding(lines []string) {
	depths := map[byte]int{} // of underlined headings, by their mark
	within := 0              // depth of the section being blanked
	for i := range lines {
		s, depth := strings.TrimSpace(lines[i]), 0
		switch {
		case strings.HasPrefix(s, "#"):
			depth = len(s) - len(strings.TrimLeft(s, "#"))
		case i+1 < len(lines) && s != "" && !isUnderline(s) && isUnderline(lines[i+1]):
			mark := strings.TrimSpace(lines[i+1])[0]
			if depths[mark] == 0 {
				depths[mark] = len(depths) + 1
			}
			depth = depths[mark]
		}
		if depth > 0 && (within == 0 || depth <= within) {
			if within = 0; fundingHead.MatchString(s) {
				within = depth
			}
		}
		if within > 0 {
			lines[i] = ""
		}
	}
}

// firstParagraph returns the first prose paragraph of a document and its line: no badge, logo,
// heading, list of links, directive or code block.
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
		if end < len(lines) && isUnderline(lines[end]) { // a heading of two lines
			i = end + 1
			continue
		}
		i = end
		if p := plainProse(block); p != "" {
			for strings.TrimSpace(plainText(lines[at])) == "" {
				at++
			}
			return p, at + 1
		}
		if isFence(block[0]) {
			for i < len(lines) && !isFence(lines[i]) {
				i++
			}
			i++
		}
	}
	return "", 0
}

// paragraphEnd returns the line after the paragraph that begins at from, or from itself if it is
// blank, a heading or markup.
func paragraphEnd(lines []string, from int) int {
	i := from
	for i < len(lines) {
		s := strings.TrimSpace(lines[i])
		if s == "" || strings.HasPrefix(s, "#") || isUnderline(s) {
			break
		}
		i++
		if isFence(s) {
			return i
		}
	}
	return i
}

func isFence(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~")
}

// isUnderline reports whether the line is the second line of a heading, or a rule.
func isUnderline(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) >= 3 && strings.Trim(s, s[:1]) == "" && strings.ContainsRune("=-~*^\"#_+", rune(s[0]))
}

// plainProse returns a block as one line of plain text, or "" if it contains no sentence.
func plainProse(block []string) string {
	first := strings.TrimSpace(block[0])
	if isFence(first) || strings.HasPrefix(first, "..") || strings.HasPrefix(first, ":") || strings.HasPrefix(first, "|") ||
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

// plainText removes markup from a line.
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
