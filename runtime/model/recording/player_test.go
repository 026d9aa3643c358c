package recording_test

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/recording"
)

func exchange(request, body string) recording.Exchange {
	return recording.Exchange{Provider: "openai", Method: "POST", Path: chat, Request: []byte(request), Status: 200, Body: []byte(body)}
}

func TestEqualRequestsAreAnsweredInOrder(t *testing.T) {
	t.Parallel()
	p := recording.Play("r.jsonl", []recording.Exchange{exchange(`{"a":1}`, "first"), exchange(`{"b":1}`, "other"), exchange(`{"a":1}`, "second")}, "")
	for _, want := range []string{"first", "second", "second"} {
		if got := ask(t, t.Context(), p, "POST", "http://x"+chat, ` { "a" : 1 } `); got.body != want {
			t.Errorf("got %q, want %q", got.body, want)
		}
	}
	if left := p.Unused(); len(left) != 1 || string(left[0].Body) != "other" {
		t.Errorf("unused: %+v", left)
	}
}

func TestSortKeepsEqualRequestsInOrder(t *testing.T) {
	t.Parallel()
	all := []recording.Exchange{exchange(`{"b":1}`, "3"), exchange(`{"a":1}`, "1"), {Provider: "ollama", Path: "/api/show"}, exchange(`{"a":1}`, "2")}
	recording.Sort(all)
	got := ""
	for _, e := range all {
		got += e.Provider[:2] + string(e.Body) + " "
	}
	if got != "ol op1 op2 op3 " {
		t.Error(got)
	}
}

func TestMiss(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("evidence ", 40)
	p := recording.Play("rec/x.jsonl", []recording.Exchange{
		exchange(`{"max_tokens":9,"messages":[{"content":"who is it","role":"user"}],"model":"m"}`, ""),
		exchange(`{"max_tokens":200,"messages":[{"content":"`+long+`a.go:3","role":"user"}],"model":"m"}`, ""),
		exchange("plain text", ""),
		{Provider: "openai", Method: "GET", Path: "/v1/models", Status: 200},
	}, "record it with: this")
	for name, c := range map[string]struct{ method, path, body, want string }{
		"text": {"POST", chat, `{"model":"m","max_tokens":200,"messages":[{"role":"user","content":"` + long + `b.go:3"}]}`,
			`line 2, differs first at messages[0].content: recorded "…e evidence evidence a.go:3", asked "…e evidence evidence b.go:3" from byte 360`},
		"number":     {"POST", chat, `{"model":"m","max_tokens":8,"messages":[{"role":"user","content":"who is it"}]}`, `line 1, differs first at max_tokens: recorded "9", asked "8"`},
		"field more": {"POST", chat, `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"who is it"}],"stream":true}`, `line 1, differs first at stream: recorded nothing, asked true`},
		"field less": {"POST", chat, `{"max_tokens":9,"messages":[{"role":"user","content":"who is it"}]}`, `line 1, differs first at model: recorded "m", asked nothing`},
		"turn more":  {"POST", chat, `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"who is it"},{"role":"user"}]}`, `line 1, differs first at messages: recorded 1 items, asked 2`},
		"not JSON":   {"POST", chat, `plain tent`, `line 3, differs first at the body: recorded "plain text", asked "plain tent"`},
		"place":      {"POST", "/v1/embeddings", `{}`, `rec/x.jsonl has no POST /v1/embeddings; it has GET /v1/models, POST /v1/chat/completions`},
	} {
		before := len(p.Misses())
		got := ask(t, t.Context(), p, c.method, "http://x"+c.path, c.body)
		var e *model.Error
		if !errors.As(got.err, &e) || e.Code() != model.Unrecorded {
			t.Fatalf("%s: %v", name, got.err)
		}
		if !strings.Contains(e.Error(), c.want) || !strings.Contains(e.Error(), "; record it with: this") || strings.Contains(e.Error(), "\n") {
			t.Errorf("%s:\ngot  %s\nwant %s", name, e, c.want)
		}
		if all := p.Misses(); len(all) != before+1 || all[before] != got.err {
			t.Errorf("%s: misses %v", name, all)
		}
	}
}

