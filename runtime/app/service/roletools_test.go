package service_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// caller is a model that calls one tool while it looks around, and keeps what it is
// sent.
type caller struct {
	call string // the function, as the protocol has it

	mu   sync.Mutex
	sent []string
}

func (c *caller) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"tiny","object":"model","meta":{"n_ctx":32768}}]}`)
		return
	}
	body, _ := io.ReadAll(r.Body)
	c.mu.Lock()
	c.sent = append(c.sent, string(body))
	c.mu.Unlock()
	delta := `{"role":"assistant","content":"done"}`
	switch {
	case strings.Contains(string(body), `"response_format"`):
		delta = `{"role":"assistant","content":"{\"points\": []}"}`
	case strings.Contains(string(body), `"tools"`) && !strings.Contains(string(body), `"tool_call_id"`):
		delta = `{"role":"assistant","tool_calls":[{"index":0,"id":"c1","type":"function","function":` + c.call + `}]}`
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"model\":\"tiny\",\"choices\":[{\"index\":0,\"delta\":%s}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", delta)
}

// told is the result of the call as the model was sent it.
func (c *caller) told(t *testing.T) string {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, body := range c.sent {
		var req struct {
			Messages []struct {
				Role    string
				Content any
			}
		}
		if err := json.Unmarshal([]byte(body), &req); err != nil {
			t.Fatal(err)
		}
		for _, m := range req.Messages {
			if m.Role == "tool" {
				return fmt.Sprint(m.Content)
			}
		}
	}
	t.Fatalf("no result of a tool was sent in %d requests: %.2000s", len(c.sent), strings.Join(c.sent, "\n"))
	return ""
}

// A role whose model runs a tool of an upstream server is told a long result short,
// by its structure and for the question; one that the server's own settings made a
// summary of is told that.
func TestResultsOfUpstreamToolsAreMadeShortForRoles(t *testing.T) {
	secret := "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	log := strings.Repeat("INFO worker-2 took job 17 of queue print\n", 3000) + "ERROR job 4711 of queue mail lost its lease " + secret + "\n" +
		strings.Repeat("INFO worker-2 took job 18 of queue print\n", 3000)
	for name, c := range map[string]struct {
		more, want string
	}{
		"by the role":   {"", "made short"},
		"by the server": {"servers: logs: summarization: {}", "compactor: shortened from"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &caller{call: `{"name":"tools_execute","arguments":"{\"call\":{\"tool\":\"logs__read\",\"arguments\":{}}}"}`}
			models := httptest.NewServer(m)
			t.Cleanup(models.Close)
			f := newFleet(t, map[string]string{"logs": `{"name":"read","description":"Read.","inputSchema":{"type":"object"}}`})
			f.gives = "{" + textResult(log) + "}"
			svc := f.behind(t, c.more+`
models: default: {provider: "openai", url: "`+models.URL+`/v1"}
roles: reader: {
	purpose: "read logs", ground: "code.locate", task: "choose", evidence: "code.excerpts", explore: true
	tools: ["tools.execute"], prompt: "Choose what answers."
}
pipelines: logs_of: {
	#input: question: string
	stages: read: {role: "reader", with: question: "input.question"}
	output: "read"
}
tools: logs_of: {description: "Read the logs.", pipeline: "logs_of", input: question: {type: "string", description: "what"}}`)
			_, err := svc.Call(t.Context(), service.Call{Tool: "logs_of", Args: json.RawMessage(`{"question":"which job lost its lease?"}`),
				Caller: gateway.Caller{Session: session.New(session.Who{}), Bounded: true}})
			if err != nil {
				t.Fatal(err)
			}
			told := m.told(t)
			if !strings.Contains(told, "job 4711 of queue mail lost its lease") || !strings.Contains(told, c.want) || len(told) > 20_000 || strings.Contains(told, secret) {
				t.Errorf("%d bytes: %.3000s", len(told), told)
			}
		})
	}
}
