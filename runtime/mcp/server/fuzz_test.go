package server_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// FuzzFrame feeds a whole connection. Whatever comes in, the server neither panics nor hangs, writes whole lines of JSON
// only, and answers no id more often than it was asked; answers without an id are at most one for each line.
func FuzzFrame(f *testing.F) {
	for _, era := range eras {
		f.Add([]byte(initialize + "\n" + initialized + "\n" + era.message("1", "tools/list", "", "")))
		f.Add([]byte(era.message("1", "tools/call", callParams("notes", `{"n":3}`), `"progressToken":"t"`)))
		f.Add([]byte(era.message("1", "tools/call", callParams("wait", `{}`), "") + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`))
		f.Add([]byte(era.message("1", "tools/call", callParams("wait", `{}`), "") + "\n" + era.message("1", "ping", "", "")))
		f.Add([]byte(era.message(`"s"`, "subscriptions/listen", `"notifications":{"toolsListChanged":true}`, "")))
		f.Add([]byte(era.message("2", "tools/call", callParams("fail", `{"how":"panic"}`), "")))
		f.Add([]byte(era.message("2", "tools/call", callParams("grow", `{"name":"x"}`), "")))
	}
	f.Add([]byte(initializeSampling + "\n" + asking("1", "x") + "\n" + said(`"ask-1"`, "y") + "\n" + asking("2", "x")))
	for _, seed := range []string{"", "\n\n", "{}", "[]", "null", "\xff", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":"\"\""}}`,
		`{"jsonrpc":"2.0","id":1e400,"method":"x"}`, strings.Repeat("[", 5000), `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 3000) + `"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		s, b := newServer(t, func(o *server.Options) { o.Grace, o.MaxMessage, o.Logger = 50*time.Millisecond, 2000, nil })
		defer s.Close()
		close(b.release)
		if bytes.Contains(input, []byte("meet")) {
			return // waits for more calls than may come
		}
		var out bytes.Buffer
		done := make(chan error, 1)
		go func() { done <- s.ServeLines(context.Background(), bytes.NewReader(input), &out) }()
		if err := receive(t, "end of Serve", done); err != nil {
			t.Fatal(err)
		}
		checkAnswers(t, input, out.String())
	})
}

func checkAnswers(t *testing.T, input []byte, out string) {
	t.Helper()
	asked, lines := map[string]int{}, 0
	for line := range bytes.SplitSeq(input, []byte("\n")) {
		if len(bytes.Trim(line, " \t\r")) == 0 {
			continue
		}
		lines++
		if rawjson.Check(line) != nil {
			continue
		}
		// Not json.Unmarshal: it takes "ID" for "id".
		members, _ := rawjson.Members(line)
		for _, m := range members {
			if m.Name == "id" {
				asked[string(m.Value)]++
			}
		}
	}
	if out != "" && !strings.HasSuffix(out, "\n") {
		t.Fatalf("the last line is cut: %q", out)
	}
	answers := 0
	for line := range strings.Lines(out) {
		w := decode(t, line)
		if w.Method != "" {
			continue
		}
		if answers++; string(w.ID) == "null" {
			continue
		}
		if asked[string(w.ID)]--; asked[string(w.ID)] < 0 {
			t.Fatalf("id %s was answered more often than asked\n%q\n%s", w.ID, input, out)
		}
	}
	if answers > lines {
		t.Fatalf("%d answers to %d lines", answers, lines)
	}
}
