package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

func TestWhatAModelLooksAtCanBeChosen(t *testing.T) {
	h := newHouseWith(t, exploring, hidden)
	r := native("gate/turnstile.go:7", grepFor("Enter"))
	r.closing = func(req model.Request) string {
		id := idOf(req, "gate/turnstile.go:7")
		return fmt.Sprintf(`{"points": [{"why": "Enter parks the caller while the turnstile is taken", "id": %d}]}`, id)
	}
	if before := h.locate(t, agent.Runner{}, vague); keeps(before.References, []string{"gate/turnstile.go:7"}) == "" {
		t.Fatal("it is found without looking around")
	}
	got, use := h.vaguely(t, r)
	if at := slices.Index(got.References, "gate/turnstile.go:7"); at < 0 || at > 3 {
		t.Errorf("it stands at %d of %v", at, got.References)
	}
	if !strings.Contains(strings.Join(contract.Texts(got.KeyFindings), "\n"), "parks the caller while the turnstile is taken (gate/turnstile.go:7)") {
		t.Errorf("no finding says why: %q", got.KeyFindings)
	}
	if use.Tools != 1 || use.Refused != 0 {
		t.Errorf("%d calls made and %d refused, want 1 and 0", use.Tools, use.Refused)
	}
	if sent := r.around[0]; len(sent.Tools) != 4 || sent.Tools[0].Name != "code_glob" {
		t.Errorf("tools sent: %+v", sent.Tools)
	}
}

// Where the builtins find nothing, a place that the model found is told and the
// answer stays "not found".
func TestLookingAroundWhereNothingIsFound(t *testing.T) {
	h := newHouseWith(t, exploring, hidden)
	const lost = "zzyzx qqfrob"
	without := h.locate(t, agent.Runner{}, lost)
	if len(without.References) > 0 {
		t.Fatalf("found: %v", without.References)
	}
	r := native("gate/turnstile.go:7", grepFor("Enter"))
	r.closing = func(req model.Request) string {
		return fmt.Sprintf(`{"points": [{"why": "Enter parks the caller", "id": %d}]}`, idOf(req, "gate/turnstile.go:7"))
	}
	got := h.locate(t, r.runner(), lost)
	if !strings.HasPrefix(got.Summary, without.Summary) || !strings.Contains(got.Summary, "gate/turnstile.go:7") {
		t.Errorf("summary %q", got.Summary)
	}
	if len(got.References) > 0 || got.Confidence != without.Confidence {
		t.Errorf("it became found: %v, %s", got.References, got.Confidence)
	}
}

func TestCallsInEveryNotation(t *testing.T) {
	h := newHouseWith(t, exploring, nil)
	for name, text := range map[string]string{
		"Hermes":        `<tool_call>{"name": "code_grep", "arguments": {"pattern": "slots"}}</tool_call>`,
		"our own":       `{"name": "code_grep", "arguments": {"pattern": "slots"}}`,
		"LM Studio":     `[TOOL_REQUEST]{"name":"code_grep","arguments":{"pattern":"slots"}}[END_TOOL_REQUEST]`,
		"Mistral":       `[TOOL_CALLS][{"name":"code_grep","arguments":{"pattern":"slots"}}]`,
		"Llama":         `<|python_tag|>{"name":"code_grep","parameters":{"pattern":"slots"}}<|eom_id|>`,
		"Llama, list":   `[code_grep(pattern="slots")]`,
		"Qwen":          "<tool_call>\n<function=code_grep>\n<parameter=pattern>\nslots\n</parameter>\n</function>\n</tool_call>",
		"GLM":           "<tool_call>code_grep\n<arg_key>pattern</arg_key>\n<arg_value>slots</arg_value>\n</tool_call>",
		"gpt-oss":       `<|channel|>commentary to=functions.code_grep <|constrain|>json<|message|>{"pattern":"slots"}<|call|>`,
		"a fence":       "Let me look.\n```json\n{\"name\":\"code_grep\",\"arguments\":{\"pattern\":\"slots\"}}\n```",
		"ReAct":         "Thought: look.\nAction: code_grep\nAction Input: {\"pattern\": \"slots\"}\n",
		"with thoughts": "<think>SECRETTHOUGHT</think>" + `<tool_call>{"name": "code.grep", "arguments": "{\"pattern\": \"slots\"}"}</tool_call>`,
	} {
		for _, can := range []bool{false, true} {
			r := native("")
			r.tell = !can // a server that cannot tell is asked with tools first
			r.can = nil
			r.do = func(n int, req model.Request) (*model.Reply, error) {
				if len(req.Messages) == 2 {
					return &model.Reply{Content: text}, nil
				}
				return &model.Reply{Content: "pool/pool.go:5"}, nil
			}
			_, use := h.vaguely(t, r)
			if use.Tools != 1 || use.Refused != 0 {
				t.Errorf("%s: %d calls made, %d refused", name, use.Tools, use.Refused)
			}
			if second := all(r.around[len(r.around)-1]); !strings.Contains(second, "slots chan struct{}") || strings.Contains(second, "SECRETTHOUGHT") {
				t.Errorf("%s: the next request is %q", name, second)
			}
		}
	}
}

