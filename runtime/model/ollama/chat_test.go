package ollama

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/model"
)

func TestRepliesOfARealServer(t *testing.T) {
	hotel := model.Tool{Name: "hotel", Parameters: json.RawMessage(`{"type":"object","properties":{"type":{"type":"string"}}}`)}
	for _, c := range []struct {
		name, model, file string
		tools             []model.Tool
		want              model.Reply
	}{
		{"text", "smollm2:135m", "chat_text.ndjson", nil, textReply},
		{"schema", "smollm2:135m", "chat_schema.ndjson", nil, schemaReply},
		{"tools", "smol-tools", "chat_tools.ndjson", []model.Tool{hotel}, model.Reply{
			Model: "smol-tools:latest", Finish: "tool_calls",
			Calls: []model.ToolCall{{ID: "call_wbcclgki", Name: "hotel", Arguments: `{"type":"restaurant"}`}},
			Usage: model.Usage{In: 92, Out: 31, First: 47604744 + 21704754007, Total: 29188968706}}},
		{"thinking", "smol-think", "chat_thinking.ndjson", nil, thinkingReply},
		{"window full", "smollm2:135m", "chat_length.ndjson", nil, lengthReply},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, routes{"/api/chat": {file: c.file}})
			var text, thoughts strings.Builder
			req := hello()
			req.Tools = c.tools
			got, err := at(t, s.URL, c.model, 0).Chat(background, req, func(d model.Delta) {
				text.WriteString(d.Text)
				thoughts.WriteString(d.Reasoning)
			})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, *got); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
			if text.String() != got.Content || thoughts.String() != got.Reasoning {
				t.Errorf("the pieces make %q and %q", text.String(), thoughts.String())
			}
		})
	}
}

// A server that counts nothing still leaves the clock's figures.
func TestUsageByTheClock(t *testing.T) {
	s := serve(t, routes{"/api/chat": {body: `{"message":{"content":"yes"},"done":true}` + "\n"}})
	got := must[*model.Reply](t)(at(t, s.URL, "smollm2:135m", 0).Chat(background, hello(), nil))
	if got.Usage.First <= 0 || got.Usage.Total < got.Usage.First || got.Usage.In != 0 {
		t.Errorf("usage is %+v", got.Usage)
	}
}

func TestRepliesThatSayNothing(t *testing.T) {
	for name, c := range map[string]struct{ body, kind, words string }{
		"only loaded":     {string(fixture(t, "chat_load.ndjson")), model.Empty, "an empty reply"},
		"white":           {`{"message":{"content":" \n"},"done":true,"done_reason":"stop"}`, model.Empty, "an empty reply"},
		"only thoughts":   {`{"message":{"thinking":"hm"},"done":true,"done_reason":"length"}`, model.Empty, "thinking took"},
		"another model":   {`{"model":"phi3:mini","message":{"content":"x"},"done":true}`, model.Wrong, "smollm2:135m was asked and phi3:mini answered"},
		"nothing at all":  {"", model.Broken, "broke off"},
		"a page":          {"<html>\n<body>Welcome</body></html>", model.Broken, "<html>"},
		"an error later":  {`{"message":{"content":"x"}}` + "\n" + `{"error":"llama runner process has terminated: exit status 2"}`, model.Broken, "terminated"},
		"full later":      {`{"error":"the input length exceeds the context length"}`, model.Overflow, "larger window"},
		"another form":    {`{"message":"x","done":true}`, model.Broken, "broke off"},
		"calls no object": {`{"message":{"tool_calls":[{"function":{"name":"f","arguments":"x"}}]},"done":true}`, model.Broken, "broke off"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, routes{"/api/chat": {body: c.body}})
			_, err := at(t, s.URL, "smollm2:135m", 0).Chat(background, hello(), nil)
			wantError(t, err, c.kind, c.words)
		})
	}
}

// Thoughts that came to an end may hold the answer.
func TestThoughtsWithoutContent(t *testing.T) {
	s := serve(t, routes{"/api/chat": {body: `{"message":{"thinking":"{\"n\":1}"},"done":true,"done_reason":"stop"}`}})
	got := must[*model.Reply](t)(at(t, s.URL, "smollm2:135m", 0).Chat(background, hello(), nil))
	if got.Text() != `{"n":1}` {
		t.Errorf("text is %q", got.Text())
	}
}

// However a stream is cut, the reply holds what had arrived.
func TestCutStreams(t *testing.T) {
	whole := fixture(t, "chat_text.ndjson")
	last := strings.LastIndex(strings.TrimSpace(string(whole)), "\n")
	for n := 0; n <= last; n += 61 {
		got, err := replying(t, 200, whole[:n]).Chat(background, hello(), nil)
		wantError(t, err, model.Broken)
		if !strings.HasPrefix(textReply.Content, got.Text()) {
			t.Fatalf("cut at %d: %q", n, got.Text())
		}
		if lines := strings.Count(string(whole[:n]), "\n"); lines > 0 && got.Text() == "" {
			t.Fatalf("cut at %d: %d pieces are lost", n, lines)
		}
	}
}

func TestRepliesAreBounded(t *testing.T) {
	piece := `{"message":{"content":"` + strings.Repeat("x", 1<<16) + `"}}` + "\n"
	got, err := replying(t, 200, []byte(strings.Repeat(piece, model.MaxReply/len(piece)+9))).Chat(background, hello(), nil)
	wantError(t, err, model.Broken, "longer than 8 MiB")
	if len(got.Text()) > model.MaxReply || len(got.Text()) < model.MaxReply/2 {
		t.Errorf("%d bytes were kept", len(got.Text()))
	}
}

var (
	textReply = model.Reply{Model: "smollm2:135m", Finish: "length",
		Content: "1. Red - The most popular colour among the 30 people surveyed, with a total of 25 people wearing red.\n\n2. Blue - The second most popular color after red,",
		Usage:   model.Usage{In: 13, Out: 40, First: 3879456464 + 2677989431, Total: 21856303384}}
	schemaReply = model.Reply{Model: "smollm2:135m", Finish: "stop",
		Content: "{\n  \"city\":\n    \"Paris\",\n    \"n\"\n  :\n    -1234567890\n}",
		Usage:   model.Usage{In: 14, Out: 32, First: 62999589 + 3063312231, Total: 17411195673}}
	thinkingReply = model.Reply{Model: "smol-think:latest", Finish: "stop",
		Content: "yes", Reasoning: "No, it cannot be Prime.",
		Usage: model.Usage{In: 44, Out: 12, First: 73323045 + 4235832107, Total: 5453712415}}
	lengthReply = model.Reply{Model: "smollm2:135m", Finish: "length",
		Content: "The ocean's a vast and mysterious place, where the boundaries of life are blurred. It is a creature that has been with humanity for eons, shaping the world",
		Usage:   model.Usage{In: 16, Out: 33, First: 1159658130 + 3275089317, Total: 10455410040}}
)
