package coderank

import (
	"embed"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// lists holds word lists, which their headers describe. They are read at the first question.
//
//go:embed lists
var lists embed.FS

// readList returns the list with the given name.
func readList(name string) string {
	data, err := lists.ReadFile("lists/" + name + ".txt")
	if err != nil {
		panic(err) // names are constants of this package
	}
	return string(data)
}

// set reads the words of a short list.
func set(list string) map[string]bool { return words.Set(list) }

// stopWords carry no meaning in a question about code, in any of the languages that questions come
// in. A word is skipped as a foreign stop word only if the question is in that language: "die" is
// one in German alone.
var stopWords = sync.OnceValue(func() map[string]map[string]bool {
	m := map[string]map[string]bool{"en": words.Set(words.CommonStops())}
	for line := range words.Lines(readList("stop")) {
		lang, carriers, _ := strings.Cut(line, ":")
		if m[lang] == nil {
			m[lang] = map[string]bool{}
		}
		for w := range strings.FieldsSeq(carriers) {
			m[lang][w] = true
		}
	}
	return m
})

// weakWords name what should happen rather than what it happens to.
var weakWords = sync.OnceValue(func() map[string]bool { return words.Set(readList("weak")) })

// reportWords are the headings and filler of issue templates.
var reportWords = sync.OnceValue(func() map[string]bool { return words.Set(readList("report")) })

// foreign translates the words of programming to English, by language, for the languages that put
// spaces between words. One form of a word stands for those that differ in their ending.
var foreign = sync.OnceValue(func() map[string]map[string]string {
	m := map[string]map[string]string{}
	for _, lang := range languages {
		if lang != "en" {
			m[lang] = parseGlossary(readList("glossary_" + lang))
		}
	}
	return m
})

// wideWords translates words of Chinese, Japanese and Korean, which are found inside a run of
// characters.
var wideWords = sync.OnceValue(func() map[string]string { return parseGlossary(readList("glossary_wide")) })

// parseGlossary reads lines of "english: word word" into word -> english.
func parseGlossary(text string) map[string]string {
	m := map[string]string{}
	for line := range words.Lines(text) {
		english, foreign, _ := strings.Cut(line, ":")
		for w := range strings.FieldsSeq(foreign) {
			m[w] = strings.TrimSpace(english)
		}
	}
	return m
}
