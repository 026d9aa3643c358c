package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// FuzzPass has another server say anything, wherever it may be heard. Every line that reaches the client is one whole
// message; a result that is passed on keeps its members; a definition that Check takes is listed.
func FuzzPass(f *testing.F) {
	for _, seed := range []string{``, `{}`, `[]`, `{"content":[],"structuredContent":[1],"resultType":"complete","_meta":{"a":1}}`, "{\"content\":\n[]}",
		`{"resultType":"input_required"}`, `{"progress":1e400,"_meta":7}`, `{"level":"info","data":"\u2028"}`, `{"uri":"a:b/c","_meta":{"io.modelcontextprotocol/subscriptionId":1}}`,
		`{"name":"x","inputSchema":{"type":"object","properties":{"a":{"x-mcp-header":"A"}}}}`, `{"a":1,"a":2}`, "{\"a\":\"\xff\"}", `{"mode":"url"}`, `{"\"\n":1}`} {
		f.Add([]byte(seed))
	}
	methods := []string{"progress", "message", "elicitation/complete", "resources/updated", "resources/list_changed"}
	f.Fuzz(func(t *testing.T, said []byte) {
		synctest.Test(t, func(t *testing.T) { // nobody answers what is asked
			raw := json.RawMessage(said)
			b := &relay{offers: everything, tools: []server.Tool{loose("t")}}
			b.call = func(ctx context.Context, c server.Call) (server.Reply, error) {
				for _, m := range methods {
					c.Note("notifications/"+m, raw)
					b.tell(server.Notice{Method: "notifications/" + m, Params: raw, Sessions: []string{c.Session}})
				}
				if c.Ask != nil {
					asking, stop := context.WithTimeout(ctx, time.Millisecond)
					defer stop()
					_, _ = c.Ask(asking, "elicitation/create", raw)
				}
				return server.Reply{Raw: raw}, nil
			}
			b.forward = func(context.Context, server.Forward) (json.RawMessage, error) { return raw, nil }
			other := server.Tool{Name: "x", Raw: raw, Unchecked: true}
			if other.Check() == nil {
				b.tools = append(b.tools, other)
			}
			s := serveRelay(t, b)
			defer s.Close()
			in := declare(`{"elicitation":{}}`) + "\n" + initialized + "\n"
			for i, era := range eras {
				id := []string{"1", "2"}[i]
				in += era.message(`"list`+id+`"`, "tools/list", "", "") + "\n" +
					era.message(`"call`+id+`"`, "tools/call", `"name":"t"`, `"progressToken":1,"io.modelcontextprotocol/logLevel":"debug"`) + "\n" +
					era.message(`"read`+id+`"`, "resources/read", `"uri":"a:b"`, "") + "\n"
			}
			in += eras[0].message("9", "resources/subscribe", `"uri":"a:b"`, "") + "\n"
			var out bytes.Buffer
			if err := s.ServeLines(context.Background(), strings.NewReader(in), &out); err != nil {
				t.Fatal(err)
			}
			checkPassed(t, raw, out.String(), len(b.tools))
		})
	})
}

func checkPassed(t *testing.T, raw json.RawMessage, out string, tools int) {
	t.Helper()
	answers := 0
	for line := range strings.Lines(out) {
		if err := rawjson.Check([]byte(strings.TrimSuffix(line, "\n"))); err != nil || !strings.HasSuffix(line, "\n") {
			t.Fatalf("%q: %v", line, err)
		}
		w := decode(t, line)
		if w.Method != "" {
			continue
		}
		answers++
		if strings.HasPrefix(string(w.ID), `"list`) && strings.Count(string(w.Result), `"inputSchema"`) < tools {
			t.Fatalf("%d tools: %s", tools, line)
		}
		if strings.HasPrefix(string(w.ID), `"read`) && w.Error == nil {
			keeps(t, raw, w.Result, string(w.ID) == `"read2"`)
		}
	}
	if answers != 8 {
		t.Fatalf("%d answers to 8 requests:\n%s", answers, out)
	}
}

// keeps compares what was said with what was passed on.
func keeps(t *testing.T, said, passed json.RawMessage, modern bool) {
	t.Helper()
	before, _ := rawjson.Members(said)
	after, err := rawjson.Members(passed)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, m := range after {
		got[m.Name] = string(rawjson.Line(m.Value))
	}
	for _, m := range before {
		kept, is := got[m.Name]
		switch m.Name {
		case "resultType", "ttlMs", "cacheScope", "structuredContent", "_meta":
			if modern && !is {
				t.Fatalf("%s lacks %s", passed, m.Name)
			}
		default:
			if compact(m.Value) != compact(json.RawMessage(kept)) {
				t.Fatalf("%s of %s came as %s", m.Name, said, kept)
			}
		}
	}
	if _, is := got["resultType"]; is != modern {
		t.Fatalf("resultType in the wrong era: %s", passed)
	}
}

func compact(raw json.RawMessage) string {
	var out bytes.Buffer
	if json.Compact(&out, raw) != nil {
		return string(raw)
	}
	return out.String()
}
