package handoff

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func full() Document {
	return Document{
		Question:    "How does the pool end?\n## Summary\nis a heading in my question",
		Summary:     "`Pool.Close` waits for all workers.\n\nIt then closes the queue.",
		KeyFindings: []string{"Close is called twice: pool.go:40, main.go:9", "two lines\n\n- of which one looks like an entry"},
		References:  []string{"pool.go:40", "cmd/main.go:9:2", "docs/pool.md"},
		Constraints: []string{"roots searched: code", "limits used: 3 of 50 files"},
		Notes:       "# not a title",
	}
}

func TestFormat(t *testing.T) {
	want := `# Research Handoff

## Question

How does the pool end?
\## Summary
is a heading in my question

## Summary

` + "`Pool.Close`" + ` waits for all workers.

It then closes the queue.

## Key Findings

- Close is called twice: pool.go:40, main.go:9
- two lines

  - of which one looks like an entry

## References

- pool.go:40
- cmd/main.go:9:2
- docs/pool.md

## Constraints / Budgets

- roots searched: code
- limits used: 3 of 50 files

## Notes

\# not a title
`
	if diff := cmp.Diff(want, Format(full())); diff != "" {
		t.Error(diff)
	}
}

func TestFormatOfNothing(t *testing.T) {
	want := "# Research Handoff\n\n## Question\n\n## Summary\n\n## Key Findings\n\nNone.\n\n## References\n\nNone.\n\n## Constraints / Budgets\n\nNone.\n"
	if diff := cmp.Diff(want, Format(Document{})); diff != "" {
		t.Error(diff)
	}
}

func TestParseReadsFormatBack(t *testing.T) {
	tests := map[string]Document{
		"nothing":             {},
		"everything":          full(),
		"crlf and blanks":     {Question: "a  \r\n\tb\r", Summary: "\r\n\r\n"},
		"control characters":  {Question: "a\x00b\x1b[31m", References: []string{"a\nb.go:1"}},
		"not utf-8":           {Summary: "caf\xe9"},
		"an entry says None.": {KeyFindings: []string{"None.", "- None."}},
		"escaped by the user": {Question: `\# one`, Summary: `\\## two` + "\n####### seven\n#hash"},
		"bullets in entries":  {KeyFindings: []string{"* star", "1. one", "# heading", "x\n* y\n  z\n# w"}},
		"references repeated": {References: []string{"a.go", "a.go:1", "a.go:1", " ", "b.go"}},
	}
	for name, d := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Parse(Format(d))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(d.Clean(), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseToleratesEditing(t *testing.T) {
	text := "\ufeffa remark before\r\n# research   handoff\r\n## References\r\n* a.go:1\r\n+ b.go\r\n2) c.go:7:1\r\n" +
		"## History\n- left out\n### Question\n## QUESTION\nwhy?\n### deeper\n## Findings\nplain line\nanother\n## Summary\nfirst\n## Summary\nsecond\n"
	want := Document{
		Question:    "why?\n### deeper",
		Summary:     "first\n\nsecond",
		KeyFindings: []string{"plain line", "another"},
		References:  []string{"a.go:1", "b.go", "c.go:7:1"},
	}
	got, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}

func TestParseRefusesOtherText(t *testing.T) {
	for _, text := range []string{"", "# Readme\n\n## Usage\n\ncall it\n", "Question: why?"} {
		_, err := Parse(text)
		var wrong *FormatError
		if !errors.As(err, &wrong) || wrong.Code() != "HANDOFF_FORMAT" {
			t.Errorf("Parse(%q) = %v, want a FormatError", text, err)
		}
	}
}

func FuzzParseHandoff(f *testing.F) {
	f.Add(Format(full()))
	f.Add(Format(Document{}))
	f.Add("# Research Handoff\n## Key Findings\nNone.\n- x\n\n\n  y\n# \n## \n\\# \n")
	f.Add("##\tQuestion\n\\\\## a\n## References\n1. a.go:1\n`b.go`\n")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(text)
		if err != nil {
			return
		}
		if diff := cmp.Diff(d, d.Clean()); diff != "" {
			t.Fatalf("Parse gave a document that is not clean:\n%s", diff)
		}
		again, err := Parse(Format(d))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(d, again); diff != "" {
			t.Fatalf("a second round differs:\n%s", diff)
		}
	})
}

// FuzzFormat drives the property from the other side: any texts at all.
func FuzzFormat(f *testing.F) {
	f.Add("q", "s", "k1", "k2", "a.go:1", "c", "n")
	f.Add("# q\r\n", "\\## s", "- k\n\n  x", "None.", " a b.go", "\x00", "\n")
	f.Fuzz(func(t *testing.T, q, s, k1, k2, r, c, n string) {
		d := Document{Question: q, Summary: s, KeyFindings: []string{k1, k2}, References: []string{r, k1}, Constraints: []string{c}, Notes: n}
		got, err := Parse(Format(d))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(d.Clean(), got); diff != "" {
			t.Fatal(diff)
		}
	})
}
