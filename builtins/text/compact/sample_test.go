package compact

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// bigTexts are texts of some megabytes of each kind, with one thing in the middle that a task asks for.
func bigTexts(n int) map[Kind]string {
	var log, jsonText, list, hits, source, prose, diff, table, tests strings.Builder
	jsonText.WriteString(`{"total": 1, "items": [`)
	table.WriteString("id,name,city,amount\n")
	diff.WriteString("diff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@@ -1,9 +1,9 @@\n")
	for i := range n {
		name := fmt.Sprintf("worker-%d", i%977)
		if i == n/2 {
			name = "zanzibar-station"
		}
		if i > 0 {
			jsonText.WriteString(",")
		}
		fmt.Fprintf(&jsonText, `{"id":"%08x","name":"%s","state":"open","amount":%d.50,"note":"line %d of the book"}`, i*2654435761, name, i, i)
		fmt.Fprintf(&log, "2026-01-02T10:%02d:%02dZ INFO %s took %d ms for job %08x\n", i/60%60, i%60, name, i%313, i*2654435761)
		fmt.Fprintf(&list, "src/part%d/dir%d/%s_%d.go\n", i%13, i%101, name, i)
		fmt.Fprintf(&hits, "src/part%d/file%d.go:%d:\treturn open(%q, %d)\n", i%13, i%101, i, name, i)
		fmt.Fprintf(&source, "func (s *server) handle%d(name string) error {\n\treturn s.open(%q, %d)\n}\n", i, name, i)
		fmt.Fprintf(&prose, "The %s of chapter %d went to the market and came home late, as they said.\n", name, i)
		fmt.Fprintf(&diff, "-\told(%q, %d)\n+\tnew(%q, %d)\n", name, i, name, i+1)
		fmt.Fprintf(&table, "%d,%s,Town %d,%d.50\n", i, name, i%31, i)
		fmt.Fprintf(&tests, "=== RUN   TestOf%d\n--- PASS: TestOf%d (0.00s)\n", i, i)
		if i == n/3 {
			log.WriteString("2026-01-02T11:00:00Z ERROR disk /dev/sdq9 is full\n")
			fmt.Fprintf(&tests, "--- FAIL: TestOfZanzibar (0.00s)\n    zanzibar_test.go:12: got 1, want 2\n")
		}
	}
	jsonText.WriteString("]}")
	return map[Kind]string{Log: log.String(), JSON: jsonText.String(), Listing: list.String(), Hits: hits.String(), Source: source.String(),
		Prose: prose.String(), Diff: diff.String(), Table: table.String(), Tests: tests.String()}
}

func TestLargeTextsAreReadInPart(t *testing.T) {
	for kind, text := range bigTexts(60_000) {
		t.Run(string(kind), func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s := Shorten(text, Options{Bytes: 4000, Subject: Subject{Task: "What happened at zanzibar-station or TestOfZanzibar?"}})
			runtime.ReadMemStats(&after)
			if s.Kind != kind {
				t.Errorf("read as %s", s.Kind)
			}
			if len(s.Text) > 4000 || len(s.Text) < 600 && kind != Tests { // whose failure is told in less
				t.Errorf("%d bytes", len(s.Text))
			}
			want := "zanzibar-station"
			if kind == Tests {
				want = "zanzibar_test.go:12: got 1, want 2"
			}
			if !strings.Contains(s.Text, want) {
				t.Errorf("%s is not in:\n%s", want, s.Text)
			}
			if kind == Log && !strings.Contains(s.Text, "/dev/sdq9 is full") {
				t.Errorf("the one fault is not in:\n%s", s.Text)
			}
			if !strings.Contains(s.Text, fmt.Sprintf("[… %s bytes, of which ", withCommas(len(text)))) {
				t.Errorf("it does not say that it was read in part:\n%s", s.Text)
			}
			if bad := Faithful(text, s.Text); len(bad) > 0 {
				t.Errorf("not in the source: %q", bad)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
				t.Errorf("%d MB allocated for %d", used>>20, len(text)>>20)
			}
		})
	}
}
