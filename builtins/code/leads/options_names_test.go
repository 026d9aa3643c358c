package leads

import (
	"math/rand/v2"
	"regexp"
	"testing"
)

// What the two functions say of names, as expressions, which take ten times as long.
var (
	optionWords = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:options?|config\w*|settings?|defaults?|flags?|args|arguments|params|properties|features?|cli|env\w*|builder|command\w*|main|CMakeLists)(?:[^a-z]|$)`)
	optionTable = regexp.MustCompile(`(?i)(?:options?|config|configuration|settings?|defaults?|flags?|args|properties|features?|CMakeLists)(?:\.[a-z.]+)?$`)
)

func TestNamesThatSpeakOfOptions(t *testing.T) {
	parts := []string{"option", "options", "Config", "configurations", "setting", "defaults", "flag", "ARGS", "arguments", "params", "properties", "features",
		"cli", "env", "environment", "builder", "commands", "main", "CMakeLists", "x", "ed", "9", "_", "-", ".", "..", "/", ".go", ".py", ".d.ts", ".9", "é", " "}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40_000 {
		name := ""
		for range 1 + rng.IntN(5) {
			name += parts[rng.IntN(len(parts))]
		}
		if got, want := speaksOfOptions(name), optionWords.MatchString(name); got != want {
			t.Fatalf("%q speaks of options: %v, want %v", name, got, want)
		}
		if got, want := namedAsTable(name), optionTable.MatchString(name); got != want {
			t.Fatalf("%q is named as a table: %v, want %v", name, got, want)
		}
	}
}
