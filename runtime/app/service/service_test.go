package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/builtins/code/report"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs"
	"github.com/compactor-mcp/compactor/runtime/gateway/process"
)

// The test binary is also an upstream server and the guard of its programs. Those end at
// once: os.Exit waits for a second where data races are looked for.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "guard" {
		syscall.Exit(process.Guard(os.Stdin))
	}
	if os.Getenv(upstreamEnv) != "" {
		serveUpstream()
		syscall.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// files writes a tree below a directory of the test's own.
func files(t testing.TB, list map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range list {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var tree = map[string]string{
	"pool/pool.go":   "package pool\n\n// NewPool builds a pool of n workers.\nfunc NewPool(n int) int { return n }\n",
	"cmd/main.go":    "package main\n\nfunc main() { pool.NewPool(4) }\n",
	"docs/design.md": "# Design\n\nThe queue is bounded.\n",
}

func options(t testing.TB, config map[string]string) service.Options {
	t.Helper()
	opt := service.Options{Defaults: compactor.Defaults, Work: files(t, tree), Builtins: builtins.All, Artifacts: filepath.Join(t.TempDir(), "out")}
	if config != nil {
		opt.Dir = files(t, config)
	}
	return opt
}

func start(t testing.TB, opt service.Options) *service.Service {
	t.Helper()
	snap, diags, err := service.Load(t.Context(), opt)
	if err != nil || snap == nil {
		t.Fatal(err, diags.Err())
	}
	svc := service.New(snap)
	t.Cleanup(func() { _, _ = svc.Close(), svc.Snapshot().Close() })
	return svc
}

func call(t *testing.T, svc *service.Service, tool, input string) (report.Report, error) {
	t.Helper()
	reply, err := svc.Invoke(t.Context(), service.Call{Tool: tool, Args: json.RawMessage(input), Deterministic: true})
	var r report.Report
	if err == nil && json.Unmarshal(reply.JSON, &r) != nil && tool == "research_codebase" {
		t.Fatalf("no report: %s", reply.JSON)
	}
	return r, err
}

func TestResearchFindsAndReports(t *testing.T) {
	svc := start(t, options(t, nil))
	r, err := call(t, svc, "research_codebase", `{"question":"where is NewPool?"}`)
	if err != nil || len(r.References) == 0 || r.References[0] != "pool/pool.go:4" {
		t.Fatalf("%+v, %v", r.References, err)
	}
	if len(r.Sections) != 2 || r.Sections[0].Name != "locator" || r.Sections[0].Outcome.Status != contract.OK || r.Sections[1].Name != "analyzer" {
		t.Fatalf("sections do not follow what ran: %+v", r.Sections)
	}
	if !strings.Contains(r.Answer, "pool.NewPool(4)") {
		t.Errorf("the call is missing in %q", r.Answer)
	}
	if !strings.Contains(r.Answer, "(cmd/main.go:3)") {
		t.Errorf("the caller's place is missing in %q", r.Answer)
	}
}

// TestReplyFitsItsSchema holds replies against the schemas that are published.
func TestReplyFitsItsSchema(t *testing.T) {
	svc := start(t, options(t, nil))
	for tool, input := range map[string]string{
		"research_codebase": `{"question":"show examples of pools"}`, "locate_in_codebase": `{"question":"NewPool"}`,
		"analyze_component": `{"component":"NewPool"}`, "find_patterns": `{"question":"pools"}`, "list_roots": `{}`,
		"create_handoff": `{"question":"q","summary":"s"}`, "resume_handoff": `{}`, "list_handoffs": `{}`,
	} {
		if tool == "resume_handoff" {
			if _, err := call(t, svc, "create_handoff", `{"question":"q","summary":"s"}`); err != nil {
				t.Fatal(err)
			}
		}
		reply, err := svc.Invoke(t.Context(), service.Call{Tool: tool, Args: json.RawMessage(input)})
		if err != nil {
			t.Errorf("%s: %v", tool, err)
			continue
		}
		spec, err := svc.Tool(tool)
		if err != nil {
			t.Fatal(err)
		}
		// The argument checker is a validator of the same subset; it mends,
		// so what it returns must be what went in.
		got, err := toolargs.Validate(spec.Output.JSON(), reply.JSON)
		if err != nil {
			t.Errorf("%s: %v\n%s", tool, err, reply.JSON)
		}
		var a, b any
		if json.Unmarshal(got, &a) != nil || json.Unmarshal(reply.JSON, &b) != nil {
			t.Errorf("%s: not JSON", tool)
		}
	}
}

func TestThoughtsRunWhereThereAreSome(t *testing.T) {
	opt := options(t, map[string]string{"a.cue": "package compactor\n\nroots: thoughts: [\"docs\"]\n"})
	r, err := call(t, start(t, opt), "research_codebase", `{"question":"how is the queue bounded?"}`)
	notes := r.Section("thoughts").Result()
	if err != nil || notes == nil {
		t.Fatalf("%+v, %v", r.Sections, err)
	}
	if len(notes.References) == 0 || !strings.HasPrefix(notes.References[0], "docs/design.md") {
		t.Errorf("%v", notes.References)
	}
}

// What the notes decide is a section of the reply, where there are notes.
func TestDecisionsOfNotes(t *testing.T) {
	notes := filepath.ToSlash(files(t, map[string]string{"queue.md": "# Queue\n\nThe queue holds work.\n\nWe decided that a full queue must refuse work.\n"}))
	const want = "We decided that a full queue must refuse work ("
	for config, has := range map[string]bool{"roots: thoughts: [\"" + notes + "\"]\n": true, "": false} {
		r, err := call(t, start(t, options(t, map[string]string{"a.cue": "package compactor\n\n" + config})), "research_codebase", `{"question":"how is the queue bounded?"}`)
		if err != nil {
			t.Fatal(err)
		}
		found := r.Section("decisions").Result()
		switch {
		case !has && (found != nil || slices.Contains(r.Meta.RolesRun, "thoughts_analyzer")):
			t.Errorf("without notes: %+v, ran %v", found, r.Meta.RolesRun)
		case has && (found == nil || len(found.KeyFindings) != 1 || !strings.HasPrefix(found.KeyFindings[0].Text, want) || !strings.HasSuffix(found.KeyFindings[0].Text, "queue.md:5)")):
			t.Errorf("%+v, want %q", found, want)
		}
	}
}

func TestRootsNarrow(t *testing.T) {
	svc := start(t, options(t, nil))
	work := svc.Snapshot().Roots.Roots()[0].Path()
	for _, c := range []struct {
		roots string
		found bool
		noted string // a name that is no root; all are searched where no other is
	}{
		{`["pool"]`, true, ""}, {`["docs"]`, false, ""}, {`["` + filepath.ToSlash(filepath.Join(work, "pool")) + `"]`, true, ""},
		{`["docs","pool"]`, true, ""}, {`["."]`, true, ""}, {`["/etc"]`, true, "/etc"}, {`["../x"]`, true, "../x"},
		{`["nowhere"]`, true, "nowhere"}, {`["nowhere","docs"]`, false, "nowhere"}, {`["a","b","c","d"]`, true, "and 1 more"},
	} {
		r, err := call(t, svc, "research_codebase", `{"question":"where is NewPool?","roots":`+c.roots+`}`)
		if err != nil || (len(r.References) > 0) != c.found {
			t.Errorf("%s: %v, %v", c.roots, r.References, err)
		}
		if said := strings.Join(r.Meta.Notes, "; "); !strings.Contains(said, c.noted) || c.noted == "" && said != "" {
			t.Errorf("%s: notes %q, want %q", c.roots, said, c.noted)
		}
	}
}

func orNil(err error) error {
	if err == nil {
		return errors.New("none")
	}
	return err
}

func TestEveryCallEndsInTime(t *testing.T) {
	svc := start(t, options(t, nil))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := svc.Invoke(ctx, service.Call{Tool: "research_codebase", Args: json.RawMessage(`{"question":"x"}`)})
	if s, e := contract.AsError(orNil(err)); s != contract.Failed || e.Code != "CANCELED" {
		t.Errorf("status %s, code %s", s, e.Code)
	}
}

func TestReload(t *testing.T) {
	opt := options(t, map[string]string{"a.cue": "package compactor\n"})
	svc := start(t, opt)
	changed := make(chan struct{}, 4)
	defer svc.OnChange(func(string) { changed <- struct{}{} })()

	write(t, opt.Dir, "package compactor\n\ntools: where: {description: \"w\", pipeline: \"locate_in_codebase\"}\n")
	if list, err := svc.Reload(t.Context(), opt); err != nil || list.HasErrors() {
		t.Fatal(err, list.Err())
	}
	if _, err := svc.Tool("where"); err != nil || len(changed) != 1 {
		t.Errorf("new tool: %v, told %d times", err, len(changed))
	}
	write(t, opt.Dir, "package compactor\n\nroles: locator: budget: fils: 1\n")
	if list, _ := svc.Reload(t.Context(), opt); !list.HasErrors() {
		t.Error("a broken edit was taken over")
	}
	if _, err := svc.Tool("where"); err != nil {
		t.Errorf("the refused edit took the old tool away: %v", err)
	}
}

// What is left out of the menu, and what clients are told of a tool, changes what they see.
func TestAnotherMenuIsAChangeOfTheTools(t *testing.T) {
	opt := options(t, map[string]string{"a.cue": "package compactor\n"})
	svc := start(t, opt)
	told := make(chan struct{}, 16)
	defer svc.OnChange(func(string) { told <- struct{}{} })()
	for i, text := range []string{`menu: only: ["gateway"]`, `menu: only: ["gateway"], tools: ping: group: "gateway"`, `tools: ping: instructions: "Say ping."`} {
		write(t, opt.Dir, "package compactor\n\n"+text+"\n")
		if list, err := svc.Reload(t.Context(), opt); err != nil || list.HasErrors() {
			t.Fatal(err, list.Err())
		}
		if len(told) != i+1 {
			t.Errorf("%s: told %d times", text, len(told))
		}
	}
}

// With the first server come five tools, and with the last they go: clients that
// listen ask for the list anew.
func TestTheFirstServerIsAChangeOfTheTools(t *testing.T) {
	opt := options(t, map[string]string{"a.cue": "package compactor\n"})
	svc := start(t, opt)
	told := make(chan struct{}, 16)
	defer svc.OnChange(func(string) { told <- struct{}{} })()
	for i, text := range []string{"servers: a: {command: \"no-such-program\"}\n", "servers: a: {command: \"no-such-program\", enabled: false}\n"} {
		write(t, opt.Dir, "package compactor\n\n"+text)
		if list, err := svc.Reload(t.Context(), opt); err != nil || list.HasErrors() {
			t.Fatal(err, list.Err())
		}
		if len(told) == 0 {
			t.Errorf("edit %d: nobody was told", i)
		}
		for len(told) > 0 {
			<-told
		}
	}
}

// TestReloadDropsNoCall swaps configurations while calls run.
func TestReloadDropsNoCall(t *testing.T) {
	opt := options(t, map[string]string{"a.cue": "package compactor\n"})
	svc := start(t, opt)
	var wg sync.WaitGroup
	var answered atomic.Int64
	stop := make(chan struct{})
	for range 3 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := svc.Invoke(t.Context(), service.Call{Tool: "locate_in_codebase", Args: json.RawMessage(`{"question":"NewPool"}`)}); err != nil {
					t.Error(err)
					return
				}
				answered.Add(1)
			}
		})
	}
	for range 5 {
		before := answered.Load()
		if _, err := svc.Reload(t.Context(), opt); err != nil {
			t.Error(err)
		}
		clocktest.Until(t, "calls are answered between reloads", func() bool { return t.Failed() || answered.Load() > before })
	}
	close(stop)
	wg.Wait()
}

