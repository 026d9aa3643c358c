package service_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs/judge"
)

const readLines = `{"name":"execute_tool","arguments":{"tool":"logs__read","arguments":{"lines":1000}}}`

// A model that fails costs its words and nothing else.
func TestASummarizerThatFailsCostsItsWordsAlone(t *testing.T) {
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(func() { hangs.CloseClientConnections(); hangs.Close() })
	garbage := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>502</html>") }))
	t.Cleanup(garbage.Close)
	invents, _ := says(t, "The file orders-9911.csv lacks 4711 lines of Mrs. Unicorn.")
	floods, _ := says(t, strings.Repeat("999 is a line of a long result. ", 4000))
	for name, url := range map[string]string{"down": "http://127.0.0.1:9", "slow": hangs.URL, "garbage": garbage.URL, "invents": invents, "floods": floods} {
		t.Run(name, func(t *testing.T) {
			svc := readerOf(t).behind(t, `servers: logs: summarization: summary_max_token_limit: 300
roles: summarizer: budget: time: "500ms"
models: default: {provider: "openai", url: "`+url+`/v1"}`)
			got := readSummarized(t, newFace(t, svc).ask("tools/call", readLines))
			text := got.Content[0].Text
			if got.Summarized == nil || tokens.Count(text) > 300 || !strings.Contains(text, "is a line of a long result") {
				t.Fatalf("%+v", got)
			}
			if strings.Contains(text, "Unicorn") || strings.Contains(text, "orders-9911") || strings.Count(text, "999 is a line of a long result.") > 5 {
				t.Errorf("%s", text)
			}
			if name != "floods" && got.Summarized.By != "structure" {
				t.Errorf("by %s: %s", got.Summarized.By, text)
			}
		})
	}
}

// What a model says stands first where the result bears it out, and how much it may
// say is the provider's to hold.
func TestASummaryBeginsWithWhatHolds(t *testing.T) {
	url, asked := says(t, "Worker-3 took job 4711 of queue mail. A unicorn-7 was seen.")
	f := newFleet(t, map[string]string{"logs": `{"name":"read","description":"Read.","inputSchema":{"type":"object"}}`})
	f.gives = "{" + textResult(strings.Repeat("INFO worker-2 took job 17 of queue print\n", 900)+"INFO worker-3 took job 4711 of queue mail") + "}"
	svc := f.behind(t, `servers: logs: summarization: {}
models: default: {provider: "openai", url: "`+url+`/v1"}`)
	got := readSummarized(t, newFace(t, svc).ask("tools/call", `{"name":"execute_tool","arguments":{"tool":"logs__read"}}`))
	if text := got.Content[0].Text; !strings.HasPrefix(text, "Worker-3 took job 4711 of queue mail.\n") || strings.Contains(text, "unicorn") || got.Summarized.By != "tiny" {
		t.Errorf("%s\nby %s; asked %s", text, got.Summarized.By, asked.Load())
	}
	if body := asked.Load().(string); !strings.Contains(body, `"max_tokens"`) && !strings.Contains(body, `"max_completion_tokens"`) {
		t.Errorf("the limit is not the provider's: %.300s", body)
	}
}

// A hook that cannot run leaves a word of the size and the cause, and the way to
// the whole result.
func TestWhatCannotBeMadeShortSaysSo(t *testing.T) {
	svc := readerOf(t).behind(t, `servers: logs: summarization: {}
pipelines: summarize_result: stages: reply: {builtin: "text.result", with: {result: "input.raw", tokens: "input.most - 5000"}}`)
	got := readSummarized(t, newFace(t, svc).ask("tools/call", readLines))
	text := got.Content[0].Text
	if got.Summarized == nil || got.Summarized.By != "none" || !strings.Contains(text, "could not be made short") || !strings.Contains(text, "fetch_result") {
		t.Errorf("%+v", got)
	}
	if svc.Hooks()["tool_result"].Skipped == 0 {
		t.Error("nobody counts it")
	}
}

