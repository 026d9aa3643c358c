package compact

import (
	"cmp"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// testReport is a report of tests: the events of go test -json, or a JUnit report.
type testReport struct {
	packages                []string
	tests                   map[string][]string         // by package
	output                  map[string]*strings.Builder // by package and test
	passed, failed, skipped int
	events                  int
}

func newTestReport() *testReport {
	return &testReport{tests: map[string][]string{}, output: map[string]*strings.Builder{}}
}

// readGoTests reads the events of go test -json, or returns nil if the text is something else.
func readGoTests(text string) *testReport {
	t := newTestReport()
	good, n := 0, 0
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		n++
		if line[0] == '{' {
			r := &reader{s: line, left: 64}
			if v := r.value(0); !r.bad && v.kind == rawjson.Object && t.addEvent(&v) {
				good++
				t.events++
				continue
			}
		}
		t.addOutput("", "", line+"\n") // other output of go
		if n > minEvents && good*2 < n {
			return nil
		}
	}
	if good < minEvents || good*2 < n {
		return nil
	}
	return t
}

// addEvent adds an event, and reports whether it is one.
func (t *testReport) addEvent(v *value) bool {
	of := map[string]string{}
	for i, k := range v.keys {
		of[k] = v.kids[i].text
	}
	pkg, test := cmp.Or(of["Package"], of["ImportPath"]), of["Test"]
	if of["Action"] == "" || pkg == "" {
		return false
	}
	t.addOutput(pkg, test, of["Output"])
	if test == "" {
		return true
	}
	t.count(of["Action"])
	return true
}

// count counts a test by its outcome.
func (t *testReport) count(verdict string) {
	switch verdict {
	case "pass", "passed":
		t.passed++
	case "fail", "failed":
		t.failed++
	case "skip", "skipped":
		t.skipped++
	}
}

func (t *testReport) addOutput(pkg, test, text string) {
	name := pkg + " " + test
	b := t.output[name]
	if b == nil {
		b = &strings.Builder{}
		t.output[name] = b
		if t.tests[pkg] == nil {
			t.packages = append(t.packages, pkg)
		}
		t.tests[pkg] = append(t.tests[pkg], test)
	}
	b.WriteString(text)
}

// text returns what go test -v would have printed if the tests had run one after another.
func (t *testReport) text() string {
	var out strings.Builder
	for _, pkg := range t.packages {
		for _, test := range t.tests[pkg] {
			if test != "" {
				out.WriteString(t.output[pkg+" "+test].String())
			}
		}
		if b := t.output[pkg+" "]; b != nil {
			for line := range strings.Lines(b.String()) {
				if !verdictOfPackage(line) {
					out.WriteString(line)
				}
			}
		}
	}
	return out.String()
}

// verdictOfPackage reports whether a line of go test says how a package ended.
func verdictOfPackage(line string) bool { return hasPrefix(line, "ok  \t", "FAIL\t", "?   \t") }

// packageVerdicts returns the lines of go test about packages, failed ones first, within a number of bytes.
func (t *testReport) packageVerdicts(bytes int) string {
	var out strings.Builder
	left := 0
	for _, failed := range []bool{true, false} {
		for _, pkg := range t.packages {
			b := t.output[pkg+" "]
			if b == nil {
				continue
			}
			for line := range strings.Lines(b.String()) {
				switch {
				case !verdictOfPackage(line) || strings.HasPrefix(line, "FAIL") != failed:
				case out.Len()+len(line) > bytes:
					left++
				default:
					out.WriteString(strings.TrimRight(line, "\n") + "\n")
				}
			}
		}
	}
	if left > 0 {
		return out.String() + note("%v more packages", left) + "\n"
	}
	return out.String()
}

// shortenReport does the same as shortenFindings for events, which say how many tests passed, unlike the lines.
func (s *shortener) shortenReport(t *testReport, bytes int) Summary {
	events := ""
	if t.events > 0 {
		events = s.formatCount(t.events) + " events: "
	}
	head := note("%s%s tests passed, %s failed, %s skipped", events, s.formatCount(t.passed), s.formatCount(t.failed), s.formatCount(t.skipped))
	if packages := t.packageVerdicts(bytes/3 - noteBytes); packages != "" {
		head += "\n" + strings.TrimRight(packages, "\n")
	}
	out := s.shortenFindings(t.text(), bytes-len(head)-1, "", findTests)
	if first, rest, _ := strings.Cut(out.Text, "\n"); strings.HasPrefix(first, "["+omission+" ") && hasAny(first, "passed", "skipped") {
		out.Text = rest
	}
	out.Text, out.Kind = head+"\n"+out.Text, Tests
	return out
}
