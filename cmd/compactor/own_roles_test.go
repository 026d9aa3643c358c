package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/modeltest"
	"github.com/compactor-mcp/compactor/runtime/model/recording"
	agentreply "github.com/compactor-mcp/compactor/runtime/pipeline/agent/reply"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// ownCalls are the calls of the script own_roles: its tool, its arguments, and by
// role where in the reply stands what the role returned.
var ownCalls = []struct {
	name, tool string
	args       map[string]any
	roles      map[string][]string
}{
	{"reviews", "review", map[string]any{"subject": "remove the lock around the worker pool"}, map[string][]string{"reviewer": nil}},
	{"copies", "review", map[string]any{"subject": "Take panics when there are no jobs"}, map[string][]string{"reviewer": nil}},
	{"researches", "research_codebase", map[string]any{"question": "where is NewPool built?"},
		map[string][]string{"query_widener": {"expander", "value"}, "guide": {"guide", "value"}}},
}

// TestRealModelOwnRoles runs the roles of the script own_roles with real models.
// What leaves a role fits its type, whether the model or the fallback answers, and
// which of the two it was is told.
func TestRealModelOwnRoles(t *testing.T) {
	for _, pair := range modeltest.All(t) {
		t.Run(pair.String(), func(t *testing.T) {
			srv := pair.Start(t, modeltest.Options{Window: 4096})
			without, with := ownRoles(t, nil, nil), ownRoles(t, srv, nil)
			for _, call := range ownCalls {
				plain, _ := values(t, without, call.tool, call.args)
				got, use := values(t, with, call.tool, call.args)
				if use.Calls == 0 {
					t.Errorf("%s: the model was not asked", call.tool)
				}
				for role, path := range call.roles {
					value, fallback := at(got, path), at(plain, path)
					fitsRole(t, with, role, value)
					fitsRole(t, without, role, fallback)
					answered := "the model"
					if cmp.Equal(value, fallback) {
						answered = "the fallback"
					}
					t.Logf("%s: %s answered: %v", role, answered, value)
				}
				t.Logf("%s: %d calls, %d failed, %d dropped", call.tool, use.Calls, use.Failed, use.Dropped)
			}
		})
	}
}

// TestRealModelRecordsOwnRoles records the calls of the script own_roles and replays
// them. With -update it writes what the script replays.
func TestRealModelRecordsOwnRoles(t *testing.T) {
	srv := modeltest.Llama(t, "smollm2-135m", modeltest.Options{Window: 4096})
	for _, call := range ownCalls {
		file := filepath.Join(t.TempDir(), call.name+".jsonl")
		if *update {
			file = filepath.Join("testdata", "own_roles", call.name+".jsonl")
		}
		rec, err := recording.Record(file)
		if err != nil {
			t.Fatal(err)
		}
		said, _ := values(t, ownRoles(t, srv, func(o *service.Options) {
			o.Exchange = func(_ string, spec config.Model, next model.Doer) model.Doer { return rec.Wrap(spec.Provider, next) }
		}), call.tool, call.args)
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
		forgetWeights(t, file)
		path, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		again, use := values(t, ownRoles(t, nil, func(o *service.Options) {
			o.NoModel = false
			o.Spec = func(_ string, spec config.Model) config.Model { spec.Provider, spec.URL = "replay", path; return spec }
		}), call.tool, call.args)
		if use.Calls == 0 {
			t.Errorf("%s: the recording was not asked", call.tool)
		}
		for role, path := range call.roles {
			if d := cmp.Diff(at(said, path), at(again, path)); d != "" {
				t.Errorf("%s: %s", role, d)
			}
		}
	}
}

// patientModel gives a busy machine the time it needs: how long a reply may be is
// asked for by the time that is left, and a replay is asked for the same.
const patientModel = `package compactor

models: default: {provider: %q, url: %q, model: %q}
pool: deadline: "5m"
pipelines: {
	research_codebase: budget: time: "5m"
	review: budget: time:            "5m"
}
roles: [string]: budget: time: "4m"
`

// ownRoles is the user's directory and the tree of the script own_roles, with the
// model that srv serves; nil for none.
func ownRoles(t *testing.T, srv *modeltest.Server, more func(*service.Options)) *service.Service {
	t.Helper()
	script, err := txtar.ParseFile(filepath.Join("testdata", "script", "own_roles.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := txtar.Write(script, dir); err != nil {
		t.Fatal(err)
	}
	src := filepath.Join(dir, "src")
	opt := service.Options{Defaults: compactor.Defaults, Work: src, Builtins: builtins.All, NoModel: srv == nil,
		Place: consent.Own(src, filepath.Join(dir, "home", "config", "compactor"))}
	provider, url, name := "openai", "http://localhost:1/v1", ""
	if srv != nil && srv.Kind == modeltest.OllamaServer {
		provider, url, name = "ollama", srv.URL, srv.Model
	} else if srv != nil {
		url = srv.OpenAI()
	}
	text := fmt.Sprintf(patientModel, provider, url, name)
	if err := os.WriteFile(filepath.Join(opt.Dir, "model.cue"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if more != nil {
		more(&opt)
	}
	snap, diags, err := service.Load(t.Context(), opt)
	if snap == nil {
		t.Fatal(diags, err)
	}
	t.Cleanup(func() { _ = snap.Close() })
	return service.New(snap)
}

// values calls a tool and gives the reply as it is read, and what models did.
func values(t *testing.T, svc *service.Service, tool string, args map[string]any) (map[string]any, catalog.ModelUse) {
	t.Helper()
	raw, _ := json.Marshal(args)
	reply, err := svc.Invoke(t.Context(), service.Call{Tool: tool, Args: raw})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	var out map[string]any
	if err := json.Unmarshal(reply.JSON, &out); err != nil {
		t.Fatal(err)
	}
	return out, reply.Response.Model
}

// at is the object at a path of a reply; nil where there is none.
func at(v map[string]any, path []string) map[string]any {
	for _, name := range path {
		v, _ = v[name].(map[string]any)
	}
	return v
}

// fitsRole holds that a value is of the type that the role returns.
func fitsRole(t *testing.T, svc *service.Service, role string, value map[string]any) {
	t.Helper()
	text, _ := json.Marshal(value)
	got, err := agentreply.Read(string(text), svc.Snapshot().Plan.Roles[role].Out)
	if err != nil || got.Rung != agentreply.Clean {
		t.Errorf("role %s: %s does not fit its type: %v, %s", role, text, err, got.Rung)
	}
}

// forgetWeights takes this machine's directory of weights out of a recording.
func forgetWeights(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.ReplaceAll(data, []byte(os.Getenv("COMPACTOR_TEST_WEIGHTS")+string(filepath.Separator)), nil)
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