func TestResultsOfEveryShapeAreMadeShort(t *testing.T) {
	rows := make([]map[string]any, 900)
	for i := range rows {
		rows[i] = map[string]any{"id": fmt.Sprintf("ORD-%05d", i), "total": json.Number(fmt.Sprintf("%d.10", i)), "state": "open"}
	}
	structured, _ := json.Marshal(map[string]any{"orders": rows})
	said, _ := json.Marshal(string(structured))
	const schema = `{"type":"object","properties":{"orders":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"total":{"type":"number"},"state":{"type":"string"}},"required":["id","total","state"]}}},"required":["orders"]}`
	long := strings.Repeat("no such table: customers in shard-17\n", 2000)
	longText, _ := json.Marshal(long)
	blob := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x89PNG\x00\xff", 20_000)))
	for name, c := range map[string]struct {
		gives string
		check func(t *testing.T, got summarized, raw json.RawMessage)
	}{
		"structured content keeps its schema": {`{"content":[{"type":"text","text":` + string(said) + `}],"structuredContent":` + string(structured) + `}`,
			func(t *testing.T, got summarized, _ json.RawMessage) {
				s, err := judge.Compile(json.RawMessage(schema))
				if err != nil {
					t.Fatal(err)
				}
				if len(got.StructuredContent) == 0 || tokens.Count(string(got.StructuredContent)) > 1000 || len(s.Check(got.StructuredContent)) > 0 {
					t.Errorf("%d tokens: %.200s", tokens.Count(string(got.StructuredContent)), got.StructuredContent)
				}
				if !strings.Contains(string(got.StructuredContent), `.10`) {
					t.Errorf("numbers were printed anew: %.200s", got.StructuredContent)
				}
			}},
		"structured content alone": {`{"content":[],"structuredContent":` + string(structured) + `}`,
			func(t *testing.T, got summarized, _ json.RawMessage) {
				if !strings.Contains(got.Content[0].Text, "ORD-") {
					t.Errorf("%.300s", got.Content[0].Text)
				}
			}},
		"an error stays one": {`{"isError":true,"content":[{"type":"text","text":` + string(longText) + `}]}`,
			func(t *testing.T, got summarized, _ json.RawMessage) {
				if !got.IsError || !strings.Contains(got.Content[0].Text, "no such table: customers in shard-17") {
					t.Errorf("%+v", got)
				}
			}},
		"a picture stays beside the text": {`{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"},{"type":"text","text":` + string(longText) + `}]}`,
			func(t *testing.T, got summarized, raw json.RawMessage) {
				if len(got.Content) != 2 || !strings.Contains(string(raw), "aGk=") {
					t.Errorf("%+v", got)
				}
			}},
		"several texts and a resource": {`{"content":[{"type":"text","text":` + string(longText) + `},{"type":"resource","resource":{"uri":"x://y","text":"the key is K-4711"}}]}`,
			func(t *testing.T, got summarized, _ json.RawMessage) {
				if len(got.Content) != 1 || !strings.Contains(got.Content[0].Text, "K-4711") {
					t.Errorf("%+v", got)
				}
			}},
		"binary as a text": {`{"content":[{"type":"text","text":"` + blob + `"}]}`,
			func(t *testing.T, got summarized, raw json.RawMessage) {
				if !utf8.Valid(raw) {
					t.Error("not UTF-8")
				}
			}},
		"lone surrogates and control characters": {`{"content":[{"type":"text","text":"` + strings.Repeat(`\ud800 \u0000 \u202e x-17 `, 3000) + `"}]}`,
			func(t *testing.T, got summarized, raw json.RawMessage) {
				if !utf8.Valid(raw) || json.Unmarshal(raw, new(any)) != nil {
					t.Errorf("%.200s", raw)
				}
			}},
		"nested deep": {`{"content":[{"type":"text","text":"` + strings.Repeat("[", 60_000) + `"}]}`, func(*testing.T, summarized, json.RawMessage) {}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t, map[string]string{"logs": `{"name":"read","description":"Read.","inputSchema":{"type":"object"},"outputSchema":` + schema + `}`})
			f.gives = c.gives
			svc := f.behind(t, "gateway: surface: \"proxy\"\nservers: logs: summarization: {}")
			raw := newFace(t, svc).ask("tools/call", `{"name":"logs__read","arguments":{}}`)
			got := readSummarized(t, raw)
			if got.Summarized == nil || len(got.Content) == 0 {
				t.Fatalf("%.500s", raw)
			}
			for _, block := range got.Content {
				if n := tokens.Count(block.Text); n > 1000 {
					t.Errorf("%d tokens", n)
				}
			}
			c.check(t, got, raw)
		})
	}
}

// Bytes that are no UTF-8 are refused where they come in, as JSON has it: nothing that a
// summary could be made of reaches anybody, and the call says whose fault it is.
func TestAResultThatIsNoUTF8IsAnError(t *testing.T) {
	f := newFleet(t, map[string]string{"logs": `{"name":"read","description":"Read.","inputSchema":{"type":"object"}}`})
	f.gives = `{"content":[{"type":"text","text":"` + strings.Repeat("caf\xe9 job x-17 failed\\n", 3000) + `"}]}`
	svc := f.behind(t, "gateway: surface: \"proxy\"\nservers: logs: summarization: {}")
	result, refusal := newFace(t, svc).answer("tools/call", `{"name":"logs__read","arguments":{}}`)
	said := string(refusal) + string(result)
	if strings.Contains(said, "x-17") || !strings.Contains(said, "logs") || !utf8.ValidString(said) {
		t.Errorf("result %.300s, error %.300s", result, refusal)
	}
	if refusal == nil && !strings.Contains(string(result), `"isError":true`) {
		t.Errorf("no error: %.300s", result)
	}
}

// A large result is read in part; what is allocated grows with its size and no faster.
func TestAResultOfMegabytesIsMadeShort(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	f := newFleet(t, map[string]string{"logs": `{"name":"read","description":"Read.","inputSchema":{"type":"object"}}`})
	text, _ := json.Marshal(strings.Repeat("2026-11-02T10:00:00Z INFO worker-3 took job 17 of queue mail\n", 60_000))
	f.gives = `{"content":[{"type":"text","text":` + string(text) + `}]}`
	svc := f.behind(t, "pool: deadline: \"20m\"\nservers: logs: {summarization: {}, timeout: \"20m\", max_timeout: \"20m\"}")
	client := newFace(t, svc)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := readSummarized(t, client.ask("tools/call", `{"name":"execute_tool","arguments":{"tool":"logs__read"}}`))
	runtime.ReadMemStats(&after)
	if got.Summarized == nil || got.Summarized.Original < 1_000_000 {
		t.Errorf("%+v", got)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 100*uint64(len(text)) {
		t.Errorf("%d MB for a result of %d MB", used>>20, len(text)>>20)
	}
}
