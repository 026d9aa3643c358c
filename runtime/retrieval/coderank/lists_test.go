package coderank

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// TestListsSayWhereTheyComeFrom reads the headers of the word lists.
func TestListsSayWhereTheyComeFrom(t *testing.T) {
	files, _ := fs.Glob(lists, "lists/*.txt")
	if len(files) < 12 {
		t.Fatalf("only %d lists", len(files))
	}
	for _, path := range files {
		text := readList(strings.TrimSuffix(strings.TrimPrefix(path, "lists/"), ".txt"))
		header, _, _ := strings.Cut(text, "\n\n")
		if !strings.Contains(header, "\n# Source: ") || !strings.Contains(header, "Licence: ") || len(words.Set(header)) > 0 {
			t.Errorf("%s does not say in its header where it comes from:\n%s", path, header)
		}
	}
}

// TestLanguagesHaveTheirLists: each has stop words and, but English, a glossary.
func TestLanguagesHaveTheirLists(t *testing.T) {
	if len(stopWords()) != len(languages) {
		t.Errorf("%d languages have stop words, %d are known", len(stopWords()), len(languages))
	}
	for _, lang := range languages {
		if len(stopWords()[lang]) < 30 || lang != "en" && len(foreign()[lang]) < 30 {
			t.Errorf("%s has %d stop words and %d in its glossary", lang, len(stopWords()[lang]), len(foreign()[lang]))
		}
	}
	for word, want := range map[string]string{"Warteschlange": "queue", "fichier": "file"} {
		lang := map[string]string{"queue": "de", "file": "fr"}[want]
		if got := translateWord(lang, strings.ToLower(word)); len(got) != 1 || got[0] != want {
			t.Errorf("%s means %q, want %s", word, got, want)
		}
	}
}

// TestEverydayWordsCanBeSaid: each phrase is made of words as a question is split into them, and means something.
func TestEverydayWordsCanBeSaid(t *testing.T) {
	for first, list := range phrases() {
		for _, p := range list {
			for _, w := range p.says {
				if got := saidWords(w); len(got) != 1 || got[0] != w {
					t.Errorf("%q of %q is not one word of a question", w, strings.Join(p.says, "+"))
				}
			}
			if first == "" || len(p.means) == 0 {
				t.Errorf("%q means nothing", strings.Join(p.says, "+"))
			}
		}
	}
}
