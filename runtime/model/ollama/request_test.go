package ollama

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model"
)

func TestRequestBytes(t *testing.T) {
	schema := &model.Schema{Name: "answer", JSON: json.RawMessage(`{"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "integer"}}}`)}
	tool := model.Tool{Name: "grep", Description: "search", Parameters: json.RawMessage(
		`{"type":"object","required":["pattern"],"properties":{"pattern":{"type":"string"},"glob":{"type":"string","enum":["*.go"]}}}`)}
	gptoss := strings.Replace(strings.Replace(string(fixture(t, "show_smol-think.json")), `"family":"llama"`, `"family":"gptoss"`, 1), "smol", "x", -1)
	const head, tail = `"messages":[{"role":"user","content":"hello"}],"stream":true`, `"truncate":false,"shift":false}`
	const options = `"options":{"num_ctx":8192,"num_predict":40,"seed":1,"temperature":0}`
	for _, c := range []struct {
		name, model string
		change      func(*model.Request)
		want        string
	}{
		{"text", "smollm2:135m", func(*model.Request) {}, `{"model":"smollm2:135m",` + head + `,` + options + `,` + tail},
		{"length of the reply open", "smollm2:135m", func(r *model.Request) { r.MaxTokens = 0 },
			`{"model":"smollm2:135m",` + head + `,"options":{"num_ctx":8192,"seed":1,"temperature":0},` + tail},
		{"schema", "smollm2:135m", func(r *model.Request) { r.Schema = schema },
			`{"model":"smollm2:135m",` + head + `,"format":{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer"}}},` + options + `,` + tail},
		{"tools without the schema", "smol-tools", func(r *model.Request) { r.Schema, r.Tools = schema, []model.Tool{tool} },
			`{"model":"smol-tools:latest",` + head + `,"tools":[{"type":"function","function":{"name":"grep","description":"search","parameters":` +
				`{"type":"object","required":["pattern"],"properties":{"pattern":{"type":"string"},"glob":{"type":"string","enum":["*.go"]}}}}}],` + options + `,` + tail},
		{"thinking off", "smol-think", func(*model.Request) {}, `{"model":"smol-think:latest",` + head + `,` + options + `,"think":false,` + tail},
		{"thinking low", "x", func(*model.Request) {}, `{"model":"x:latest",` + head + `,` + options + `,"think":"low",` + tail},
		{"a conversation", "smol-tools", func(r *model.Request) {
			r.Messages = []model.Message{
				{Role: model.System, Content: "be <brief>"},
				{Role: model.Assistant, Calls: []model.ToolCall{{ID: "c1", Name: "grep", Arguments: `{"z":1,"a":"x"}`}, {ID: "c2", Name: "grep", Arguments: `pattern: x`}}},
				{Role: model.ToolRole, CallID: "c1", Tool: "grep", Content: "a.go:1"},
			}
		}, `{"model":"smol-tools:latest","messages":[{"role":"system","content":"be \u003cbrief\u003e"},{"role":"assistant","content":"","tool_calls":[` +
			`{"id":"c1","function":{"index":0,"name":"grep","arguments":{"z":1,"a":"x"}}},{"id":"c2","function":{"index":1,"name":"grep","arguments":{"arguments":"pattern: x"}}}]},` +
			`{"role":"tool","content":"a.go:1","tool_name":"grep","tool_call_id":"c1"}],"stream":true,` + options + `,` + tail},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, routes{"/api/show x:latest": {body: gptoss}, "/api/chat": {body: `{"message":{"content":"x"},"done":true}`}})
			req := hello()
			c.change(&req)
			for range 2 { // equal requests of two endpoints are equal bytes
				must[*model.Reply](t)(at(t, s.URL, c.model, 0).Chat(background, req, nil))
				if got := lastOf(s, "/api/chat"); got != c.want {
					t.Errorf("asked\n%s\nwant\n%s", got, c.want)
				}
			}
		})
	}
}

