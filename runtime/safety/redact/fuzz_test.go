package redact

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// fuzzSeeds are texts in which most groups find something, taken apart so that this file holds no token.
func fuzzSeeds() []string {
	seeds := []string{
		"", "\n", "plain text\n", "\xff\xfe", "key = [REDACTED:jwt]\n", "[REDACTED:", "\u200b\u202e\x1b[31m",
		"user:" + "pass@host", "http" + "://u:" + "p4ss@h/", "a\\\nb",
		"?k=-----BEGIN%20PRIVATE%20" + "KEY-----" + strings.Repeat("MIIEvQ", 8) + "-----END",
	}
	for _, tt := range append(groupTests(), shapeTests()...) {
		seeds = append(seeds, tt.text)
	}
	for _, text := range slices.Sorted(maps.Values(tablesOfPasswords)) {
		seeds = append(seeds, strings.NewReplacer("«", "", "»", "").Replace(text))
	}
	return append(seeds, slices.Sorted(maps.Values(tablesWithoutPasswords))...)
}

func FuzzRedact(f *testing.F) {
	for _, s := range fuzzSeeds() {
		f.Add(s)
	}
	r, errs := Compile([]Rule{{ID: "acme", Regex: `ACME-[0-9A-F]{4,}`}, {ID: "dots", Regex: `<(\w+)!>`, Replace: "<...>"}})
	if len(errs) > 0 {
		f.Fatal(errs)
	}
	f.Fuzz(func(t *testing.T, text string) {
		out, spans := r.Redact(text)
		checkSpans(t, text, spans)
		if got, want := strings.Count(out, "\n"), strings.Count(text, "\n"); got != want {
			t.Errorf("%d lines became %d:\n%q\n%q", want, got, text, out)
		}
		if utf8.ValidString(text) && !utf8.ValidString(out) {
			t.Errorf("not UTF-8 any more: %q", out)
		}
		if len(spans) == 0 && out != text {
			t.Errorf("changed without a span: %q", out)
		}
		for _, s := range spans {
			if v := text[s.Start:s.End]; s.Rule != withheldID && maySpread(v) && strings.Contains(out, v) {
				t.Errorf("value %q of %s is still in %q", v, s.Rule, out)
			}
		}
		if again, more := r.Redact(out); again != out {
			t.Errorf("not idempotent:\nin    %q\nonce  %q\ntwice %q\n%v", text, out, again, more)
		}
	})
}

func checkSpans(t *testing.T, text string, spans []Span) {
	t.Helper()
	at := 0
	for _, s := range spans {
		if s.Start < at || s.End <= s.Start && len(text) > 0 || s.End > len(text) || s.Rule == "" {
			t.Fatalf("span %+v behind %d in a text of %d bytes", s, at, len(text))
		}
		at = s.End
	}
}

func FuzzStrip(f *testing.F) {
	for _, s := range []string{"", "a\tb\n", "\x1b[1;31mred\x1b[0m", "\x1b]0;title\x07x", "\x1b]8;;http://h\x1b\\link", "\u202etxt", "\xc2\x9b31m", "\x9b", "\x1b\x1b[[", "e\u0301\u200d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		out := Strip(text)
		if !utf8.ValidString(out) {
			t.Errorf("not UTF-8: %q", out)
		}
		for _, r := range out {
			if r < ' ' && r != '\t' && r != '\n' || r >= 0x7F && r <= 0x9F || isInvisible(r) {
				t.Errorf("%U is left in %q", r, out)
			}
		}
		if again := Strip(out); again != out {
			t.Errorf("not idempotent: %q, then %q", out, again)
		}
		if len(out) > 3*len(text) {
			t.Errorf("grew from %d to %d bytes", len(text), len(out))
		}
	})
}

func FuzzValue(f *testing.F) {
	f.Add(`{"password":"Tr0ub4dor&3","list":["a",{"b":null,"c":1.50,"d":true}]}`)
	f.Add(`[[],{},"",0,"password=Tr0ub4dor&3"]`)
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			return
		}
		out := Default().Value(v)
		if diff := cmp.Diff(skeleton(v), skeleton(out)); diff != "" {
			t.Errorf("structure (-in +out):\n%s", diff)
		}
		if _, err := json.Marshal(out); err != nil {
			t.Error(err)
		}
	})
}

// skeleton replaces every string by "s", every number by 1 and every object by the sorted skeletons of its values.
func skeleton(v any) any {
	switch v := v.(type) {
	case string:
		return "s"
	case float64, json.Number:
		return 1
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = skeleton(v[i])
		}
		return out
	case map[string]any:
		counts := map[string]int{}
		for _, item := range v {
			s, _ := json.Marshal(skeleton(item))
			counts[string(s)]++
		}
		return counts
	}
	return v
}
