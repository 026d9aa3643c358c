package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/builtins/code/report"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/model/modeltest"
)

// realQuestions are asked about this repository: a sure one, a vague one, one in
// another language, one whose answer is not there.
var realQuestions = []string{
	"where is the worker pool built?",
	"how does a request end when its time is over",
	"wo werden Geheimnisse in Antworten maskiert?",
	"where is the quaternion interpolated?",
}

// TestRealModelResearch asks real models at real servers through the whole
// program, and holds each answer against the one without a model.
func TestRealModelResearch(t *testing.T) {
	without := realService(t, "")
	for i, pair := range modeltest.All(t) {
		questions := realQuestions
		if i > 0 { // all of them once; the others show that each pair is spoken with
			questions = questions[:1]
		}
		t.Run(pair.String(), func(t *testing.T) {
			server := pair.Start(t, modeltest.Options{Window: 4096})
			svc := realService(t, realConfig(server))
			for _, q := range questions {
				plain, _ := research(t, without, q)
				start := time.Now()
				got, reply := research(t, svc, q)
				u := reply.Response.Model
				t.Logf("%-48s %5.1f s  calls %d failed %d  tokens %d in %d out  dropped %d  %v", q, time.Since(start).Seconds(), u.Calls, u.Failed, u.TokensIn, u.TokensOut, u.Dropped, u.Rungs)
				if u.Calls == 0 {
					t.Errorf("%s: the model was not asked", q)
				}
				notWorse(t, q, plain, got)
			}
		})
	}
}

// TestRealModelKilled kills the server at moments of a run, the last of them
// while it writes.
func TestRealModelKilled(t *testing.T) {
	without := realService(t, "")
	pair := modeltest.All(t)[0]
	for _, after := range []time.Duration{300 * time.Millisecond, 2 * time.Second} {
		t.Run(after.String(), func(t *testing.T) {
			server := pair.Start(t, modeltest.Options{Window: 4096})
			svc := realService(t, realConfig(server))
			time.AfterFunc(after, server.Kill)
			plain, _ := research(t, without, realQuestions[1])
			got, _ := research(t, svc, realQuestions[1])
			notWorse(t, realQuestions[1], plain, got)
		})
	}
}

func realConfig(s *modeltest.Server) string {
	// A busy machine gets the time it needs: what is tested is not its speed.
	const patient = `
pool: deadline: "170s"
pipelines: research_codebase: budget: time: "160s"
roles: locator: budget: time: "80s"
roles: synthesizer: budget: time: "80s"
`
	if s.Kind == modeltest.OllamaServer {
		return fmt.Sprintf("models: default: {provider: \"ollama\", url: %q, model: %q}", s.URL, s.Model) + patient
	}
	return fmt.Sprintf("models: default: {provider: \"openai\", url: %q}", s.OpenAI()) + patient
}

func realService(t *testing.T, config string) *service.Service {
	t.Helper()
	work, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	opt := service.Options{Defaults: compactor.Defaults, Work: work, Builtins: builtins.All, NoModel: config == ""}
	if config != "" {
		opt.Dir = t.TempDir()
		if err := os.WriteFile(filepath.Join(opt.Dir, "c.cue"), []byte("package compactor\n\n"+config+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	snap, diags, err := service.Load(t.Context(), opt)
	if snap == nil {
		t.Fatal(diags, err)
	}
	t.Cleanup(func() { _ = snap.Close() })
	return service.New(snap)
}

func research(t *testing.T, svc *service.Service, question string) (report.Report, *service.Reply) {
	t.Helper()
	args, _ := json.Marshal(map[string]any{"question": question, "constraints": map[string]any{"tokens": 4000}})
	reply, err := svc.Invoke(context.Background(), service.Call{Tool: "research_codebase", Args: args})
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	var r report.Report
	if err := json.Unmarshal(reply.JSON, &r); err != nil {
		t.Fatal(err)
	}
	return r, reply
}

// notWorse holds that everything said without a model is still said.
func notWorse(t *testing.T, question string, plain, got report.Report) {
	t.Helper()
	have := strings.Join(got.References, "\n") + "\n"
	for _, ref := range plain.References {
		if !strings.Contains(have, ref+"\n") {
			t.Errorf("%s: lost %s", question, ref)
		}
	}
	if len(plain.References) == 0 && len(got.References) > 0 {
		t.Errorf("%s: not found without a model, and now in %s", question, got.References)
	}
	if got.Meta.Dropped > 0 {
		t.Errorf("%s: %d references did not resolve", question, got.Meta.Dropped)
	}
}