func TestThoughtsAreNotSentBack(t *testing.T) {
	h := newHouseWith(t, exploring, nil)
	r := native("")
	r.do = func(n int, _ model.Request) (*model.Reply, error) {
		if n > 0 {
			return &model.Reply{Content: "done"}, nil
		}
		return &model.Reply{Reasoning: "MUSING", Content: "<think>MUSING</think>I look.", Calls: []model.ToolCall{grepFor("slots")}}, nil
	}
	h.vaguely(t, r)
	if len(r.around) != 2 || strings.Contains(all(r.around...), "MUSING") {
		t.Errorf("%d requests: %s", len(r.around), all(r.around...))
	}
}

func TestArgumentsAreMended(t *testing.T) {
	h := newHouseWith(t, scout, map[string]string{"src/deep/er.go": "package deep\n\nfunc Deeper() {}\n"})
	dir := h.roots.Roots()[0].Path()
	base := dir[strings.LastIndex(dir, "/")+1:]
	for _, c := range []struct{ tool, arguments, want string }{
		{"code_grep", `{"Pattern": "NewPool"}`, "pool/pool.go:7"},
		{"code_grep", `"{\"pattern\": \"NewPool\"}"`, "pool/pool.go:7"},
		{"code_grep", `{'pattern': 'NewPool'`, "pool/pool.go:7"},
		{"code_grep", `{"query": "NewPool", "limit": "1", "explanation": "I want to see it"}`, "pool/pool.go:7"},
		{"code_grep", `{"pattern": "NewPool", "glob": "*.go", "ignoreCase": "true"}`, "pool/pool.go:7"},
		{"code_grep", `{"pattern": "NewPool", "path": "/src/pool"}`, "pool/pool.go:7"},
		{"code_read", `{"path": "/pool/pool.go", "from": "8", "to": 9}`, "func NewPool"},
		{"code_read", `{"path": "./pool/pool.go:9"}`, "func NewPool"},
		{"code_read", `{"path": "` + base + `/pool/pool.go", "start_line": 8, "end_line": 9}`, "func NewPool"},
		{"code_read", `{"path": "` + dir + `/pool/pool.go"}`, "func NewPool"},
		{"code_read", `{"file_path": "/src/pool/pool.go"}`, "func NewPool"},
		{"code_read", `{"path": "/home/me/x/src/deep/er.go"}`, "func Deeper"},
		{"grep", `{"pattern": "NewPool"}`, "pool/pool.go:7"},
		{"Code.Grep", `{"pattern": "NewPool"}`, "pool/pool.go:7"},
		{"code_grep", `{"patern": "NewPool"}`, "there is no argument patern; did you mean pattern?"},
		{"code_grep", `{"pattern": "NewPool", "colour": 3}`, "code_grep(pattern string"},
		{"code_grep", `{}`, "code_grep(pattern string"},
		{"code_grep", `[1]`, "code_grep(pattern string"},
		{"code_read", `{"path": "pool/pol.go"}`, "did you mean"},
		{"code_read", `{"path": "/etc/passwd"}`, "/etc/passwd"},
		{"code_read", `{"path": "../../etc/passwd"}`, "etc/passwd"},
	} {
		r := native("done", model.ToolCall{Name: c.tool, Arguments: c.arguments})
		h.vaguelyAs(t, "scout", r)
		if len(r.around) < 2 {
			t.Errorf("%s %s ended the conversation", c.tool, c.arguments)
			continue
		}
		said := r.around[1].Messages[3].Content
		if !strings.Contains(said, c.want) || strings.Contains(said, "root:") {
			t.Errorf("%s %s: told %q, want %q", c.tool, c.arguments, said, c.want)
		}
	}
}

func TestServersWithoutTools(t *testing.T) {
	h := newHouseWith(t, exploring, nil)
	r := native("")
	r.tell = false
	r.do = func(n int, req model.Request) (*model.Reply, error) {
		if len(req.Tools) > 0 {
			return nil, &model.Error{Kind: model.Unsupported, Message: "no tools"}
		}
		if len(req.Messages) == 2 {
			return &model.Reply{Content: `{"name": "code_grep", "arguments": {"pattern": "slots"}}`}, nil
		}
		return &model.Reply{Content: "pool/pool.go:5"}, nil
	}
	if _, use := h.vaguely(t, r); use.Tools != 1 {
		t.Errorf("%d calls made", use.Tools)
	}
	if first := r.around[1].Messages[0].Content; !strings.Contains(first, "code_grep(pattern string") {
		t.Errorf("the tools are not described: %q", first)
	}
}

func TestSmallWindowsDoNotExplore(t *testing.T) {
	h := newHouseWith(t, exploring, nil)
	r := native("", grepFor("slots"))
	r.window = 8192
	got, use := h.vaguely(t, r)
	if use.Tools != 0 || len(r.around) > 0 || len(r.then) == 0 {
		t.Errorf("%d calls, %d and %d requests", use.Tools, len(r.around), len(r.then))
	}
	if !strings.Contains(notes(got), "8192") {
		t.Errorf("notes %q do not say why", notes(got))
	}
}

func TestProgressTellsTheTool(t *testing.T) {
	h := newHouseWith(t, exploring, nil)
	env := h.env()
	var said []string
	var mu sync.Mutex
	env.Progress = func(p catalog.Progress) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, p.Line())
	}
	h.run(t, context.Background(), native("done", grepFor("slots")).runner(), env, "locator", map[string]any{"question": vague})
	if all := strings.Join(said, "\n"); !strings.Contains(all, "default calls code.grep") {
		t.Errorf("progress: %s", all)
	}
}
