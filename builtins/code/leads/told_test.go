package leads

import (
	"testing"
)

func TestABracketDecidesNothing(t *testing.T) {
	for line, want := range map[string]bool{"}": false, "  });": false, "": false, "} catch (e) {": true, "x()": true, "\t1": true} {
		if got := tellsWords(line); got != want {
			t.Errorf("%q: %t", line, got)
		}
	}
}
