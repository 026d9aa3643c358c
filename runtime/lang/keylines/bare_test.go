package keylines

import "testing"

func TestABareWordTellsNothing(t *testing.T) {
	for text, want := range map[string]bool{
		"case": true, "switch {": true, "} else {": true, "}": true, "else:": true, "try {": true,
		"case done:": false, "else if x {": false, "return": false, "end()": false, "do x": false,
	} {
		if got := bareWord(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
