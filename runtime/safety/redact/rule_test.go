package redact

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUserRules(t *testing.T) {
	for _, tt := range []struct {
		name     string
		rule     Rule
		in, want string
	}{
		{"plain", Rule{Regex: `ACME-[0-9A-F]{4}`}, "x ACME-01AF y", "x [REDACTED:acme] y"},
		{"no literal start", Rule{Regex: `[A-Z]{4}#\d{3}`}, "x ABCD#123 y", "x [REDACTED:acme] y"},
		{"at the ends", Rule{Regex: `\bq\d+\b`}, "q1 q2", "[REDACTED:acme] [REDACTED:acme]"},
		{"keyword near", Rule{Regex: `\b\d{6}\b`, Keywords: []string{"Pin"}}, "my PIN is 123456", "my PIN is [REDACTED:acme]"},
		{"keyword far", Rule{Regex: `\b\d{6}\b`, Keywords: []string{"pin"}}, "PIN" + strings.Repeat(" ", 1000) + "123456", ""},
		{"group", Rule{Regex: `id=(\d+);(\w+)`, Group: 2}, "id=12;ab", "id=12;[REDACTED:acme]"},
		{"first group", Rule{Regex: `#(b)?(c)`}, "#c", "#[REDACTED:acme]"},
		{"entropy", Rule{Regex: `k[a-z]{7}`, Entropy: 2}, "kaaaaaaa kabcdefg", "kaaaaaaa [REDACTED:acme]"},
		{"allow", Rule{Regex: `k\d`, Allow: []string{`^k0$`}}, "k0 k1", "k0 [REDACTED:acme]"},
		{"replace", Rule{Regex: `k(\d)`, Replace: "•"}, "k1k2", "k•k•"},
		{"newline", Rule{Regex: `<a\nb>`}, "1<a\nb>2\n", "1[REDACTED:acme]\n2\n"},
		{"long text", Rule{Regex: `zz\d{5}`}, strings.Repeat("a b\n", 40000) + "zz12345", strings.Repeat("a b\n", 40000) + "[REDACTED:acme]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.rule.ID = "acme"
			r, errs := Compile([]Rule{tt.rule})
			if errs != nil {
				t.Fatal(errs)
			}
			if tt.want == "" {
				tt.want = tt.in
			}
			if got, _ := r.Redact(tt.in); got != tt.want {
				t.Errorf("got %.200q, want %.200q", got, tt.want)
			}
		})
	}
}

