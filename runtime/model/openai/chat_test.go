package openai

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// TestReplies reads what servers answered.
func TestReplies(t *testing.T) {
	for name, c := range map[string]struct {
		server *script
		model  string
		want   model.Reply
		deltas int
	}{
		"streamed": {llamaServer(t, "llamacpp-chat"), "", model.Reply{Model: "gemma-3-270m.gguf", Content: "<|im_end", Finish: "length",
			Usage: model.Usage{In: 26, Cached: 0, Out: 5}}, 5},
		"not streamed": {llamaServer(t, "llamacpp-plain"), "gemma-3-270m", model.Reply{Model: "gemma-3-270m.gguf", Content: "<|im_end", Finish: "length",
			Usage: model.Usage{In: 26, Cached: 21, Out: 5}}, 1},
		"of a schema": {llamaServer(t, "llamacpp-schema"), "", model.Reply{Model: "gemma-3-270m.gguf", Content: "{\n    \"yes\": true\n}", Finish: "stop",
			Usage: model.Usage{In: 31, Cached: 1, Out: 13}}, 10},
		"a call": {llamaServer(t, "llamacpp-tools"), "SmolLM2-135M-Instruct", model.Reply{Model: "SmolLM2-135M-Instruct.Q4_1.gguf", Finish: "tool_calls",
			Calls: []model.ToolCall{{ID: "swQXmYvjw45xRWVvpbggxxLe4gJJnMyL", Name: "weather", Arguments: `{"city": "Paris"}`}},
			Usage: model.Usage{In: 352, Out: 29}}, 0},
		"two calls, interleaved": {studio(t, "lmstudio-tools"), "", model.Reply{Model: "qwen/qwen3-4b", Content: "Both. ", Finish: "tool_calls",
			Calls: []model.ToolCall{{ID: "365174485", Name: "grep", Arguments: `{"word":"pool"}`}, {ID: "365174486", Name: "ls", Arguments: "{}"}}}, 1},
		"thoughts": {llamaServer(t, "llamacpp-thinking"), "SmolLM2-135M-Instruct", model.Reply{Model: "SmolLM2-135M-Instruct.Q4_1.gguf", Reasoning: "\nI'm here to", Finish: "length",
			Usage: model.Usage{In: 15, Out: 5}}, 4},
		"as reasoning": {studio(t, "lmstudio-reasoning"), "qwen3-4b", model.Reply{Model: "qwen/qwen3-4b", Reasoning: `{"yes": true}`, Finish: "stop",
			Usage: model.Usage{In: 20, Out: 7}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var deltas int
			var text, thoughts string
			got, err := endpoint(t, model.Options{Model: c.model, Client: c.server}).Chat(t.Context(), say("hi"), func(d model.Delta) {
				deltas++
				text += d.Text
				thoughts += d.Reasoning
			})
			if err != nil {
				t.Fatal(err)
			}
			if deltas != c.deltas || text != got.Content || thoughts != got.Reasoning {
				t.Errorf("%d pieces of %q and %q", deltas, text, thoughts)
			}
			if (deltas > 0 || len(got.Calls) > 0) && (got.Usage.First <= 0 || got.Usage.Total < got.Usage.First) {
				t.Errorf("first piece after %v, all after %v", got.Usage.First, got.Usage.Total)
			}
			got.Usage.First, got.Usage.Total = 0, 0
			if show(got) != show(&c.want) {
				t.Errorf("got  %s\nwant %s", show(got), show(&c.want))
			}
		})
	}
}

