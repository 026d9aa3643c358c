package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestValue(t *testing.T) {
	token, pass := "gh"+"p_"+drawn(36, mixedLetters), "Tr0ub4dor"+"&3"
	in := map[string]any{
		"password": pass,
		"nested":   []any{map[string]any{"note": "use " + pass + " here", "n": json.Number("1.50"), "ok": true, "nil": nil}},
		"list":     []string{"a", token},
		"tags":     map[string]string{"x": token},
		token:      1,
		"gh" + "p_" + drawn(37, mixedLetters)[1:]: 2,
		"path": "src/auth/token.go:12",
	}
	want := map[string]any{
		"password":                "[REDACTED:password]",
		"nested":                  []any{map[string]any{"note": "use [REDACTED:password] here", "n": json.Number("1.50"), "ok": true, "nil": nil}},
		"list":                    []any{"a", "[REDACTED:github-pat]"},
		"tags":                    map[string]any{"x": "[REDACTED:github-pat]"},
		"[REDACTED:github-pat]":   json.Number("1"),
		"[REDACTED:github-pat]#2": json.Number("2"),
		"path":                    "src/auth/token.go:12",
	}
	got := Default().Value(in).(map[string]any)
	if got["[REDACTED:github-pat]"] == json.Number("2") { // which of the two keys comes first depends on the drawn letters
		got["[REDACTED:github-pat]"], got["[REDACTED:github-pat]#2"] = json.Number("1"), json.Number("2")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if in["password"] != pass {
		t.Error("the input was changed")
	}
}

func TestValueOfOtherTypes(t *testing.T) {
	type server struct {
		Host   string `json:"host"`
		Secret string `json:"client_secret"`
	}
	secret := drawn(28, mixedLetters)
	got, err := json.Marshal(Default().Value([]server{{"h", secret}}))
	if want := `[{"client_secret":"[REDACTED:named-secret]","host":"h"}]`; err != nil || string(got) != want {
		t.Errorf("got %s, want %s (%v)", got, want, err)
	}
	if got := Default().Value(func() {}); got != "[REDACTED:withheld]" {
		t.Errorf("a value that JSON cannot hold gave %v", got)
	}
	for _, v := range []any{nil, true, 1.5, 7, "plain"} {
		if got := Default().Value(v); got != v {
			t.Errorf("Value(%v) = %v", v, got)
		}
	}
}

func TestJSONL(t *testing.T) {
	pass := "Tr0ub4dor" + "&3"
	long := strings.Repeat("x y ", 1<<18)
	in := `{"id":"a<b","text":"password='` + pass + `' <&>"}` + "\n\n" + `{"id":7,"text":"","path":"x.go"}` + "\n" + `{"id":null,"text":"` + long + `"}`
	var out bytes.Buffer
	if err := Default().JSONL(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	want := `{"id":"a<b","redacted":"password='[REDACTED:password]' <&>"}` + "\n" + `{"id":7,"redacted":""}` + "\n" + `{"id":null,"redacted":"` + long + `"}` + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Lines that are made to get something past the redactor, or to break what reads the output.
func TestJSONLHostileLines(t *testing.T) {
	token := "gh" + "p_" + drawn(36, mixedLetters)
	random, uuid := drawn(26, mixedLetters), "3f786850-e387-450f-9ab8-36ed7e6dc881"
	for _, tt := range []struct{ name, in, want string }{
		{"token as id", `{"id":"` + token + `","text":""}`, `{"id":"[REDACTED:github-pat]","redacted":""}`},
		{"token in an object as id", `{"id":{"k":["` + token + `"]},"text":""}`, `{"id":{"k":["[REDACTED:github-pat]"]},"redacted":""}`},
		{"escaped token as id", `{"id":"\u0067` + token[1:] + `","text":""}`, `{"id":"[REDACTED:github-pat]","redacted":""}`},
		{"password as id", `{"id":{"password":"Tr0ub4dor` + `&3"},"text":""}`, `{"id":{"password":"[REDACTED:password]"},"redacted":""}`},
		{"random id stays", `{"id":"` + random + `","text":""}`, `{"id":"` + random + `","redacted":""}`},
		{"uuid as id stays", `{"id":"` + uuid + `","text":""}`, `{"id":"` + uuid + `","redacted":""}`},
		{"text twice", `{"id":1,"text":"` + token + `","text":"a"}`, `{"id":1,"redacted":"a"}`},
		{"names in another case", `{"ID":1,"TEXT":"` + token + `"}`, `{"id":1,"redacted":"[REDACTED:github-pat]"}`},
		{"other fields are dropped", `{"id":1,"text":"a","redacted":"` + token + `"}`, `{"id":1,"redacted":"a"}`},
		{"a line in the text", `{"id":1,"text":"a\n{\"id\":2}"}`, `{"id":1,"redacted":"a\n{\"id\":2}"}`},
		{"not UTF-8", "{\"id\":1,\"text\":\"" + token + "\xff\"}", `{"id":1,"redacted":"[REDACTED:github-pat]` + "\ufffd" + `"}`},
		{"half a surrogate", `{"id":1,"text":"\ud800 ` + token + `"}`, `{"id":1,"redacted":"` + "\ufffd" + ` [REDACTED:github-pat]"}`},
		{"NUL in the text", `{"id":1,"text":"` + token[:9] + `\u0000` + token[9:] + `"}`, `{"id":1,"redacted":"[REDACTED:github-pat]"}`},
		{"path that switches off", `{"id":1,"path":"node_modules/a.js","text":"` + token + `"}`, `{"id":1,"redacted":"[REDACTED:github-pat]"}`},
		{"long path", `{"id":1,"path":"` + strings.Repeat("a/", 1<<16) + `","text":"` + token + `"}`, `{"id":1,"redacted":"[REDACTED:github-pat]"}`},
		{"mark as text", `{"id":1,"text":"[REDACTED:jwt]"}`, `{"id":1,"redacted":"[REDACTED:jwt]"}`},
		{"line end of another system", "{\"id\":1,\"text\":\"a\"}\r", `{"id":1,"redacted":"a"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := Default().JSONL(strings.NewReader(tt.in+"\n"), &out); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want+"\n", out.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	r, _ := Compile([]Rule{{ID: "a", Regex: "ACME-[0-9]", Replace: `"`}})
	var out bytes.Buffer
	if err := r.JSONL(strings.NewReader(`{"id":"ACME-1","text":""}`), &out); err != nil || out.String() != `{"id":"[REDACTED:withheld]","redacted":""}`+"\n" {
		t.Errorf("a mark that breaks the id: %q, %v", out.String(), err)
	}
	for _, in := range []string{"null", "[]", "1", `"` + token + `"`, `{"id":` + strings.Repeat("[", 20000), "\ufeff{}", "{}"} {
		if err := Default().JSONL(strings.NewReader(in), &out); err == nil || strings.Contains(err.Error(), token) || len(err.Error()) > 300 {
			t.Errorf("%.40q: error %v", in, err)
		}
	}
}

func TestJSONLErrors(t *testing.T) {
	for in, part := range map[string]string{
		"{\"id\":1,\"text\":\"a\"}\n{\"id\":2,": "line 2: not JSON at byte 8",
		`[]`:                                    `line 1: want an object {"id", "text"}`,
		`{"id":1,"text":2}`:                     `line 1: want an object`,
		"\n\n{\"text\":\"a\"}":                  `line 3: "id" is missing`,
		`{"id":1,"Txt":"a"}`:                    `line 1: "text" is missing`,
		`{"id":1,"text":"a"} {}`:                "line 1: not JSON",
	} {
		var out bytes.Buffer
		err := Default().JSONL(strings.NewReader(in), &out)
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: error %v, want %q", in, err, part)
		}
		if strings.HasPrefix(part, "line 2") && out.String() != "{\"id\":1,\"redacted\":\"a\"}\n" {
			t.Errorf("the good line was not written: %q", out.String())
		}
	}
	if err := Default().JSONL(strings.NewReader(`{"id":1,"text":"a"}`), failingWriter{}); !errors.Is(err, errFull) {
		t.Errorf("error %v, want the writer's", err)
	}
}

var errFull = errors.New("disk is full")

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errFull }

func TestStrip(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"clean", "a\tb\nc é 日本", "a\tb\nc é 日本"},
		{"c0", "a\x00b\x07c\rd\x7fe\x08", "abcde"},
		{"colour", "\x1b[1;31mred\x1b[0m", "red"},
		{"cursor and private modes", "\x1b[2J\x1b[?25lx\x1b[10;20H", "x"},
		{"title", "a\x1b]0;evil\x07b", "ab"},
		{"link", "\x1b]8;;https://h\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"clipboard write", "a\x1b]52;c;ZXZpbA==\x07b", "ab"},
		{"device control", "a\x1bPq#0\x1b\\b\x1b_x\x1b\\c", "abc"},
		{"charset", "a\x1b(Bb", "ab"},
		{"open sequence hides nothing", "a\x1b]0;rest of the text", "a0;rest of the text"},
		{"open sequence ends at the line", "a\x1b]0;x\nb\x07", "a0;x\nb"},
		{"c1", "a\u009b31mb\u009d0;t\u009cc\u0085d", "abcd"},
		{"c1 as bytes", "a\x9b31mb", "a\uFFFD31mb"},
		{"bidi", "a\u202eb\u2066c\u2069\u061c", "abc"},
		{"zero width", "a\u200bb\u200dc\ufeffd\u00ade", "abcde"},
		{"tags", "a\U000E0041\U000E007Fb\U000E0101", "ab"},
		{"escape at the end", "a\x1b", "a"},
		{"escape of an escape", "\x1b\x1b[31mx", "x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Strip(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
