package coderank

import (
	"embed"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// lists say in their headers what they are. They are read at the first question.
//
//go:embed lists
var lists embed.FS

// list is a list by its name.
func list(name string) string {
	data, err := lists.ReadFile("lists/" + name + ".txt")
	if err != nil {
		panic(err) // a name that is written in this package
	}
	return string(data)
}

// set reads the words of a short list.
func set(list string) map[string]bool { return words.Set(list) }

// stopWords carry no meaning in a question about code, in any of the languages
// that questions come in. A word is only skipped as a foreign stop word where
// the question is in that language: "die" is one in German alone.
var stopWords = sync.OnceValue(func() map[string]map[string]bool {
	m := map[string]map[string]bool{"en": words.Set(words.CommonStops())}
	for line := range words.Lines(list("stop")) {
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
var weakWords = sync.OnceValue(func() map[string]bool { return words.Set(list("weak")) })

// reportWords are the headings and filler of issue templates.
var reportWords = sync.OnceValue(func() map[string]bool { return words.Set(list("report")) })

// foreign says in English what the words of programming mean in the languages
// whose words have spaces between them. One form of a word stands for those
// that differ in their ending.
var foreign = sync.OnceValue(func() map[string]map[string]string {
	m := map[string]map[string]string{}
	for _, lang := range languages {
		if lang != "en" {
			m[lang] = glossary(list("glossary_" + lang))
		}
	}
	return m
})

// wideWords are the same for Chinese and Japanese, and for Korean, whose
// words are found inside a run of characters.
var wideWords = sync.OnceValue(func() map[string]string { return glossary(list("glossary_wide")) })

// glossary reads lines of "english: word word" into word -> english.
func glossary(text string) map[string]string {
	m := map[string]string{}
	for line := range words.Lines(text) {
		english, foreign, _ := strings.Cut(line, ":")
		for w := range strings.FieldsSeq(foreign) {
			m[w] = strings.TrimSpace(english)
		}
	}
	return m
}
