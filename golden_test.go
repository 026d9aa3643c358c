package compactor_test

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var updatesGoldens = regexp.MustCompile(`\*update|Lookup\("update"\)`)

// TestMakeRunsEachGolden fails for a file of tests that rewrites goldens where the
// Makefile runs none of its tests with -update: make golden would leave them stale.
func TestMakeRunsEachGolden(t *testing.T) {
	text, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	commands := strings.NewReplacer("\r", "", "\\\n", "", "$$", "$", `"`, " ", "=", " ", "'", "").Replace(string(text))
	_, golden, _ := strings.Cut(commands, "\nGOLDEN : ")
	golden, _, _ = strings.Cut(golden, "\n")
	updates := regexp.MustCompile(`(?m)^\t.* -run (\S+) .*-update$`).FindAllStringSubmatch(strings.ReplaceAll(commands, "$(GOLDEN)", golden), -1)
	names := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	found := 0
	for _, file := range testFiles(t) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if path.Dir(file) == "." || !updatesGoldens.Match(source) { // growth_test.go says itself how it is updated
			continue
		}
		found++
		if !slices.ContainsFunc(updates, func(command []string) bool {
			pattern := regexp.MustCompile(command[1])
			return slices.Contains(strings.Fields(command[0]), "./"+path.Dir(file)) &&
				slices.ContainsFunc(names.FindAllSubmatch(source, -1), func(name [][]byte) bool { return pattern.Match(name[1]) })
		}) {
			t.Errorf("%s: make golden runs none of its tests; add the package to GOLDEN in the Makefile, and the test to its pattern", file)
		}
	}
	if found < 10 {
		t.Errorf("only %d files rewrite goldens", found)
	}
}
