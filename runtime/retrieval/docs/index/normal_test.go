package index

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func TestTextsOfTheSameFormAreTheSameQuestion(t *testing.T) {
	ix := build(t, Default(), shelf...)
	for _, same := range [][]string{
		{"how are pages evicted", "How are PAGES evicted?", "pages, evicted!", "the pages -- evicted"},
		{"and the", "And, the?"},
		{"tlsCertificateFile", "TLSCERTIFICATEFILE"},
		{"", "...", "\xff"},
		{"天気図", "「天気図」"},
	} {
		for _, text := range same {
			if Normal(text) != Normal(same[0]) {
				t.Errorf("%q is %q and %q is %q", text, Normal(text), same[0], Normal(same[0]))
			}
		}
	}
	r := rand.New(rand.NewPCG(4, 4))
	pieces := []string{"cache", "The", "of", "pages", "?", "MEMORY", "request's", "é", "天", "and", "x_y", "getUserName", "-", "12.5"}
	forms := map[string]Answer{}
	for range 3000 {
		var list []string
		for range 1 + r.IntN(3) {
			list = append(list, pieces[r.IntN(len(pieces))])
		}
		text := strings.Join(list, " ")
		a := search(t, ix, Query{Text: text, Explain: true})
		if before, ok := forms[Normal(text)]; ok && !reflect.DeepEqual(a, before) {
			t.Fatalf("%q is answered otherwise than another text of the form %q", text, Normal(text))
		}
		forms[Normal(text)] = a
	}
	if len(forms) < 100 || Normal("pages evicted") == Normal("evicted pages") || Normal("page") == Normal("pages") {
		t.Errorf("%d forms", len(forms))
	}
}
