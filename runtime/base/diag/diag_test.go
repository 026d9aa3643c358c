package diag

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/base/screen"
)

var update = flag.Bool("update", false, "rewrite golden files")

const askCUE = "package compactor\n\npipelines: ask: stages: {\n" +
	"\tpatterns: {kindd: \"forech\", over: \"find.files\"}\r\n" +
	"\tgrüße:\t\"日本\" & nope\n" +
	"\tmulti: {\n\t\ta: 1\n\t}\n}\n"

func sources(file string) []byte {
	if file == "pipelines/ask.cue" {
		return []byte(askCUE)
	}
	return nil
}

func sample() List {
	file := "pipelines/ask.cue"
	return List{
		{
			Code: "C007", Severity: Error, Range: Range{file, 6, 2, 8, 3}, Path: "pipelines.ask.stages.multi",
			Message: "1 and 2 disagree", Related: []Related{{Range{"roles.cue", 9, 3, 9, 8}, "2 is set here"}},
		},
		{
			Code: "C020", Severity: Error, Range: Range{file, 4, 13, 4, 18}, Path: "pipelines.ask.stages.patterns.kindd",
			Message: "unknown field", Suggestion: "kind", Allowed: []string{"kind", "over", "needs"},
		},
		{
			Code: "C006", Severity: Warning, Range: Range{file, 5, 16, 5, 20}, Path: "pipelines.ask.stages.grüße",
			Message: "nope\x1b[31m is not defined", Help: "a text needs quotes",
		},
		{Code: "C005", Severity: Warning, Range: Range{File: "my dir"}, Message: "no configuration files"},
		{
			Code: "C103", Severity: Error, Range: Range{"gone.cue", 1, 1, 1, 2}, Path: "roles.x.tools", Message: "unknown",
			Suggestion: "t03", Allowed: many(15),
		},
	}
}

func many(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("t%02d", i))
	}
	return out
}

// Every printer over one list with each feature of a diagnostic: excerpt with
// tabs, wide characters and CRLF, a range over lines, a file without text.
func TestPrinters(t *testing.T) {
	l := sample()
	l.Sort()
	printers := map[string]func(*bytes.Buffer) error{
		"text.golden":  func(b *bytes.Buffer) error { return Text(b, l, sources) },
		"json.golden":  func(b *bytes.Buffer) error { return JSON(b, l) },
		"sarif.golden": func(b *bytes.Buffer) error { return SARIF(b, l, "v1.2.3") },
	}
	for name, print := range printers {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := print(&got); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("testdata", name), got.Bytes())
		})
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// What SARIF's specification demands of the fields that we write.
func TestSARIFShape(t *testing.T) {
	var buf bytes.Buffer
	if err := SARIF(&buf, sample(), "v1"); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           *struct{ StartLine, StartColumn, EndLine, EndColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(buf.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || len(log.Runs[0].Results) != len(sample()) {
		t.Fatalf("version %q, %d runs", log.Version, len(log.Runs))
	}
	rules := log.Runs[0].Tool.Driver.Rules
	for _, r := range log.Runs[0].Results {
		if rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%s: ruleIndex points to %s", r.RuleID, rules[r.RuleIndex].ID)
		}
		if r.Level != "error" && r.Level != "warning" {
			t.Errorf("%s: level %q", r.RuleID, r.Level)
		}
		loc := r.Locations[0].PhysicalLocation
		if uri := loc.ArtifactLocation.URI; uri == "" || strings.HasPrefix(uri, "/") || strings.Contains(uri, " ") {
			t.Errorf("%s: uri %q is not a relative URI", r.RuleID, uri)
		}
		if g := loc.Region; g != nil && (g.StartLine < 1 || g.StartColumn < 1 || g.EndLine < g.StartLine) {
			t.Errorf("%s: region %+v", r.RuleID, *g)
		}
	}
}

func TestJSONOfNothing(t *testing.T) {
	var buf bytes.Buffer
	if err := JSON(&buf, nil); err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"valid\": true,\n  \"errors\": 0,\n  \"warnings\": 0,\n  \"diagnostics\": []\n}\n"
	if buf.String() != want {
		t.Errorf("got %s", buf.String())
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		name       string
		candidates []string
		want       string
	}{
		{"explorr", []string{"explorer", "writer"}, "explorer"},
		{"foreahc", []string{"foreach"}, "foreach"},
		{"on_error", []string{"needs", "onError"}, "onError"},
		{"Locator", []string{"locator"}, "locator"},
		{"desc", []string{"name", "description"}, "description"},
		{"descriptions_of_it", []string{"description"}, "description"},
		{"ab", []string{"cd", "abcdef"}, ""},
		{"time", []string{"files"}, ""},
		{"tiem", []string{"time"}, "time"},
		{"roels", []string{"roots", "roles"}, "roles"},
		{"cat", []string{"dog"}, ""},
		{"same", []string{"same"}, ""},
		{"", []string{"a"}, ""},
		{"grep", []string{"code.grep"}, ""},
	} {
		if got := Nearest(c.name, c.candidates); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.name, got, c.want)
		}
	}
}