func TestWatchWaitsForAnEditToEnd(t *testing.T) {
	dir := files(t, map[string]string{"a.cue": "package compactor\n"})
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var changed []time.Duration
		go service.Watch(t.Context(), []string{dir}, time.Second, func() { changed = append(changed, time.Since(began)) })
		synctest.Wait() // it has seen the directory as it was
		time.Sleep(500 * time.Millisecond)
		write(t, dir, "package compactor\n\npool")
		time.Sleep(510 * time.Millisecond) // it has seen the edit and waits
		write(t, dir, "package compactor\n\npool: workers: 2\n")
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(changed) != 1 || changed[0] <= 2*time.Second || changed[0] >= 3*time.Second {
			t.Errorf("told after %v, want once, after the second look", changed)
		}
	})
}

func write(t *testing.T, dir, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "a.cue"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestExplainDecidesWhatItCan(t *testing.T) {
	svc := start(t, options(t, nil))
	e, err := svc.Explain(t.Context(), "research_codebase", json.RawMessage(`{"question":"where is NewPool?"}`))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range e.Stages {
		got[s.Name] = s.Decision
	}
	for name, want := range map[string]string{"scope": "runs", "locate": "runs", "callers": "depends", "patterns": "skipped", "thoughts": "skipped", "artifact": "skipped", "report": "runs"} {
		if got[name] != want {
			t.Errorf("%s %s, want %s", name, got[name], want)
		}
	}
}
