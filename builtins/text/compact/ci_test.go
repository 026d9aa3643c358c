package compact

import (
	"os"
	"strings"
	"testing"
)

// A build service puts job, step and time before every line: what stands behind is read as what it is.
func TestColumnsOfBuildServices(t *testing.T) {
	out, err := os.ReadFile("testdata/tests_go.txt")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(out)) {
		b.WriteString("build\tRun tests\t2026-02-04T07:14:05.0957177Z " + line)
	}
	s := Shorten(b.String(), Options{Bytes: 1400})
	if s.Kind != Tests {
		t.Errorf("read as %s", s.Kind)
	}
	for _, want := range []string{"build Run tests\n", "price_test.go:22: Total() = 1550, want 1900", "passed]"} {
		if !strings.Contains(s.Text, want) {
			t.Errorf("%q is not in:\n%s", want, s.Text)
		}
	}
	if strings.Contains(s.Text, "2026-02-04T") {
		t.Errorf("times are left in:\n%s", s.Text)
	}
	if bad := Faithful(b.String(), s.Text); len(bad) > 0 {
		t.Errorf("not in the source: %q", bad)
	}
}
