package toolrank

import (
	"slices"
	"strings"
	"testing"
)

func TestClauses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"convert the photo":                "convert the photo",
		"sort the list and mail it to Tom": "sort the list|mail it to Tom",
		"buy apples, pears and a melon":    "buy apples, pears and a melon",
		"Where is the depot? And then book a van, please.":  "Where is the depot|book a van, please",
		"weather in Rome and Paris":                         "weather in Rome and Paris",
		"rename it, then tell me how large it is":           "rename it|tell me how large it is",
		"find the red and the blue one, and what they cost": "find the red and the blue one|what they cost",
		"I run version 1.2.3 of it. Update it":              "I run version 1.2.3 of it|Update it",
		"a; b; c; d; e; f; g; h":                            "a|b|c|d|e|f; g; h",
	} {
		if got := splitClauses(text); !slices.Equal(got, strings.FieldsFunc(want, func(r rune) bool { return r == '|' })) {
			t.Errorf("%q is cut into %q, want %q", text, got, want)
		}
	}
}