func show(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// TestFailures turns what servers answer instead of a reply into errors that
// say what to do.
func TestFailures(t *testing.T) {
	vllmOverflow := `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5096 tokens (4996 in the messages, 100 in the completion).","type":"BadRequestError","param":null,"code":400}`
	for name, c := range map[string]struct {
		answer string
		kind   string
		says   string
		do     string
		kept   string
	}{
		"overflow of llama.cpp":               {"llamacpp-overflow", model.Overflow, "the prompt has 6414 tokens and the window 1024", "longer context", ""},
		"overflow of vLLM":                    {asJSON("400 Bad Request", vllmOverflow), model.Overflow, "4096 tokens", "longer context", ""},
		"overflow of vLLM, newer":             {asJSON("400 Bad Request", `{"error":{"message":"The decoder prompt (length 5000) is longer than the maximum model length of 4096.","code":400}}`), model.Overflow, "5000", "", ""},
		"overflow of LM Studio":               {"lmstudio-overflow", model.Overflow, "first 6012 tokens", "longer context", ""},
		"overflow of LM Studio, newer":        {asJSON("400 Bad Request", `{"error":"The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 6012>= n_ctx: 4096)."}`), model.Overflow, "6012", "", ""},
		"overflow of LM Studio, in stream":    {"lmstudio-stream-overflow", model.Overflow, "first 6012 tokens", "longer context", ""},
		"overflow of LM Studio, in mid-reply": {"lmstudio-stream-error", model.Overflow, "mid-generation", "longer context", "The pool"},
		"overflow of all slots":               {asStream(`data: {"error":{"message":"Context size has been exceeded."}}` + "\n\n"), model.Overflow, "exceeded", "", ""},
		"200 with an error":                   {"lmstudio-error-200", model.Broken, "The model has crashed", "log", ""},
		"200 with an error's code":            {asJSON("200 OK", `{"error":{"message":"try later","code":503}}`), model.Busy, "try later", "", ""},
		"wrong address at LM Studio":          {"lmstudio-unexpected", model.NotFound, "no such address", "ends in /v1", ""},
		"wrong address":                       {"llamacpp-unknown", model.NotFound, "no such address", "ends in /v1", ""},
		"wrong address at a web server":       {raw("200 OK", "text/html", "<!doctype html>\n<html>"), model.Broken, "<!doctype html>", "ends in /v1", ""},
		"no such model":                       {"lmstudio-not-loaded", model.NotFound, `"qwen3-4b-2508" not found`, "loaded: qwen/qwen3-4b", ""},
		"no model":                            {asJSON("400 Bad Request", `{"error":"No models loaded. Please load a model in the developer page or use the 'lms load' command."}`), model.NotFound, "No models loaded", "loaded: qwen/qwen3-4b", ""},
		"no such model, with a dot":           {asJSON("404 Not Found", "{\"object\":\"error\",\"message\":\"The model `qwen2.5-7b` does not exist.\",\"type\":\"NotFoundError\",\"code\":404}"), model.NotFound, "qwen2.5-7b", "loaded: ", ""},
		"another model":                       {"lmstudio-other-model", model.Wrong, "qwen/qwen3-4b was asked and google/gemma-3-12b answered", `model: "google/gemma-3-12b"`, ""},
		"loading":                             {"llamacpp-loading", model.Busy, "Loading model", "", ""},
		"too many":                            {asJSON("429 Too Many Requests", `{"error":{"message":"slow down"}}`, "Retry-After: 7"), model.Busy, "slow down", "", ""},
		"too many, empty":                     {raw("503 Service Unavailable", "text/plain", ""), model.Busy, "503 Service Unavailable", "", ""},
		"quota":                               {asJSON("429 Too Many Requests", `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`), model.Refused, "quota", "", ""},
		"no key":                              {"llamacpp-key", model.Refused, "Invalid API Key", "environment variable", ""},
		"not allowed":                         {asJSON("403 Forbidden", `{"error":"no permission"}`), model.Refused, "no permission", "key:", ""},
		"key repeated":                        {asJSON("401 Unauthorized", `{"error":{"message":"Incorrect API key provided: sesame."}}`), model.Refused, "provided: ....", "", ""},
		"bad request":                         {asJSON("422 Unprocessable Entity", `{"detail":[{"loc":["body","messages"],"msg":"field required"}]}`), model.Refused, "field required", "", ""},
		"a schema it cannot":                  {"llamacpp-badschema", model.Unsupported, "JSON schema error", "", ""},
		"tools it cannot":                     {asJSON("400 Bad Request", `{"error":{"message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}}`), model.Unsupported, "--enable-auto-tool-choice", "", ""},
		"failed":                              {raw("500 Internal Server Error", "text/plain", "Internal Server Error"), model.Broken, "Internal Server Error", "log", ""},
		"zero deltas":                         {"lmstudio-zero-deltas", model.Empty, "no content", "longer context", ""},
		"nothing":                             {"lmstudio-nothing", model.Empty, "no content", "longer context", ""},
		"no choices":                          {asJSON("200 OK", `{"choices":[],"model":"qwen/qwen3-4b"}`), model.Empty, "no content", "", ""},
		"out of tokens before a word":         {asStream(`data: {"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}` + "\n\ndata: [DONE]\n\n"), model.Empty, "no content", "more tokens", ""},
		"killed":                              {"llamacpp-killed", model.Broken, "broke in the middle", "still runs", "word0 word1"},
		"cut between events":                  {asStream(`data: {"choices":[{"index":0,"delta":{"content":"half"}}]}` + "\n\n"), model.Broken, "ends in the middle", "", "half"},
		"cut inside an event":                 {asStream(`data: {"choices":[{"index":0,"delta":{"content":"half"}}]}` + "\n\ndata: {\"choi"), model.Broken, "ends in the middle", "", "half"},
		"cut inside JSON":                     {asJSON("200 OK", `{"choices":[{"message":{"con`), model.Broken, "broke in the middle", "", ""},
		"given up":                            {asStream(`data: {"choices":[{"index":0,"delta":{"content":"half"},"finish_reason":"error"}]}` + "\n\n"), model.Broken, "ended the reply", "", "half"},
		"not the protocol":                    {asJSON("200 OK", `{"hello":"world"}`), model.Broken, "hello", "url", ""},
		"odd types":                           {asStream(`data: {"choices":{"content":1}}` + "\n\n"), model.Broken, "not follow the protocol", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			server := studio(t, c.answer)
			if strings.HasPrefix(c.answer, "llamacpp") {
				server = llamaServer(t, c.answer)
			}
			e := endpoint(t, model.Options{Name: "small", Key: "sesame", Client: server})
			reply, err := e.Chat(t.Context(), say("hi"), nil)
			var m *model.Error
			if !errors.As(err, &m) {
				t.Fatalf("%T %v", err, err)
			}
			if m.Kind != c.kind || !strings.Contains(m.Message, c.says) || !strings.Contains(m.Do, c.do) || m.Model != "small" {
				t.Errorf("%s %v", m.Kind, m)
			}
			if strings.Contains(m.Error(), "sesame") {
				t.Errorf("tells the key: %v", m)
			}
			if c.kept != "" && (reply == nil || !strings.Contains(reply.Content, c.kept)) {
				t.Errorf("kept %+v, want %q", reply, c.kept)
			}
			if name == "too many" && m.After != 7*time.Second {
				t.Errorf("wait %v", m.After)
			}
		})
	}
}