func TestList(t *testing.T) {
	l := append(sample(), sample()...)
	l.Sort()
	l = l.Dedupe()
	if len(l) != len(sample()) {
		t.Errorf("%d left after Dedupe", len(l))
	}
	err := fmt.Errorf("reload: %w", l.Err())
	if f := (*Failure)(nil); !errors.As(err, &f) || !strings.Contains(err.Error(), "(and 2 more)") {
		t.Errorf("Err: %v", err)
	}
	if len(FromError(err)) != len(l) {
		t.Error("FromError lost diagnostics")
	}
	warning := List{{Code: "C005", Severity: Warning}}
	if warning.Err() != nil || warning.HasErrors() {
		t.Error("a warning alone must leave the configuration valid")
	}
}

// A consequence of an earlier mistake is not reported a second time.
func TestJoin(t *testing.T) {
	at := func(code, path string) Diagnostic { return Diagnostic{Code: code, Severity: Error, Path: path} }
	got := Join(List{at("C025", "roles.a.ground")}, List{at("C102", "roles.a.ground"), at("C102", "roles.ab.ground"), at("C101", "")})
	var codes []string
	for _, d := range got {
		codes = append(codes, d.Code+" "+d.Path)
	}
	if diff := cmp.Diff([]string{"C025 roles.a.ground", "C101 ", "C102 roles.ab.ground"}, codes); diff != "" {
		t.Error(diff)
	}
}

func TestCodesAreOrderedAndExplained(t *testing.T) {
	last := ""
	for _, c := range Codes {
		if c.ID <= last {
			t.Errorf("%s after %s", c.ID, last)
		}
		last = c.ID
		if c.Title == "" || !strings.HasSuffix(c.Text, ".") {
			t.Errorf("%s: not explained", c.ID)
		}
	}
	if _, ok := Explain("C999"); ok {
		t.Error("C999 is explained")
	}
}

// On a narrow terminal the excerpt is the part around the mistake, and carets stand
// below it.
func TestNarrow(t *testing.T) {
	text := `roles: locator: {prompt: "a text before the mistake that is long", budget: files: "many", bounds: key_findings: 3}`
	at := strings.Index(text, `"many"`) + 1
	l := List{{Code: "C021", Severity: Error, Range: Range{"f.cue", 1, at, 1, at + 6}, Path: "roles.locator.budget.files", Message: "wants a number", Suggestion: "a suggestion that has no room beside the carets"}}
	for _, width := range []int{30, 40, 60, 100} {
		var b bytes.Buffer
		if err := Text(screen.NewWrapper(&b, width, false), l, func(string) []byte { return []byte(text) }); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(b.String(), "\n")
		for i, line := range lines {
			if screen.Width(line) > width {
				t.Errorf("%d columns: %q", width, line)
			}
			if strings.Contains(line, "^") {
				from := screen.Width(line[:strings.Index(line, "^")])
				if above := []rune(lines[i-1]); string(above[from:from+6]) != `"many"` || strings.Count(line, "^") != 6 {
					t.Errorf("%d columns: the carets are not below it:\n%s", width, b.String())
				}
			}
		}
		if !strings.Contains(b.String(), "^") {
			t.Errorf("%d columns: no carets:\n%s", width, b.String())
		}
	}
}

// The excerpt must never be what breaks: any range on any text prints.
func FuzzText(f *testing.F) {
	f.Add("a: 1\n\tb: \"日本\"\n", 2, 3, 2, 5)
	f.Add(strings.Repeat("x", 500), 1, 300, 1, 900)
	f.Add("\x00\xff\n", 1, -4, 0, 0)
	f.Fuzz(func(t *testing.T, text string, line, col, endLine, endCol int) {
		l := List{{Code: "C001", Severity: Error, Range: Range{"f.cue", line, col, endLine, endCol}, Message: text}}
		var buf bytes.Buffer
		if err := Text(&buf, l, func(string) []byte { return []byte(text) }); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(buf.String(), "\x1b\x00\r") {
			t.Errorf("control characters got through: %q", buf.String())
		}
	})
}

func TestSomeNamesTheClosest(t *testing.T) {
	names := []string{"github__list_repos", "github__create_issue", "mail__send", "mail__create_draft"}
	if got := Closest("create_isue_github", names, 2); !slices.Equal(got, []string{"github__create_issue", "github__list_repos"}) {
		t.Errorf("closest: %v", got)
	}
	if got := Some("x", names); got != strings.Join(names, ", ") {
		t.Errorf("few: %s", got)
	}
	for i := range 200 {
		names = append(names, fmt.Sprintf("other__tool_%d", i))
	}
	got := Some("creat_issue", names)
	if !strings.HasPrefix(got, "github__create_issue, ") || !strings.HasSuffix(got, " and 196 more") || strings.Count(got, ",") != 7 {
		t.Errorf("many: %s", got)
	}
	if got := Closest("", names, 1); got[0] != names[0] {
		t.Errorf("no name: %v", got)
	}
	Closest(strings.Repeat("a_", 1<<20), names, 3)
}
