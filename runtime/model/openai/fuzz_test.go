package openai

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// FuzzReply reads arbitrary bytes as an answer: every error is one of the port,
// what arrives is what was delivered, and it is the same however the bytes are
// cut on their way.
func FuzzReply(f *testing.F) {
	files, err := filepath.Glob("testdata/*.http")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		_, body, _ := bytes.Cut(data, []byte("\r\n\r\n"))
		f.Add(body[:min(len(body), 4<<10)])
	}
	for _, s := range []string{
		"data: {\"choices\":[{\"delta\":{\"content\":\ndata: \"two lines\"}}]}\n\ndata: [DONE]\n\n",
		"data:{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\ndata:{\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}",
		`{"choices":[{"message":{"content":[{"type":"text","text":"parts"}],"tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]}}]}`,
		`{"choices":[{"delta":{"content":"a"}}]}` + "\n" + `{"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}]}`,
		"error: {\"code\":500,\"message\":\"old\"}\n\n", ": ping\n\n", "\r\n\r\ndata: 3\n\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var text, thoughts strings.Builder
		r := reading{on: func(d model.Delta) {
			if d == (model.Delta{}) {
				t.Error("an empty piece")
			}
			text.WriteString(d.Text)
			thoughts.WriteString(d.Reasoning)
		}}
		err := r.readBody(context.Background(), bytes.NewReader(data))
		reply := r.result()
		var m *model.Error
		if err != nil && (!errors.As(err, &m) || m.Kind == "" || m.Message == "" || len(m.Message) > 1000) {
			t.Errorf("error %T %v", err, err)
		}
		if err == nil && isBlank(reply) {
			t.Error("nothing, and no error")
		}
		if reply != nil && (reply.Content != text.String() || reply.Reasoning != thoughts.String()) {
			t.Errorf("kept %q and %q, delivered %q and %q", reply.Content, reply.Reasoning, text.String(), thoughts.String())
		}
		if reply == nil && text.Len()+thoughts.Len() > 0 {
			t.Error("delivered and not kept")
		}
		again := reading{}
		err2 := again.readBody(context.Background(), iotest.OneByteReader(bytes.NewReader(data)))
		one, two := outcome(reply, err), outcome(again.result(), err2)
		if one != two {
			t.Errorf("at once   %s\nbytewise %s", one, two)
		}
	})
}

func outcome(r *model.Reply, err error) string {
	if r != nil {
		r.Usage.First, r.Usage.Total = 0, 0
	}
	s := show(r)
	if err != nil {
		s += err.Error()
	}
	return s
}

// FuzzFailure reads arbitrary bytes as the body of an error.
func FuzzFailure(f *testing.F) {
	f.Add(400, []byte(`{"error":{"message":"m","type":"t","code":"c","n_ctx":1}}`))
	f.Add(200, []byte(`{"error":"text"}`))
	f.Add(422, []byte(`{"detail":[{"msg":"m"}]}`))
	f.Add(500, []byte("\xff plain"))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		m := classifyFailure(status, parseFailure(body))
		if m.Kind == "" || m.Message == "" || len(m.Message) > 1000 || strings.ContainsAny(m.Message, "\n\r") {
			t.Errorf("%s %q", m.Kind, m.Message)
		}
	})
}

// FuzzLists reads arbitrary bytes as what servers tell of their models.
func FuzzLists(f *testing.F) {
	for _, name := range []string{"lmstudio-models", "lmstudio-models-v0", "lmstudio-list", "llamacpp-models", "llamacpp-props"} {
		data, err := os.ReadFile(filepath.Join("testdata", name+".http"))
		if err != nil {
			f.Fatal(err)
		}
		_, body, _ := bytes.Cut(data, []byte("\r\n\r\n"))
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		_, plain := parseList(answer{body: body})
		for _, entries := range [][]entry{plain, parseLMStudio(body), parseLMStudioOld(body)} {
			for _, ability := range []model.Ability{model.CanChat, model.CanEmbed} {
				if i := pickLoaded(entries, ability); i != nil && !i.Loaded {
					t.Error("picked what is not loaded")
				}
			}
			_ = suggestModels("x", infosOf(entries))
			_ = serverName(entries, "x")
		}
		_, _ = parseVectors(body, "x", 2)
	})
}
