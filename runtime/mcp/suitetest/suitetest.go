// Package suitetest runs the protocol's conformance suite in tests, and compares its results with the expected ones.
package suitetest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// Outcome has the results of the suite, by scenario.
type Outcome struct {
	Checks map[string][]string // "check STATUS", sorted
	Failed map[string]string   // error messages, by "scenario check"
}

// Run runs all scenarios of a protocol version against the server at url. COMPACTOR_CONFORMANCE is the command of the
// suite, such as "npx conformance" of the npm package @modelcontextprotocol/conformance (node 22 or newer); the test is
// skipped without it.
func Run(t *testing.T, url, version string) Outcome {
	t.Helper()
	command := Command(t)
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), command[0], append(command[1:], "server", "--url", url, "--suite", "all", "--spec-version", version, "-o", dir)...)
	cmd.WaitDelay = time.Second
	said, _ := cmd.CombinedOutput() // its exit code only says that there are failures
	out := Outcome{map[string][]string{}, map[string]string{}}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	for _, file := range files {
		out.readChecks(t, file)
	}
	if len(out.Checks) < 20 {
		t.Fatalf("only %d scenarios were run:\n%s", len(out.Checks), said)
	}
	return out
}

// Command returns the command of the suite.
func Command(t *testing.T) []string {
	t.Helper()
	command := strings.Fields(os.Getenv("COMPACTOR_CONFORMANCE"))
	if len(command) == 0 {
		t.Skip("COMPACTOR_CONFORMANCE is not set")
	}
	return slices.Clip(command)
}

var stamp = regexp.MustCompile(`^server-(.+)-\d{4}-\d\d-\d\dT[0-9-]+Z$`)

func (o Outcome) readChecks(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	var checks []struct{ ID, Status, ErrorMessage string }
	name := stamp.FindStringSubmatch(filepath.Base(filepath.Dir(file)))
	if err != nil || name == nil || json.Unmarshal(data, &checks) != nil {
		t.Fatalf("%s cannot be read: %v", file, err)
	}
	scenario := name[1]
	for _, c := range checks {
		o.Checks[scenario] = append(o.Checks[scenario], c.ID+" "+c.Status)
		if c.Status == "FAILURE" {
			o.Failed[scenario+" "+c.ID] = c.ErrorMessage
		}
	}
	slices.Sort(o.Checks[scenario])
}

// Expect checks that exactly the checks listed in a file fail. Its lines are "scenario check: reason"; lines that begin
// with # are ignored.
func (o Outcome) Expect(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		check, reason, _ := strings.Cut(line, ": ")
		if listed[check] = true; strings.TrimSpace(reason) == "" {
			t.Errorf("%s: %s has no reason", file, check)
		}
		if _, fails := o.Failed[check]; !fails {
			t.Errorf("%s passes, or is gone, and is listed in %s", check, file)
		}
	}
	for check, message := range o.Failed {
		if !listed[check] {
			t.Errorf("%s: %s", check, message)
		}
	}
	t.Logf("%d scenarios, %d checks, %d do not apply", len(o.Checks), o.countChecks(), len(o.Failed))
}

func (o Outcome) countChecks() (n int) {
	for _, c := range o.Checks {
		n += len(c)
	}
	return n
}
