package settings

import (
	"math/rand/v2"
	"testing"
)

// TestMayRegister says that what is left out before the expression is tried is
// nothing that it matches.
func TestMayRegister(t *testing.T) {
	parts := []string{"flag", "Flag", ".", "String", "IntVarP", "add_argument", "option", "on", "set", "Config", "config_accessor", "Arg::new", "long", "&o.n", "x",
		"(", "(", " ", ", ", "names = {", "name=", "= ", "{", "'", "\"", ":", "-", "--", "verbose", "MAX_SIZE", "LOGS", "aMAX_SIZE", ")", "\n\t", "é"}
	rng := rand.New(rand.NewPCG(3, 4))
	matched := 0
	for range 40_000 {
		text := ""
		for range 2 + rng.IntN(8) {
			text += parts[rng.IntN(len(parts))]
		}
		if register.MatchString(text) {
			if matched++; !mayRegister(text) {
				t.Fatalf("%q is left out", text)
			}
		}
	}
	if matched < 500 {
		t.Errorf("%d texts matched: too few to say anything", matched)
	}
}