func TestRequestsThatAreNotSent(t *testing.T) {
	for _, c := range []struct {
		name, model, kind, words string
		change                   func(*model.Request)
	}{
		{"tools without a tool template", "smollm2:135m", model.Unsupported, "smollm2:135m has no tools; ask without",
			func(r *model.Request) { r.Tools = []model.Tool{{Name: "f"}} }},
		{"parameters of no form", "smol-tools", model.Refused, "tool f has parameters",
			func(r *model.Request) { r.Tools = []model.Tool{{Name: "f", Parameters: json.RawMessage(`[1]`)}} }},
		{"a schema of no form", "smollm2:135m", model.Refused, "not JSON",
			func(r *model.Request) { r.Schema = &model.Schema{JSON: json.RawMessage(`{`)} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, nil)
			req := hello()
			c.change(&req)
			_, err := at(t, s.URL, c.model, 0).Chat(background, req, nil)
			wantError(t, err, c.kind, c.words)
			if got := lastOf(s, "/api/chat"); got != "" {
				t.Errorf("asked %s", got)
			}
		})
	}
}

// The window is decided once: another one would load the model anew.
func TestWindowStays(t *testing.T) {
	loaded := func(tokens string) canned {
		return canned{body: `{"models":[{"name":"smollm2:135m","model":"smollm2:135m","context_length":` + tokens + `}]}`}
	}
	for _, c := range []struct {
		name   string
		window int
		model  string
		ps     canned
		want   string
	}{
		{"configured", 3000, "smollm2:135m", loaded("2048"), `"num_ctx":3000`},
		{"as it is loaded", 0, "smollm2:135m", loaded("2048"), `"num_ctx":2048`},
		{"another is loaded", 0, "gemma3-270m", loaded("2048"), `"num_ctx":8192`},
		{"not loaded", 0, "gemma3-270m", canned{body: `{}`}, `"num_ctx":8192`},
		{"trained for less", 0, "tiny", canned{body: `{}`}, `"num_ctx":512`},
		{"trained for who knows", 0, "odd", canned{body: `{}`}, `"num_ctx":8192`},
	} {
		t.Run(c.name, func(t *testing.T) {
			special := routes{"/api/ps": c.ps, "/api/chat": {body: `{"message":{"content":"x"},"done":true}`},
				"/api/show tiny:latest": {body: `{"model_info":{"general.architecture":"bert","bert.context_length":512}}`},
				"/api/show odd:latest":  {body: `{"model_info":{"general.architecture":7}}`}}
			s := serve(t, special)
			e := at(t, s.URL, c.model, c.window)
			for range 2 {
				must[*model.Reply](t)(e.Chat(background, hello(), nil))
				if got := lastOf(s, "/api/chat"); !strings.Contains(got, c.want) {
					t.Errorf("asked %s, want %s", got, c.want)
				}
				special["/api/ps"] = loaded("1024")
				must[model.Info](t)(e.Info(background))
			}
		})
	}
}

// Many at once look at the server once and ask for the same window.
func TestTogether(t *testing.T) {
	s := serve(t, routes{"/api/chat": {body: `{"message":{"content":"x"},"done":true}`}, "/api/ps": {file: "ps_loaded.json"}})
	e := at(t, s.URL, "", 0)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := e.Chat(background, hello(), nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if shows := len(s.asked["/api/show"]); shows > 2 { // one to choose, one to know
		t.Errorf("the model was looked at %d times", shows)
	}
	for _, body := range s.asked["/api/chat"] {
		if !strings.Contains(body, `"num_ctx":2048`) {
			t.Errorf("asked %s", body)
		}
	}
	all.Go(func() { e.Info(background) })
	all.Go(func() { e.Chat(background, hello(), nil) })
	all.Wait()
}

func TestHeaders(t *testing.T) {
	s := serve(t, routes{"/api/chat": {body: `{"message":{"content":"x"},"done":true}`}})
	e, err := New(model.Options{URL: s.URL, Model: "smollm2:135m", Key: "k3y"})
	if err != nil {
		t.Fatal(err)
	}
	must[*model.Reply](t)(e.Chat(background, hello(), nil))
	for _, h := range s.heads {
		if h.Get("Authorization") != "Bearer k3y" || h.Get("User-Agent") != "compactor" {
			t.Errorf("headers are %v", h)
		}
	}
}

// ollama.com is a host as any other: no private key of the user signs for it.
func TestTheLibrarySignsNothing(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	var asked *http.Request
	e, err := New(model.Options{URL: "https://ollama.com", Model: "x", Client: doer(func(r *http.Request) (*http.Response, error) {
		asked = r
		return response(503, nil), nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Info(background)
	wantError(t, err, model.Busy)
	if asked.URL.String() != "https://ollama.com/api/version" || asked.Header.Get("Authorization") != "" {
		t.Errorf("asked %s with %v", asked.URL, asked.Header)
	}
}
