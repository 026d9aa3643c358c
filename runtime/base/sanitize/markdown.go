package sanitize

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// links match links and pictures with an address, and their definitions.
var links = lazyregexp.New(`(?i)\]\(\s*<?\s*(?:[a-z][a-z0-9+.-]*:|//|#)|(?m:^[ \t>*+-]*\[[^\]\n]*\]:)`)

// tags match addresses in angle brackets, and HTML that loads or runs something.
var tags = lazyregexp.New(`(?i)\\*<(?:[a-z][a-z0-9+.-]*:|//|` +
	`/?(?:a|img|image|picture|source|script|iframe|frame|svg|math|video|audio|object|embed|link|style|form|input|button|base|meta|body|html)\b)`)

// Markdown returns Markdown text with its links and pictures deactivated: a backslash
// makes them literal. Other markup stays.
func Markdown(text string) string {
	if !strings.ContainsAny(text, "]<") {
		return text
	}
	text = links.ReplaceAllStringFunc(text, func(s string) string {
		if rest, ok := strings.CutSuffix(s, "]:"); ok {
			return rest + `]\:`
		}
		return `]\` + s[1:]
	})
	return tags.ReplaceAllStringFunc(text, func(s string) string {
		if strings.IndexByte(s, '<')%2 == 1 { // the last of its backslashes already escapes it
			return s
		}
		return `\` + s
	})
}

// Code formats a text of one line as Markdown code, whatever backticks it contains.
func Code(text string) string {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	if longest == 0 {
		return "`" + text + "`"
	}
	fence := strings.Repeat("`", longest+1)
	return fence + " " + text + " " + fence
}
