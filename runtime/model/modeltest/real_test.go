package modeltest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/modeltest"
)

// TestRealModel holds the adapters to the port's contract, with the servers
// themselves: what a request does, and what every way of failing looks like.
func TestRealModel(t *testing.T) {
	took := &figures{}
	t.Cleanup(func() { t.Logf("what it took:\n%s", took) })
	for _, pair := range modeltest.All(t) {
		t.Run(pair.String(), func(t *testing.T) {
			s := start(t, pair, modeltest.Options{Window: window, Slots: 2})
			t.Run("a schema is kept", func(t *testing.T) { schemaIsKept(t, s, pair, took) })
			t.Run("pieces are the reply", func(t *testing.T) { piecesAreTheReply(t, s, pair, took) })
			t.Run("info", func(t *testing.T) { infoIsTrue(t, s) })
			t.Run("counts are the server's", func(t *testing.T) { countsAreTheServers(t, s) })
			t.Run("too long a prompt", func(t *testing.T) { overflowIsAnError(t, s) })
			t.Run("cancel", func(t *testing.T) { cancelIsPrompt(t, s) })
			t.Run("more than it has slots", func(t *testing.T) { allAreAnswered(t, s, pair, took) })
			t.Run("tools", func(t *testing.T) { toolsOrAWord(t, s) })
			t.Run("crash", func(t *testing.T) { crashIsAnError(t, s) }) // the last: it ends the server
		})
	}
}

func schemaIsKept(t *testing.T, s subject, pair modeltest.Pair, took *figures) {
	req := ask("Is a whale a fish? Choose yes, no or unknown, and say whether you are sure. Answer in JSON.", 80)
	req.Schema = &model.Schema{Name: "choice", JSON: json.RawMessage(`{
		"type": "object", "additionalProperties": false, "required": ["choice", "sure"],
		"properties": {"choice": {"type": "string", "enum": ["yes", "no", "unknown"]}, "sure": {"type": "boolean"}}}`)}
	reply, _ := s.chat(t, req)
	took.add(pair, "schema", reply.Usage)
	var got struct {
		Choice string
		Sure   *bool
	}
	d := json.NewDecoder(strings.NewReader(reply.Text()))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil {
		t.Fatalf("%v: %q, which ended by %q", err, reply.Text(), reply.Finish)
	}
	if !slices.Contains([]string{"yes", "no", "unknown"}, got.Choice) || got.Sure == nil {
		t.Errorf("%s is not of the schema", reply.Text())
	}
}

func piecesAreTheReply(t *testing.T, s subject, pair modeltest.Pair, took *figures) {
	reply, got := s.chat(t, ask(strings.Repeat("The keeper lit the lamp and the sea was calm. ", 6)+"Tell how it went on.", 32))
	took.add(pair, "text", reply.Usage)
	if got.text.String() != reply.Content || got.reasoning.String() != reply.Reasoning {
		t.Errorf("pieces %q and %q make the reply %q and %q", got.text.String(), got.reasoning.String(), reply.Content, reply.Reasoning)
	}
	if got.pieces < 2 || reply.Text() == "" {
		t.Errorf("%d pieces of %q: nothing was streamed", got.pieces, reply.Text())
	}
	u := reply.Usage
	if u.In < 60 || u.Out == 0 || u.Out > 32 || u.Cached > u.In {
		t.Errorf("usage %+v of a prompt of over 60 tokens and at most 32 of reply", u)
	}
	if u.First <= 0 || u.Total < u.First {
		t.Errorf("first after %v of %v", u.First, u.Total)
	}
	if reply.Finish == "length" && u.Out != 32 {
		t.Errorf("cut at %d tokens, not at the 32 that were allowed", u.Out)
	}
	if reply.Model == "" {
		t.Error("it does not say which model answered")
	}
}

func infoIsTrue(t *testing.T, s subject) {
	i := s.info(t)
	if i.Window != s.Window {
		t.Errorf("window %d, started with %d", i.Window, s.Window)
	}
	if i.Slots != 0 && i.Slots != s.Slots {
		t.Errorf("%d slots, started with %d", i.Slots, s.Slots)
	}
	if !i.Loaded || i.Model == "" || i.Server == "" {
		t.Errorf("%+v of a model that just answered", i)
	}
	if i.Limit != 0 && i.Limit < i.Window {
		t.Errorf("trained for %d tokens, loaded with %d", i.Limit, i.Window)
	}
	if i.CanTell && !slices.Contains(i.Can, model.CanChat) {
		t.Errorf("it can %q, and it did chat", i.Can)
	}
}

