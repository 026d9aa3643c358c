package query

import (
	"reflect"
	"strings"
	"testing"
)

func TestPhrases(t *testing.T) {
	known := []string{"guide", "my.docs"}
	for in, want := range map[string]Query{
		"how are pools sized in PDFs?":               {Text: "how are pools sized?", Kind: "pdf", Read: []string{"in PDFs"}},
		"In the Word documents, who signs contracts": {Text: "who signs contracts", Kind: "docx", Read: []string{"In the Word documents"}},
		"what changed since 2026-01":                 {Text: "what changed", After: day("2026-01-01"), Read: []string{"since 2026-01"}},
		"limits before 2026-03-05, and why":          {Text: "limits, and why", Before: day("2026-03-05"), Read: []string{"before 2026-03-05"}},
		"retries in the Guide collection":            {Text: "retries", Collection: "guide", Read: []string{"in the Guide collection"}},
		"retries in PDFs in my my.docs collection":   {Text: "retries", Kind: "pdf", Collection: "my.docs", Read: []string{"in my my.docs collection", "in PDFs"}},
		"retry tag:Net tag:\"back off\"":             {Text: "retry", Tags: []string{"Net", "back off"}, Read: []string{"tag:Net", `tag:"back off"`}},
		"retries kind:md in the guide collection":    {Text: "retries", Kind: "md", Collection: "guide", Read: []string{"kind:md", "in the guide collection"}},
		// what may be asked about is words
		"how are fonts in PDFs embedded": {Text: "how are fonts in PDFs embedded"},
		"tables in markdown":             {Text: "tables in markdown"},
		"what broke since 2019":          {Text: "what broke since 2019"},
		"stamps in the rare collection":  {Text: "stamps in the rare collection"},
		"since 2026-99":                  {Text: "since 2026-99"},
		"is it in PDFs":                  {Text: "is it in PDFs"},
		"in the guide collection":        {Text: "in the guide collection"},
		`"exact words" in PDFs`:          {Text: "exact words in PDFs", Phrases: []string{"exact words"}, Read: []string{`"exact words"`}},
	} {
		got := Parse(in, known...)
		if len(got.Said) != len(got.Notes()) {
			t.Errorf("%q: %v", in, got.Notes())
		}
		got.Said = nil
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q is read as\n%+v, want\n%+v", in, got, want)
		}
	}
	if notes := Parse("retries in PDFs").Notes(); len(notes) != 1 || notes[0] != "“in PDFs” is read as type:pdf" {
		t.Error(notes)
	}
}

func FuzzPhrases(f *testing.F) {
	for _, s := range []string{"a in PDFs", "in the guide collection b", "x since 2026-01 in word files", "in pdfs in pdfs", "é in PDFs\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		plain, q := Operators(s), Parse(s, "guide")
		if len(q.Said) > 0 && !hasContentWord(q.Text) {
			t.Errorf("%q leaves %q", s, q.Text)
		}
		for _, said := range q.Said {
			if !strings.Contains(plain.Text, said.Words) && len(q.Said) == 1 {
				t.Errorf("%q was never written in %q", said.Words, s)
			}
		}
	})
}
