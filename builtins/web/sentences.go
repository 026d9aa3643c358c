package web

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

//go:embed lists/abbreviations.txt
var abbreviations string

var shortened = sync.OnceValue(func() map[string]bool { return words.Set(abbreviations) })

// splitSentences splits a paragraph where sentences end: at a full stop, a question mark or an
// exclamation mark followed by a space and the beginning of a sentence, and at the marks of scripts
// without spaces.
func splitSentences(text string) []string {
	var out []string
	start := 0
	add := func(end int) {
		if s := strings.TrimSpace(text[start:end]); s != "" {
			out = append(out, s)
		}
		start = end
	}
	for i, r := range text {
		if i < start {
			continue
		}
		end := i + utf8.RuneLen(r)
		switch r {
		case '。', '！', '？':
			add(end)
		case '.', '!', '?':
			for end < len(text) && strings.IndexByte(`)"'`, text[end]) >= 0 {
				end++
			}
			if end < len(text) && text[end] == ' ' && beginsSentence(text[end+1:]) && !(r == '.' && shortened()[lastWord(text[start:i])]) {
				add(end)
			}
		}
	}
	add(len(text))
	return out
}

// beginsSentence reports whether a text begins like a sentence.
func beginsSentence(text string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " \"'(“‘`["))
	return !unicode.IsLower(r)
}

// lastWord returns the word at the end of a text in lower case, or "" if it is long.
func lastWord(text string) string {
	i := strings.LastIndexAny(text, " (")
	if word := text[i+1:]; len(word) < 8 {
		return strings.ToLower(word)
	}
	return ""
}