// countsAreTheServers compares with what the server counts for the same
// question without streaming, through the interface that both servers have.
func countsAreTheServers(t *testing.T, s subject) {
	req := ask("How many legs has a spider?", 8)
	reply, _ := s.chat(t, req)
	body, _ := json.Marshal(map[string]any{
		"model": s.Model, "max_tokens": req.MaxTokens, "temperature": 0,
		"messages": []map[string]string{{"role": "user", "content": req.Messages[0].Content}},
	})
	resp, err := http.Post(s.OpenAI()+"/chat/completions", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var direct struct {
		Usage struct {
			In int `json:"prompt_tokens"`
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&direct); err != nil {
		t.Fatal(err)
	}
	if reply.Usage.In == 0 || reply.Usage.In != direct.Usage.In {
		t.Errorf("%d tokens of prompt, the server counts %d", reply.Usage.In, direct.Usage.In)
	}
}

func overflowIsAnError(t *testing.T, s subject) {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	reply, err := s.endpoint.Chat(ctx, ask(strings.Repeat("one two three four ", window), 8), nil)
	if !model.Is(err, model.Overflow) {
		t.Errorf("%v and reply %+v for a prompt of four windows", err, reply)
	}
}

func cancelIsPrompt(t *testing.T, s subject) {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	const most = 50 // pieces that were under way; the story has hundreds
	got := &stream{}
	reply, err := s.endpoint.Chat(ctx, story(), func(d model.Delta) {
		if got.add(d); got.pieces == 2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%v after cancel", err)
	}
	if got.pieces > most {
		t.Errorf("%d pieces came, cancelled after two", got.pieces)
	}
	if reply != nil && !strings.HasPrefix(got.text.String(), reply.Content) {
		t.Errorf("the reply holds %q, %q had arrived", reply.Content, got.text.String())
	}
	if reply, _ := s.chat(t, ask("Say hello.", 8)); reply.Text() == "" {
		t.Error("no answer after a cancelled request")
	}
}

func allAreAnswered(t *testing.T, s subject, pair modeltest.Pair, took *figures) {
	var all sync.WaitGroup
	for _, animal := range []string{"a heron", "an otter", "a vole", "a newt"} {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), deadline)
			defer cancel()
			reply, err := s.endpoint.Chat(ctx, ask("Describe "+animal+" in a sentence.", 16), nil)
			if err != nil || reply.Text() == "" {
				t.Errorf("%s: %v, %+v", animal, err, reply)
				return
			}
			took.add(pair, "one of 4", reply.Usage)
		})
	}
	all.Wait()
}

// toolsOrAWord accepts what a small model makes of a tool, but no call that was
// not offered and no error but the one that says it has no tools.
func toolsOrAWord(t *testing.T, s subject) {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	req := ask("Use the tool to read the file main.go.", 40)
	req.Tools = []model.Tool{{
		Name: "code_read", Description: "Reads a file.",
		Parameters: json.RawMessage(`{"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}}`),
	}}
	reply, err := s.endpoint.Chat(ctx, req, nil)
	if model.Is(err, model.Unsupported) {
		if i := s.info(t); i.CanTell && slices.Contains(i.Can, model.CanTools) {
			t.Errorf("%v, though it says that it has tools", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(reply.Calls) == 0 && reply.Text() == "" {
		t.Errorf("neither a call nor a word: %+v", reply)
	}
	for _, c := range reply.Calls {
		t.Logf("calls %s(%s)", c.Name, c.Arguments)
		if c.Name != "code_read" {
			t.Errorf("calls %s, which was not offered", c.Name)
		}
	}
}

func crashIsAnError(t *testing.T, s subject) {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	got := &stream{}
	reply, err := s.endpoint.Chat(ctx, story(), func(d model.Delta) {
		if got.add(d); got.pieces == 2 {
			s.Kill()
		}
	})
	if !model.Is(err, model.Broken) && !model.Is(err, model.Unreachable) {
		t.Errorf("%v when the server crashed in the middle", err)
	}
	if reply == nil || reply.Content != got.text.String() || reply.Text() == "" {
		t.Errorf("the reply holds %+v, %q had arrived", reply, got.text.String())
	}
	if _, err := s.endpoint.Chat(ctx, ask("Say hello.", 8), nil); !model.Is(err, model.Unreachable) {
		t.Errorf("%v from a server that is gone", err)
	}
	if _, err := s.endpoint.Info(ctx); !model.Is(err, model.Unreachable) {
		t.Errorf("%v from a server that is gone, asked for what it knows", err)
	}
}