func TestRuleErrors(t *testing.T) {
	good := Rule{ID: "good", Regex: `ACME-\d`}
	for _, tt := range []struct {
		name  string
		rule  Rule
		field string
		part  string
	}{
		{"no id", Rule{Regex: "a"}, "id", "1 to 64"},
		{"bad id", Rule{ID: "a b", Regex: "a"}, "id", "letters"},
		{"id of a built-in rule", Rule{ID: "jwt", Regex: "zzz"}, "id", "taken"},
		{"id twice", Rule{ID: "good", Regex: "zzz"}, "id", "taken"},
		{"reserved id", Rule{ID: "withheld", Regex: "zzz"}, "id", "taken"},
		{"no regex", Rule{ID: "x"}, "regex", "missing"},
		{"bad regex", Rule{ID: "x", Regex: "a("}, "regex", "missing closing )"},
		{"regex of another dialect", Rule{ID: "x", Regex: "(?<!a)b"}, "regex", "invalid named capture"},
		{"empty match", Rule{ID: "x", Regex: "a*"}, "regex", "empty"},
		{"matches its mask", Rule{ID: "x", Regex: `[A-Z]{8}`}, "regex", "itself"},
		{"group", Rule{ID: "x", Regex: "(a)", Group: 2}, "group", "1 groups"},
		{"keyword", Rule{ID: "x", Regex: "a", Keywords: []string{""}}, "keywords", "1 to 64"},
		{"entropy", Rule{ID: "x", Regex: "a", Entropy: 9}, "entropy", "between"},
		{"allow", Rule{ID: "x", Regex: "a", Allow: []string{"["}}, "allow", "missing closing ]"},
		{"replace with line", Rule{ID: "x", Regex: "a", Replace: "b\n"}, "replace", "single line"},
		{"replace that matches", Rule{ID: "x", Regex: "ab+", Replace: "xabx"}, "replace", "itself"},
		{"long regex", Rule{ID: "x", Regex: strings.Repeat("a", 5000)}, "regex", "5000 bytes; at most 4096"},
		{"many captures", Rule{ID: "x", Regex: strings.Repeat("(a)", 17)}, "regex", "17 capture groups"},
		{"costly regex", Rule{ID: "x", Regex: "(?:[a-z]{1,30}){1,30}"}, "regex", "too costly"},
		{"more than a count can be", Rule{ID: "x", Regex: "(?:[a-z]{1,999}){1,999}"}, "regex", "repeat"},
		{"costly allow", Rule{ID: "x", Regex: "a", Allow: []string{"(?:[a-z]{1,30}){1,30}"}}, "allow", "too costly"},
		{"long replace", Rule{ID: "x", Regex: "a", Replace: strings.Repeat("b", 129)}, "replace", "at most 128"},
		{"replace with an escape", Rule{ID: "x", Regex: "a", Replace: "\x1b[2J"}, "replace", "control"},
		{"replace with a bell", Rule{ID: "x", Regex: "a", Replace: "\x07"}, "replace", "control"},
		{"replace with a direction mark", Rule{ID: "x", Regex: "a", Replace: "b\u202ec"}, "replace", "not seen"},
		{"long example", Rule{ID: "x", Regex: "a", Example: strings.Repeat("a", 5000)}, "example", "5000 bytes"},
		{"id of a joint mark", Rule{ID: "pattern", Regex: "zzz"}, "id", "taken"},
		{"example", Rule{ID: "x", Regex: `a\d`, Example: "ab"}, "example", "finds nothing"},
		{"example lacks keyword", Rule{ID: "x", Regex: `\d\d`, Keywords: []string{"pin"}, Example: "12"}, "example", "keyword: pin"},
		{"counter", Rule{ID: "x", Regex: `a\d`, Counter: "a1"}, "counter", "finds a secret"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, errs := Compile([]Rule{good, tt.rule})
			if len(errs) != 1 {
				t.Fatalf("errors %v, want one", errs)
			}
			e := errs[0]
			if e.Index != 1 || e.Rule != tt.rule.ID || e.Field != tt.field || !strings.Contains(e.Error(), tt.part) {
				t.Errorf("got %+v, want field %s with %q", e, tt.field, tt.part)
			}
			if out, _ := r.Redact("ACME-1"); out != "[REDACTED:good]" {
				t.Errorf("the good rule is lost: %q", out)
			}
		})
	}
}

func TestTooManyKeywords(t *testing.T) {
	rule := Rule{ID: "many", Regex: "zz"}
	for i := range 1200 {
		rule.Keywords = append(rule.Keywords, fmt.Sprintf("%x", sha256.Sum256([]byte{byte(i), byte(i >> 8)})))
	}
	r, errs := Compile([]Rule{rule})
	if len(errs) != 1 || errs[0].Field != "keywords" || errs[0].Rule != "many" || r == nil {
		t.Errorf("got %v, %v", r, errs)
	}
}

// More rules never bring back what fewer rules removed.
func TestRulesOnlyAdd(t *testing.T) {
	r, errs := Compile([]Rule{
		{ID: "a", Regex: `[a-z]{3,}`, Allow: []string{"redacted"}, Replace: "~"},
		{ID: "b", Regex: `=\s*\S`, Replace: "^"},
	})
	if errs != nil {
		t.Fatal(errs)
	}
	for _, tt := range groupTests() {
		if out, _ := r.Redact(tt.text); strings.Contains(out, tt.secret) {
			t.Errorf("%s: %q", tt.name, out)
		}
	}
}

func TestSameInputSameOutput(t *testing.T) {
	var all strings.Builder
	for _, tt := range groupTests() {
		all.WriteString(tt.text + "\n\n")
	}
	first, spans := Default().Redact(all.String())
	for range 5 {
		out, again := Default().Redact(all.String())
		if out != first || cmp.Diff(spans, again) != "" {
			t.Fatal("two runs differ")
		}
	}
}