// TestRefusedFields sends a request again without what the server does not
// take, and every later one without it at once.
func TestRefusedFields(t *testing.T) {
	refusal := func(field string) string {
		return asJSON("400 Bad Request", `{"error":{"message":"Unknown parameter: '`+field+`'."}}`)
	}
	server := studio(t, "lmstudio-format", refusal("seed"), refusal("stream_options"), refusal("max_tokens"), "lmstudio-reasoning")
	e := endpoint(t, model.Options{Client: server})
	req := say("hi")
	req.Schema = &model.Schema{Name: "yes", JSON: json.RawMessage(`{"type":"object"}`)}
	for range 2 {
		if r, err := e.Chat(t.Context(), req, nil); err != nil || r.Text() != `{"yes": true}` {
			t.Fatal(r, err)
		}
	}
	sent := server.to(chatPath)
	if len(sent) != 6 {
		t.Fatalf("%d requests", len(sent))
	}
	for n, field := range []string{"response_format", "seed", "stream_options", "max_tokens"} {
		quoted := `"` + field + `":`
		if !strings.Contains(sent[n], quoted) || strings.Contains(sent[n+1], quoted) || strings.Contains(sent[5], quoted) {
			t.Errorf("%s: request %d %s\nthen %s\nlast %s", field, n, sent[n], sent[n+1], sent[5])
		}
	}
	if !strings.Contains(sent[5], `"max_completion_tokens":5`) {
		t.Errorf("no bound in %s", sent[5])
	}
}

// TestFieldNotSent is not looped over: an error that names a field which was
// not sent stays an error.
func TestFieldNotSent(t *testing.T) {
	server := studio(t, asJSON("400 Bad Request", `{"error":"response_format is odd"}`))
	_, err := endpoint(t, model.Options{Client: server}).Chat(t.Context(), say("hi"), nil)
	if !model.Is(err, model.Refused) || len(server.to(chatPath)) != 1 {
		t.Errorf("%v after %d requests", err, len(server.to(chatPath)))
	}
}