func TestBrokenLineIsNamed(t *testing.T) {
	t.Parallel()
	good := `{"v":1,"provider":"openai","method":"POST","path":"/v1/x","request":{},"status":200}` + "\n"
	for text, want := range map[string]string{
		good + "{":         "x.jsonl:2 is not an exchange",
		good + "\n" + good: "x.jsonl:2 is empty",
		good + good + strings.Replace(good, `"v":1`, `"v":2`, 1):               "x.jsonl:3 has version 2",
		strings.Replace(good, "openai", "lmstudio", 1):                         `x.jsonl:1 has provider "lmstudio"; want openai or ollama`,
		strings.Replace(good, `"status"`, `"statsu"`, 1):                       `x.jsonl:1 is not an exchange: unknown field "statsu"`,
		strings.Replace(good, `200`, `200,"end":"bang"`, 1):                    `x.jsonl:1 has end "bang"`,
		strings.Replace(good, `,"status":200`, ``, 1):                          "x.jsonl:1 has neither status nor end",
		strings.Replace(good, `200`, `200,"body":"a","body_base64":"YQ=="`, 1): "x.jsonl:1 has both body and body_base64",
		strings.Replace(good, `{},`, `{},"request_text":"a",`, 1):              "x.jsonl:1 has its request twice",
		strings.TrimSpace(good) + good:                                         "x.jsonl:1 holds more than one exchange",
	} {
		path := filepath.Join(t.TempDir(), "x.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := recording.Open(path, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

func TestOpenSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.jsonl")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{filepath.Join(dir, "no.jsonl"): "no such file", empty: "holds no exchange", dir: "is not a file"} {
		if _, err := recording.Open(path, path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("Open(%s): %v, want %s", path, err, want)
		}
	}
}

func TestWhoAnswered(t *testing.T) {
	t.Parallel()
	p := recording.Play("x", []recording.Exchange{{Provider: "openai", Method: "GET", Path: "/api/v0/models"}, exchange(`{"model":"gemma"}`, "")}, "")
	if got := p.Provider() + " " + p.Model() + " " + p.URL(); got != "openai gemma http://recording.invalid/v1" {
		t.Error(got)
	}
	p = recording.Play("x", []recording.Exchange{{Provider: "ollama", Method: "POST", Path: "/api/chat", Request: []byte(`{"model":"smol"}`)}}, "")
	if got := p.Provider() + " " + p.Model() + " " + p.URL(); got != "ollama smol http://recording.invalid" {
		t.Error(got)
	}
}

// What is read and written again is the same exchanges.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"v":1,"provider":"openai","method":"POST","path":"/v1/x","request":{"b":1,"a":[1e5]},"status":200,"body":"x"}`))
	f.Add([]byte(`{"v":1,"provider":"ollama","method":"GET","path":"/","request_base64":"/w==","end":"refused"}` + "\n"))
	f.Add([]byte(`{"v":1,"provider":"ollama","method":"GET","path":"/","request_text":"{","status":200,"header":{"retry-after":"1"},"body_base64":"/w==","end":"cut"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := recording.Parse("x", data)
		if err != nil {
			return
		}
		var text bytes.Buffer
		for _, e := range all {
			line, err := e.MarshalLine()
			if err != nil {
				t.Fatal(err)
			}
			text.Write(line)
		}
		again, err := recording.Parse("x", text.Bytes())
		if err != nil || !cmp.Equal(all, again) {
			t.Fatalf("%v\n%s", err, cmp.Diff(all, again))
		}
		p := recording.Play("x", all, "")
		for _, e := range all {
			req, err := http.NewRequest("POST", "http://x/", bytes.NewReader(e.Request))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Do(req); err != nil && !model.Is(err, model.Unrecorded) && e.Status != 0 {
				t.Fatal(err)
			}
		}
	})
}
