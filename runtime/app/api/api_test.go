package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"go.uber.org/goleak"

	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// heard keeps what came through the readers of bodies.
type heard struct {
	api.Source
	said *api.Override
	text *string
	args json.RawMessage
	err  error // of Run
}

func (h *heard) Override(_ context.Context, o api.Override) (*api.Overridden, error) {
	h.said = &o
	return &api.Overridden{Tool: o.Tool, Relevant: o.Relevant}, nil
}

func (h *heard) Configure(_ context.Context, text []byte, tag string) (*api.Configured, error) {
	s := string(text)
	h.text = &s
	return &api.Configured{Tag: tag, Warnings: []api.DiagnosticJSON{}}, nil
}

func (h *heard) Run(_ context.Context, _ string, args json.RawMessage, progress func(api.CallProgress)) (json.RawMessage, error) {
	h.args = args
	if progress != nil {
		for _, step := range []string{"first", "second\nline"} {
			progress(api.CallProgress{Done: float64(len(step)), Message: step})
		}
	}
	return args, h.err
}

func (h *heard) Asked() (api.OwnTool, error) { return h.Own()[0], nil }

func (h *heard) Own() []api.OwnTool {
	least, most := 1.0, 50.0
	return []api.OwnTool{{Name: "find", Title: "Find", Description: "Find things.", ReadOnly: true,
		Input: &schema.Schema{Type: schema.Object, Fields: []schema.Field{
			{Name: "query", Required: true, Schema: &schema.Schema{Type: schema.String, Doc: "what to find"}},
			{Name: "most", Schema: &schema.Schema{Type: schema.Integer, Nullable: true, Min: &least, Max: &most, Default: 8}},
			{Name: "kind", Schema: &schema.Schema{Type: schema.String, Enum: []any{"a", "b"}}},
		}},
		Output: &schema.Schema{Type: schema.Array, Items: &schema.Schema{Type: schema.Object, Open: &schema.Schema{Type: schema.String}}}}}
}

func ask(h *heard, method, path, kind, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", kind)
	r.Header.Set("If-Match", `"t"`)
	w := httptest.NewRecorder()
	api.New(api.Options{Source: h, Version: "v", Changes: true}).ServeHTTP(w, r)
	return w
}

