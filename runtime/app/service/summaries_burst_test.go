package service_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// slow is a model that answers nothing before a channel is closed.
func slow(t *testing.T, until <-chan struct{}) (url string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `{"object":"list","data":[{"id":"tiny","object":"model","meta":{"n_ctx":8192}}]}`)
			return
		}
		select {
		case <-until:
		case <-r.Context().Done():
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, `data: {"model":"tiny","choices":[{"index":0,"delta":{"role":"assistant","content":"{\"summary\": \"It is a line of a long result.\"}"}}]}`+"\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// A thousand results at once are all made short: a few wait for the words of a model
// that takes its time, the others, which it has no room for, are made short by their
// structure meanwhile. None is lost.
func TestAThousandResultsAtOnce(t *testing.T) {
	const calls, most = 1000, 900
	until := make(chan struct{})
	svc := readerOf(t).behind(t, `
servers: logs: summarization: size_threshold_tokens: 100
pool: deadline: "10m"
pipelines: summarize_result: budget: time: "10m"
models: default: {provider: "openai", url: "`+slow(t, until)+`/v1", parallel: 1}`)
	var together, done sync.WaitGroup
	together.Add(1)
	var mu sync.Mutex
	by, ended := map[string]int{}, 0
	for i := range calls {
		done.Go(func() {
			together.Wait()
			reply, err := svc.Call(t.Context(), service.Call{Tool: "execute_tool", Args: json.RawMessage(fmt.Sprintf(`{"tool":"logs__read","arguments":{"lines":%d}}`, 20+i%5)),
				Caller: gateway.Caller{Session: session.New(session.Who{}), Bounded: true}})
			mu.Lock()
			defer mu.Unlock()
			if ended++; ended == most {
				close(until)
			}
			if err != nil {
				by[err.Error()]++
				return
			}
			got := readSummarized(t, reply.JSON)
			if got.Summarized == nil || !strings.Contains(got.Content[0].Text, "is a line of a long result") || got.Summarized.ID == "" {
				by["bad"]++
				t.Errorf("%.300s", reply.JSON)
				return
			}
			by[got.Summarized.By]++
		})
	}
	together.Done()
	done.Wait()
	if by["structure"]+by["tiny"] != calls || by["structure"] < most {
		t.Errorf("made by %v", by)
	}
	t.Logf("made by %v", by)
	if n := svc.Hooks()["tool_result"].Skipped; n > 0 {
		t.Errorf("%d were skipped", n)
	}
}

// A result that cannot be masked is an error: no model is asked of it, nothing of it
// is kept, and nothing of it leaves.
func TestAResultThatCannotBeMaskedLeavesNothing(t *testing.T) {
	url, asked := says(t, "x")
	canary := secrets["github"]
	long := strings.Repeat("INFO worker-3 took job 17 of queue mail ", 900) + canary
	for name, gives := range map[string]string{
		"a list":          `[{"type":"text","text":` + jsonOf(long) + `}]`,
		"a text":          jsonOf(long),
		"a number":        `17`,
		"nothing":         `null`,
		"nested too deep": `{"content":[{"type":"text","text":` + jsonOf(long) + `}],"structuredContent":` + strings.Repeat(`[`, 12_000) + jsonOf(canary) + strings.Repeat(`]`, 12_000) + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			asked.Store("")
			f := newFleet(t, map[string]string{"logs": `{"name":"read","description":"Read.","inputSchema":{"type":"object"}}`})
			f.gives = gives
			svc := f.behind(t, "servers: logs: summarization: {}\n"+`models: default: {provider: "openai", url: "`+url+`/v1"}`)
			raw, refusal := newFace(t, svc).answer("tools/call", `{"name":"execute_tool","arguments":{"tool":"logs__read"}}`)
			said := string(raw) + string(refusal)
			if !strings.Contains(said, "TOOL_EXECUTION_ERROR") || strings.Contains(said, canary) || strings.Contains(said, "worker-3") || strings.Contains(said, "_summarized") {
				t.Errorf("%.600s", said)
			}
			if asked.Load() != "" {
				t.Errorf("a model was asked: %.300s", asked.Load())
			}
		})
	}
}

// A result whose size or condition cannot be told passes as it was.
func TestWhatCannotBeCountedPassesAsItWas(t *testing.T) {
	const call = `{"name":"execute_tool","arguments":{"tool":"logs__read","arguments":{"lines":300}}}`
	want := string(newFace(t, readerOf(t).behind(t, "")).ask("tools/call", call))
	for name, when := range map[string]string{
		"a condition that fails": `result.content[7].text != ""`,
		"one of another kind":    `result.content > 3`,
	} {
		t.Run(name, func(t *testing.T) {
			svc := readerOf(t).behind(t, "servers: logs: summarization: {}\nhooks: tool_result: when: "+jsonOf(when))
			if got := string(newFace(t, svc).ask("tools/call", call)); got != want {
				t.Errorf("%.300s", got)
			}
			if svc.Hooks()["tool_result"].Skipped == 0 {
				t.Error("nobody counts it")
			}
		})
	}
	t.Run("a fault of ours", func(t *testing.T) {
		svc := newFleet(t, map[string]string{"logs": ""}).behind(t, "")
		raw := json.RawMessage("{" + textResult(strings.Repeat("a line of a long result\n", 3000)) + "}")
		out := service.ResultOf(t.Context(), svc, gateway.Result{Server: "logs", Tool: "read", Args: json.RawMessage("{}"), Raw: raw, Summaries: &config.Summaries{Threshold: 100, Limit: 1000},
			Now: func() time.Time { panic("no clock") }})
		if string(out.Raw) != string(raw) || out.Summary != nil || svc.Hooks()["tool_result"].Skipped != 1 {
			t.Errorf("%.300s, %+v", out.Raw, svc.Hooks())
		}
	})
}
