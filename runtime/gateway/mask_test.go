package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// guarded masks as for a server that was given the variable K.
func guarded() *masker {
	return &masker{redactor: redact.Default(), secrets: []secret{{"K", "hush-hush"}}, clean: foreignText}
}

// A GitHub token, not written as one here.
const token = "gh" + "p_nLb6argKHKnP4UF5Jmq8CdauoOT60Q9UUJDf"

func TestWhatIsMaskedInAResult(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", `{ "a": 1.50, "n": 9007199254740993 }`, `{ "a": 1.50, "n": 9007199254740993 }`},
		{"own variable", `{ "a": [ "say hush-hush" ], "hush-hush": {"x":1}, "b":"h\u0075sh-hush" }`, `{ "a": [ "say [REDACTED:K]" ], "[REDACTED:K]": {"x":1}, "b":"[REDACTED:K]" }`},
		{"field of structured content", `{"content":[],"structuredContent":{"db":{"password":"Zx9qLm2Wv8Kp"},"pin":4711}}`,
			`{"content":[],"structuredContent":{"db":{"password":"[REDACTED:named-secret]"},"pin":0}}`},
		{"data", `{"structuredContent":{"mimeType":"text/plain","data":"token ` + token + `"}}`, `{"structuredContent":{"mimeType":"text/plain","data":"token [REDACTED:github-pat]"}}`},
		{"picture", `{"content":[{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}]}`, `{"content":[{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}]}`},
		{"own variable in base64", `{"contents":[{"uri":"a:b","blob":"c2F5IGh1c2gtaHVzaA=="}]}`, `{"contents":[{"uri":"a:b","blob":"c2F5IFtSRURBQ1RFRDpLXQ=="}]}`},
		{"escape sequences", `{"content":[{"type":"text","text":"a\u001b]52;c;ZXZpbA==\u0007b\u202ec\udb40\udc41\u009bd\r\ne"}]}`, `{"content":[{"type":"text","text":"abc\r\ne"}]}`},
		{"joiners", `{"content":[{"type":"text","text":"می\u200cخواهم 👩\u200d💻"}]}`, `{"content":[{"type":"text","text":"می\u200cخواهم 👩\u200d💻"}]}`},
		{"secret behind an escape sequence", `{"structuredContent":{"x":"` + token[:9] + `\u001b[31m` + token[9:] + `"}}`, `{"structuredContent":{"x":"[REDACTED:github-pat]"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := guarded().result(t.Context(), json.RawMessage(c.in))
			if err != nil || string(got) != c.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, c.want)
			}
		})
	}
	for _, in := range []string{``, `[]`, `"a"`, `{"a":1`, `{}{}`} {
		if got, err := guarded().result(t.Context(), json.RawMessage(in)); !errors.Is(err, errGarbled) {
			t.Errorf("%q: %s, %v", in, got, err)
		}
	}
}

// Whatever a server says on the side passes the same masker.
func TestWhatAServerSaysBesideResultsIsMasked(t *testing.T) {
	const in, masked = `{"message":"hush-hush","password":"Zx9qLm2Wv8Kp","data":"` + token + `"}`,
		`{"message":"[REDACTED:K]","password":"[REDACTED:named-secret]","data":"[REDACTED:github-pat]"}`
	m := guarded()
	said := map[string]string{}
	_, _ = m.maskAsks(func(_ context.Context, _ string, params json.RawMessage) (json.RawMessage, error) {
		said["a request"] = string(params)
		return nil, nil
	})(t.Context(), "elicitation/create", json.RawMessage(in))
	m.maskNotes(func(_ string, params json.RawMessage) { said["a notification"] = string(params) })(upstream.Note{Params: json.RawMessage(in)})
	var fault *upstream.RPCError
	if errors.As(m.maskError(&upstream.RPCError{Message: "hush-hush\x1b[2J " + token, Data: json.RawMessage(in)}), &fault) {
		said["data of an error"] = string(fault.Data)
	}
	for what, got := range said {
		if got != masked {
			t.Errorf("%s: %s", what, got)
		}
	}
	if len(said) != 3 || fault.Message != "[REDACTED:K] [REDACTED:github-pat]" {
		t.Errorf("%d, %q", len(said), fault.Message)
	}
	if got := m.maskValue(json.RawMessage(`{"a":`)); string(got) != `""` {
		t.Errorf("what is not JSON leaves as %s", got)
	}
}

func TestAnErrorIsReadable(t *testing.T) {
	for in, want := range map[string]string{
		"no\tsuch\nfile":                         "no\tsuch\nfile",
		"a\x1b]52;c;ZXZpbA==\x07b\x1b[2Jc\u202e": "abc",
		"a\xffb\u0085":                           "ab",
		strings.Repeat("ä", 1_500):               strings.Repeat("ä", 1_000) + "… (3000 bytes)",
	} {
		if got := readable(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// A result whose call has ended is not searched any longer, and one that is too much to
// be searched does not leave: the error says why and what to do.
func TestAResultThatIsNotSearchedDoesNotLeave(t *testing.T) {
	raw := json.RawMessage(`{"content":[{"type":"text","text":"` + strings.Repeat("token "+token+" and more ", 2000) + `"}]}`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if out, err := guarded().result(ctx, raw); !errors.Is(err, context.Canceled) || out != nil {
		t.Errorf("of a call that has ended: %.100s, %v", out, err)
	}
	passed := false
	if _, err := guarded().maskAsks(func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
		passed = true
		return nil, nil
	})(ctx, "elicitation/create", raw); !errors.Is(err, context.Canceled) || passed {
		t.Errorf("a request of a call that has ended: %v, passed on: %v", err, passed)
	}

	var costly []redact.Rule
	for i := range 20 {
		costly = append(costly, redact.Rule{ID: fmt.Sprint("r", i), Regex: strings.Repeat("[a-z]+b|", 200) + fmt.Sprintf("zzz#%d", i)})
	}
	m := guarded()
	var wrong []redact.RuleError
	if m.redactor, wrong = redact.Compile(costly); wrong != nil {
		t.Fatal(wrong)
	}
	m.clean = nil
	var fault *upstream.Error
	if out, err := m.result(t.Context(), raw); !errors.As(err, &fault) || fault.Code != CodeExecution || strings.Contains(string(out), token) ||
		!strings.Contains(err.Error(), "too much work to search for secrets") || !strings.Contains(err.Error(), "ask the tool for less") {
		t.Errorf("too much: %.200s, %v", out, err)
	}
	if out := m.maskValue(raw); strings.Contains(string(out), token) || !strings.Contains(string(out), "too much work") || !json.Valid(out) {
		t.Errorf("a value that is too much: %.200s", out)
	}
}
