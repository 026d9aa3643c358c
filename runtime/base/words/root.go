package words

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed lists/irregular.txt
var irregular string

// baseForms is parsed on first use: most processes compare no words.
var baseForms = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range Lines(irregular) {
		base, forms, _ := strings.Cut(line, " ")
		for w := range strings.FieldsSeq(forms) {
			m[w] = base
		}
	}
	return m
})

// Root returns the stem of a word in lower case, or that of its base form if the word
// is irregular: the root of chosen is that of choose.
func Root(w string) string {
	if base, ok := baseForms()[w]; ok {
		w = base
	}
	return StemOf(w)
}
