package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// TestRealServer asks an Ollama that runs. COMPACTOR_OLLAMA is its URL and
// COMPACTOR_OLLAMA_MODELS names models on it, with commas; any will do.
func TestRealServer(t *testing.T) {
	url, models := os.Getenv("COMPACTOR_OLLAMA"), os.Getenv("COMPACTOR_OLLAMA_MODELS")
	if url == "" || models == "" {
		t.Skip("COMPACTOR_OLLAMA and COMPACTOR_OLLAMA_MODELS name no server and its models")
	}
	for _, name := range strings.Split(models, ",") {
		t.Run(name, func(t *testing.T) { real(t, at(t, url, name, 2048)) })
	}
	t.Run("not installed", func(t *testing.T) {
		_, err := at(t, url, "no-such-model", 0).Chat(background, hello(), nil)
		wantError(t, err, model.NotFound, "ollama pull", "installed: ")
		t.Log(err)
	})
	t.Run("list", func(t *testing.T) {
		for _, i := range must[[]model.Info](t)(at(t, url, "", 0).List(background)) {
			t.Logf("%+v", i)
		}
	})
}

func real(t *testing.T, e *Endpoint) {
	info := must[model.Info](t)(e.Info(background))
	t.Logf("%+v", info)
	pieces := 0
	reply := must[*model.Reply](t)(e.Chat(background, hello(), func(model.Delta) { pieces++ }))
	if reply.Text() == "" || pieces < 2 || reply.Usage.In == 0 || reply.Usage.Out == 0 || reply.Usage.First > reply.Usage.Total {
		t.Errorf("%d pieces of %+v", pieces, reply)
	}
	t.Logf("%d pieces, %s, %+v", pieces, reply.Finish, reply.Usage)
	if again := must[*model.Reply](t)(e.Chat(background, hello(), nil)); again.Text() != reply.Text() {
		t.Errorf("asked again it says %q instead of %q", again.Text(), reply.Text())
	}

	req := hello()
	req.Schema = &model.Schema{Name: "found", JSON: json.RawMessage(`{"type":"object","required":["found"],"properties":{"found":{"type":"boolean"}}}`)}
	reply = must[*model.Reply](t)(e.Chat(background, req, nil))
	if err := json.Unmarshal([]byte(reply.Text()), &struct{ Found bool }{}); err != nil {
		t.Errorf("%q: %v", reply.Text(), err)
	}

	req = hello()
	req.Messages[0].Content = strings.Repeat("word ", 3000)
	_, err := e.Chat(background, req, nil)
	wantError(t, err, model.Overflow)

	req = hello()
	req.Tools = []model.Tool{{Name: "f"}}
	if _, err = e.Chat(background, req, nil); !info.CanTell || !strings.Contains(jsonOf(info.Can), "tools") {
		wantError(t, err, model.Unsupported)
	}
	switch vectors, err := e.Embed(background, []string{"a", "b"}); {
	case model.Is(err, model.Unsupported): // some engines embed with no model that chats
		t.Log(err)
	case err != nil:
		t.Error(err)
	default:
		t.Logf("vectors of %d", len(vectors[0]))
		_, err = e.Embed(background, []string{"a", strings.Repeat("word ", 3000)})
		wantError(t, err, model.Overflow)
	}

	ctx, cancel := context.WithCancel(background)
	defer cancel()
	req = hello()
	req.MaxTokens = 0
	began := time.Now()
	_, err = e.Chat(ctx, req, func(model.Delta) { began = time.Now(); cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	t.Logf("%s from cancelling to the return", time.Since(began))
	// Models of the same weights share a process, which bears one of their names.
	if after := must[model.Info](t)(e.Info(background)); after.Window != 2048 {
		t.Errorf("%+v", after)
	}
}

func jsonOf(v any) string { data, _ := json.Marshal(v); return string(data) }