func TestUnreachable(t *testing.T) {
	for url, do := range map[string]string{
		"http://127.0.0.1:1/v1":     "start the server",
		"http://127.0.0.1:1234/v1":  "start LM Studio's server",
		"http://127.0.0.1:11434/v1": "ollama serve",
		"http://127.0.0.1:8080/v1":  "llama-server",
	} {
		e := endpoint(t, model.Options{URL: url, Client: refusing{}})
		_, err := e.Chat(t.Context(), say("hi"), nil)
		if !model.Is(err, model.Unreachable) || !strings.Contains(err.Error(), do) || !strings.Contains(err.Error(), url) {
			t.Errorf("%s: %v", url, err)
		}
		if _, err := e.Info(t.Context()); !model.Is(err, model.Unreachable) {
			t.Errorf("%s: %v", url, err)
		}
		if _, err := e.Embed(t.Context(), []string{"a"}); !model.Is(err, model.Unreachable) {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// TestRecordingsErrorPasses hands on what a replay says of itself.
func TestRecordingsErrorPasses(t *testing.T) {
	_, err := endpoint(t, model.Options{Name: "small", Client: missing{}}).Chat(context.Background(), say("hi"), nil)
	if !model.Is(err, model.Unrecorded) || !strings.Contains(err.Error(), "small") {
		t.Errorf("%v", err)
	}
}

func TestNewRefusesWhatIsNoAddress(t *testing.T) {
	for _, url := range []string{"", "localhost:1234/v1", "ftp://localhost", "http://", "://"} {
		if _, err := New(model.Options{Name: "small", URL: url}); !model.Is(err, model.Refused) || !strings.Contains(err.Error(), "http://localhost:1234/v1") {
			t.Errorf("%q: %v", url, err)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"7": 7 * time.Second, "0.5": 500 * time.Millisecond, "Sat, 21 Nov 2026 10:00:30 GMT": 30 * time.Second,
		"": 0, "soon": 0, "-1": 0, "NaN": 0, "Sat, 21 Nov 2026 09:00:00 GMT": 0, "1e300": 0,
	} {
		if got := retryAfter(header, now); got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
}

// TestOddCalls puts together what servers send who take the protocol loosely.
func TestOddCalls(t *testing.T) {
	end := `data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}` + "\n\n"
	calls := func(parts ...string) string {
		s := ""
		for _, p := range parts {
			s += `data: {"choices":[{"delta":{"tool_calls":[` + p + `]}}]}` + "\n\n"
		}
		return asStream(s + end)
	}
	for name, c := range map[string]struct {
		answer string
		want   []model.ToolCall
	}{
		"no index":          {calls(`{"id":"a","function":{"name":"f","arguments":"{"}}`, `{"function":{"arguments":"}"}}`, `{"id":"b","function":{"name":"g","arguments":"{}"}}`), []model.ToolCall{{ID: "a", Name: "f", Arguments: "{}"}, {ID: "b", Name: "g", Arguments: "{}"}}},
		"all are 0":         {calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`, `{"index":0,"id":"b","function":{"name":"g","arguments":"{}"}}`), []model.ToolCall{{ID: "a", Name: "f", Arguments: "{}"}, {ID: "b", Name: "g", Arguments: "{}"}}},
		"id repeated":       {calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}`, `{"index":0,"id":"a","function":{"name":"f","arguments":"}"}}`), []model.ToolCall{{ID: "a", Name: "f", Arguments: "{}"}}},
		"no id":             {calls(`{"index":0,"function":{"name":"f","arguments":"{}"}}`, `{"index":1,"function":{"name":"g","arguments":"{}"}}`), []model.ToolCall{{ID: "call_1", Name: "f", Arguments: "{}"}, {ID: "call_2", Name: "g", Arguments: "{}"}}},
		"arguments as JSON": {calls(`{"index":0,"id":"a","function":{"name":"f","arguments":{"a":1}}}`), []model.ToolCall{{ID: "a", Name: "f", Arguments: `{"a":1}`}}},
		"whole":             {asJSON("200 OK", `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"function_call"}]}`), []model.ToolCall{{ID: "a", Name: "f", Arguments: "{}"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := endpoint(t, model.Options{Client: studio(t, c.answer)}).Chat(t.Context(), say("hi"), nil)
			if err != nil || show(got.Calls) != show(c.want) || got.Finish != "tool_calls" {
				t.Errorf("%s %v", show(got), err)
			}
		})
	}
}

// TestOddStreams reads what servers send who take the format loosely.
func TestOddStreams(t *testing.T) {
	half := func(text, finish string) string {
		return `{"choices":[{"delta":{"content":"` + text + `"},"finish_reason":` + finish + `}]}`
	}
	for name, body := range map[string]string{
		"no empty lines":   "data:" + half("a", "null") + "\ndata:" + half("b", `"stop"`) + "\n",
		"carriage returns": "data: " + half("a", "null") + "\r\n\r\ndata: " + half("b", "null") + "\r\n\r\ndata: [DONE]\r\n\r\n",
		"comments":         ": wait\n\nevent: x\nid: 1\nretry: 2\ndata: " + half("a", "null") + "\n\n: wait\n\ndata: " + half("b", `"stop"`) + "\n\n",
		"over two lines":   "data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"ab\"}}]}\n\ndata: [DONE]\n\n",
		"one a line":       half("a", "null") + "\n" + half("b", `"stop"`) + "\n",
		"no mark":          "data: " + half("ab", `"stop"`) + "\n\n",
		"parts":            `{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}`,
		"another choice":   `{"choices":[{"index":1,"message":{"content":"no"}},{"index":0,"message":{"content":"ab"}}]}`,
	} {
		r, err := endpoint(t, model.Options{Client: studio(t, asStream(body))}).Chat(t.Context(), say("hi"), nil)
		if err != nil || r.Content != "ab" {
			t.Errorf("%s: %+v %v", name, r, err)
		}
	}
}