// A client that asks for events gets the steps and then the result, or the error.
func TestEvents(t *testing.T) {
	steps := "event: progress\ndata: {\"done\":5,\"message\":\"first\"}\n\nevent: progress\ndata: {\"done\":11,\"message\":\"second\\nline\"}\n\n"
	for _, c := range []struct {
		path, accept, body string
		err                error
		status             int
		want               string
	}{
		{"/ask", "text/event-stream", "{\n}", nil, 200, steps + "event: result\ndata: {}\n\n"},
		{"/tools/find", "application/json, text/event-stream;q=0.5", "{}", nil, 200, steps + "event: result\ndata: {}\n\n"},
		{"/ask", "*/*", "{}", nil, 200, "{}\n"},
		{"/ask", "text/event-stream;q=0", "{}", nil, 200, "{}\n"},
		{"/ask", "text/event-stream", "{}", api.NewProblem("TIMEOUT", "too late", ""), 200, steps + `event: problem` + "\n" + `data: {"type":"about:blank","title":"Gateway Timeout","status":504,"code":"TIMEOUT","detail":"too late"}` + "\n\n"},
		{"/ask", "application/json", "{}", api.NewProblem("TIMEOUT", "too late", ""), 504, ""},
		{"/ask", "text/event-stream", "[]", nil, 400, ""},
	} {
		r := httptest.NewRequest("POST", c.path, strings.NewReader(c.body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", c.accept)
		w := httptest.NewRecorder()
		api.New(api.Options{Source: &heard{err: c.err}, Version: "v"}).ServeHTTP(w, r)
		if got := w.Body.String(); w.Code != c.status || c.want != "" && got != c.want {
			t.Errorf("%+v: %d %q", c, w.Code, got)
		}
	}
}

// What is described is OpenAPI, has the tools there are, and names every path that is
// routed; every named schema is used.
func TestDescription(t *testing.T) {
	w := ask(&heard{}, "GET", "/openapi.json", "", "")
	doc, err := openapi3.NewLoader().LoadFromData(w.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(context.Background(), openapi3.EnableExamplesValidation()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/health", "/healthz", "/readyz", "/metrics", "/openapi.json", "/config", "/config/text", "/sessions", "/sessions/{id}",
		"/predictions/{session}", "/tools", "/tools/{name}", "/tools/{name}/stats", "/override", "/tools/find", "/collections", "/collections/{name}", "/collections/{name}/index"} {
		if doc.Paths.Find(path) == nil {
			t.Errorf("%s is not described", path)
		}
	}
	ids := map[string]bool{}
	for path, item := range doc.Paths.Map() {
		for method, o := range item.Operations() {
			if o.OperationID == "" || ids[o.OperationID] || o.Summary == "" || o.Responses.Status(401) == nil || o.Responses.Status(405) == nil {
				t.Errorf("%s %s: %q is not whole, or there twice", method, path, o.OperationID)
			}
			ids[o.OperationID] = true
		}
	}
	for _, id := range []string{"putConfig", "getConfigText", "postOverride", "postIndex"} {
		for _, item := range doc.Paths.Map() {
			for _, o := range item.Operations() {
				if o.OperationID == id && (o.Security == nil || len(*o.Security) != 1) {
					t.Errorf("%s does not need a token", id)
				}
			}
		}
	}
	for name, s := range doc.Components.Schemas {
		if !strings.Contains(w.Body.String(), `"#/components/schemas/`+name+`"`) || s.Value.Type == nil {
			t.Errorf("nothing gives a %s", name)
		}
	}
	find := doc.Paths.Find("/tools/find").Post.RequestBody.Value.Content["application/json"].Schema.Value
	if !reflect.DeepEqual(find.Required, []string{"query"}) || !find.Properties["most"].Value.Nullable || *find.Properties["most"].Value.Max != 50 {
		t.Errorf("%+v", find)
	}
}

func TestBodiesOfOverride(t *testing.T) {
	yes := true
	for body, want := range map[string]*api.Override{
		`{"tool":"a","relevant":true}`:                             {Tool: "a", Relevant: &yes},
		` {"relevant":null,"tool":"a","profile":"p"} `:             {Tool: "a", Profile: "p"},
		`{"tool":"a","relevant":true,"client":"Ünï \"c\""}` + "\n": {Tool: "a", Relevant: &yes, Client: `Ünï "c"`},
	} {
		h := &heard{}
		if w := ask(h, "POST", "/override", "application/json; charset=utf-8", body); w.Code != 200 || !reflect.DeepEqual(h.said, want) {
			t.Errorf("%s: %d %+v", body, w.Code, h.said)
		}
	}
	for body, detail := range map[string]string{
		`{"tool":"a","relevnt":true}`:          "did you mean relevant?",
		`{"tool":"a"}`:                         "field relevant is missing",
		`{"tool":1,"relevant":true}`:           "field tool is a number: it is a string",
		`{"Tool":"a","relevant":true}`:         "did you mean tool?",
		`{"tool":"a","relevant":true`:          "not JSON",
		`{"tool":"a","relevant":true} x`:       "behind",
		`"a"`:                                  "no JSON object",
		`{"tool":"a","relevant":true,"":null}`: "is not known",
	} {
		h := &heard{}
		w := ask(h, "POST", "/override", "application/json", body)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), detail) || h.said != nil {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
}

// Whatever comes is an answer: what is taken is exactly what was sent, all else is a
// problem with a code, and nothing reaches the source then.
func FuzzBodies(f *testing.F) {
	for _, s := range []string{`{"tool":"a","relevant":true}`, `{"tool":"a","relevant":null,"client":"c","profile":"p"}`, `{}`, `null`, `[`, `{"tool":{"tool":1}}`,
		`{"tool":"\u0000\ud800","relevant":false}`, "package compactor\n", "\xff\xfe", strings.Repeat("[", 10_000), `{"tool":"a","tool":"b","relevant":true}`, ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, c := range []struct{ method, path, kind string }{
			{"POST", "/override", "application/json"}, {"POST", "/tools/x", "application/json"}, {"PUT", "/config", "application/cue"}, {"PUT", "/config", body},
		} {
			h := &heard{}
			w := ask(h, c.method, c.path, c.kind, body)
			if w.Code == 200 {
				if h.text != nil && *h.text != body || h.args != nil && (string(h.args) != body || !json.Valid(h.args)) || !utf8.ValidString(body) {
					t.Errorf("%s %s took another body", c.method, c.path)
				}
				if h.said != nil && (len(h.said.Tool) > len(body) || !json.Valid([]byte(body))) {
					t.Errorf("%+v of %q", h.said, body)
				}
				continue
			}
			var p api.Problem
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Code == "" || p.Status != w.Code || h.said != nil || h.text != nil || h.args != nil {
				t.Errorf("%s %s: %d %s", c.method, c.path, w.Code, w.Body)
			}
		}
	})
}
