package recording_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/modeltest"
	"github.com/compactor-mcp/compactor/runtime/model/openai"
	"github.com/compactor-mcp/compactor/runtime/model/recording"
)

var update = flag.Bool("update", false, "rewrite testdata from the replay; with real models, record it anew")

const fixture = "testdata/llamacpp.jsonl"

// TestAdapterReplays runs the adapter on what llama.cpp once sent, and holds
// what it makes of it.
func TestAdapterReplays(t *testing.T) {
	t.Parallel()
	p := open(t, fixture)
	got := talk(t, p, p.URL(), p.Model())
	golden := strings.Replace(fixture, ".jsonl", ".golden", 1)
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Error(cmp.Diff(string(want), got))
	}
	if left := p.Unused(); len(left) > 0 {
		t.Errorf("not asked for: %d exchanges, first %s %s", len(left), left[0].Method, left[0].Path)
	}
}

// TestRealModelAdapter records the adapter with a real server and replays it.
// With -update it writes the fixture of the test above (make record).
func TestRealModelAdapter(t *testing.T) {
	for _, pair := range modeltest.All(t) {
		t.Run(pair.String(), func(t *testing.T) {
			srv := pair.Start(t, modeltest.Options{Window: 512})
			path := filepath.Join(t.TempDir(), "r.jsonl")
			if *update && pair.Kind == modeltest.LlamaServer {
				path = fixture
			}
			rec, err := recording.Record(path)
			if err != nil {
				t.Fatal(err)
			}
			live := talk(t, rec.Wrap("openai", model.NewClient()), srv.OpenAI(), srv.Model)
			if err := rec.Close(); err != nil {
				t.Fatal(err)
			}
			if path == fixture {
				forget(t)
			}
			p := open(t, path)
			if p.URL() != "http://recording.invalid/v1" || p.Model() != srv.Model {
				t.Errorf("%s and %s", p.URL(), p.Model())
			}
			if again := talk(t, p, p.URL(), p.Model()); again != live {
				t.Error(cmp.Diff(live, again))
			}
		})
	}
}

// forget takes this machine's directory of weights out of the fixture: the
// server tells where they are.
func forget(t *testing.T) {
	t.Helper()
	data, err := os.ReadFile(fixture)
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.ReplaceAll(data, []byte(os.Getenv("COMPACTOR_TEST_WEIGHTS")+string(filepath.Separator)), nil)
	if err := os.WriteFile(fixture, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// talk asks an endpoint for all it can do and tells all that came back, times
// left out.
func talk(t *testing.T, client model.Doer, base, name string) string {
	t.Helper()
	e, err := openai.New(model.Options{Name: "test", URL: base, Model: name, Client: client})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	tell := func(what string, v any, err error) {
		text, _ := json.MarshalIndent(v, "", "  ")
		fmt.Fprintf(&out, "%s: %s\n", what, text)
		if err != nil {
			// The server's host differs; that one was there does not.
			fmt.Fprintf(&out, "error: %s\n", strings.ReplaceAll(err.Error(), strings.TrimPrefix(strings.TrimSuffix(base, "/v1"), "http://"), "HOST"))
		}
	}
	info, err := e.Info(t.Context())
	tell("info", info, err)
	user := []model.Message{{Role: model.User, Content: "Name three colours."}}
	for _, ask := range []struct {
		what string
		model.Request
	}{
		{"text", model.Request{Messages: user, MaxTokens: 12}},
		{"schema", model.Request{Messages: user, MaxTokens: 24, Schema: &model.Schema{Name: "colour", JSON: []byte(`{"type":"object","properties":{"colour":{"enum":["red","blue"]}},"required":["colour"],"additionalProperties":false}`)}}},
		{"overflow", model.Request{Messages: []model.Message{{Role: model.User, Content: strings.Repeat("red blue ", 400)}}, MaxTokens: 8}},
	} {
		var pieces strings.Builder
		reply, err := e.Chat(t.Context(), ask.Request, func(d model.Delta) { pieces.WriteString(d.Text + d.Reasoning + "|") })
		if reply != nil {
			reply.Usage.First, reply.Usage.Total = 0, 0
		}
		tell(ask.what+" in pieces "+pieces.String(), reply, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	reply, err := e.Chat(ctx, model.Request{Messages: user, MaxTokens: 200}, func(model.Delta) { cancel() })
	cancel()
	tell("cancelled", reply != nil && reply.Content != "", err)
	return out.String()
}
