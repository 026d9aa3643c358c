package contract

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestParseReference(t *testing.T) {
	for in, want := range map[string]Reference{
		"a/b.go":                 {Path: "a/b.go"},
		"a/b.go:12":              {Path: "a/b.go", Line: 12},
		"a/b.go:12:3":            {Path: "a/b.go", Line: 12, Col: 3},
		"a:b.go:7":               {Path: "a:b.go", Line: 7},
		"a/b.go:0":               {Path: "a/b.go:0"},
		"a/b.go:-3":              {Path: "a/b.go:-3"},
		"a/b.go:":                {Path: "a/b.go:"},
		":12":                    {Path: ":12"},
		"":                       {},
		"x:1:2:3":                {Path: "x:1", Line: 2, Col: 3},
		"x:99999999999999999999": {Path: "x:99999999999999999999"},
	} {
		if got := ParseReference(in); got != want {
			t.Errorf("ParseReference(%q) = %+v, want %+v", in, got, want)
		}
	}
}

func FuzzReference(f *testing.F) {
	for _, s := range []string{"a.go:1", "a.go:1:2", "a:b:c", ":", "1:2:3:4", "ü.go:7"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := ParseReference(s)
		if again := ParseReference(r.String()); again != r {
			t.Errorf("%q parses to %+v, which prints as %q, which parses to %+v", s, r, r.String(), again)
		}
	})
}

func TestDedupe(t *testing.T) {
	got := Dedupe([]string{"a.go", "b.go:1", "a.go:3", "b.go:1", "c.go", "b.go:2", "c.go"})
	if d := cmp.Diff([]string{"b.go:1", "a.go:3", "c.go", "b.go:2"}, got); d != "" {
		t.Error(d)
	}
}

func TestBoundNotesEveryCut(t *testing.T) {
	r := Result{Summary: strings.Repeat("word ", 50), References: []string{"a:1", "b:1", "a:1", "c:1"}, KeyFindings: []Finding{{Text: "x"}, {}, {Text: "y"}, {Text: "x"}, {Text: "z"}}}
	r.Bound(Bounds{References: 2, Findings: 1, Summary: 40})
	want := "1 reference left out; 2 findings left out; summary cut"
	if r.Notes == nil || *r.Notes != want {
		t.Errorf("notes %v, want %s", r.Notes, want)
	}
	if len(r.References) != 2 || len(r.KeyFindings) != 1 || len(r.Summary) > 40 || r.Confidence != Low {
		t.Errorf("%+v", r)
	}
	var empty Result
	empty.Bound(Bounds{})
	if empty.References == nil || empty.KeyFindings == nil || empty.Notes != nil {
		t.Errorf("%+v", empty)
	}
}

func TestShortenLeavesNoHalfOfAToken(t *testing.T) {
	const token = "x9Kd02LmQz7RtYv3WxNc5BjHf1GsPe6UoIi4"
	for _, before := range []string{"", "a", "key = ", "errors.New(\"refused: "} {
		s := before + token + "\" and more text behind it"
		for max := 5; max < len(before)+len(token)+3; max++ {
			if got := Shorten(s, max); strings.Contains(got, token[:5]) && !strings.Contains(got, token) {
				t.Errorf("Shorten(%q, %d) = %q", s, max, got)
			}
		}
	}
	const name = "aNameWithoutAnyDigitThatIsVeryLongIndeed"
	if got := Shorten(name, 24); got != name[:21]+"…" {
		t.Errorf("a long name is cut to %q", got)
	}
}

func FuzzShorten(f *testing.F) {
	f.Add("größer als gedacht", 9)
	f.Add("a", 0)
	f.Fuzz(func(t *testing.T, s string, max int) {
		got := Shorten(s, max)
		if max > 0 && len(got) > max {
			t.Errorf("Shorten(%q, %d) has %d bytes", s, max, len(got))
		}
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Errorf("Shorten(%q, %d) = %q is not UTF-8", s, max, got)
		}
	})
}

type coded struct{}

func (coded) Error() string { return "boom" }
func (coded) Code() string  { return "BOOM" }

func TestAsError(t *testing.T) {
	for _, c := range []struct {
		err    error
		status Status
		code   string
	}{
		{fmt.Errorf("x: %w", context.DeadlineExceeded), Timeout, "TIMEOUT"},
		{fmt.Errorf("x: %w", context.Canceled), Canceled, "CANCELED"},
		{fmt.Errorf("x: %w", coded{}), Failed, "BOOM"},
		{fmt.Errorf("x: %w", &Error{Code: "OWN", Message: "m"}), Failed, "OWN"},
		{errors.New("plain"), Failed, "INTERNAL"},
	} {
		status, e := AsError(c.err)
		if status != c.status || e.Code != c.code {
			t.Errorf("AsError(%v) = %s, %s", c.err, status, e.Code)
		}
	}
}
