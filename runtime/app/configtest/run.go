// Package configtest runs the tests of a configuration. A test has an input, a small
// tree of files, and expectations about the reply. Users run them to check offline that
// an edit of roles.cue has the intended effect. Models answer from a recording if the
// test has one; otherwise no model is asked.
package configtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// Outcome is the result of one test.
type Outcome struct {
	Name    string        `json:"name"`
	Failed  []string      `json:"failed,omitempty"` // expectations that did not hold
	Errors  []string      `json:"errors,omitempty"` // why the test could not run properly
	Reply   string        `json:"reply,omitempty"`  // only if an expectation failed
	Notes   []string      `json:"notes,omitempty"`  // worth knowing, but no failure
	Wrote   string        `json:"wrote,omitempty"`  // the recording that was written
	Elapsed time.Duration `json:"elapsed"`
}

// How selects the tests to run, and the way they run.
type How struct {
	Filter string // substring of the names
	Record bool   // ask the configured models and replace the recordings; runs only tests that have one
}

// Passed reports whether the test ran without errors and all expectations held.
func (o Outcome) Passed() bool { return len(o.Failed) == 0 && len(o.Errors) == 0 }

// NoneRan is the error if no test was selected. It lists the tests that exist.
type NoneRan struct {
	How   How
	Names []string // all tests
}

func (e *NoneRan) Error() string {
	switch {
	case len(e.Names) == 0:
		return "the configuration has no tests"
	case e.How.Record:
		return "none of those chosen has replies; give one replies: \"recordings/NAME.jsonl\""
	}
	return fmt.Sprintf("no test has %q in its name; there are: %s", e.How.Filter, strings.Join(e.Names, ", "))
}

// Run runs the tests of the configuration in the order of their names. The error is a *NoneRan if no test was
// selected; any other error says why the configuration could not be loaded or used.
func Run(ctx context.Context, opt service.Options, how How) ([]Outcome, error) {
	if how.Record { // recording asks models: a project's own only once they are allowed
		if _, held, err := service.Judge(ctx, opt); err != nil || held != nil {
			return nil, errors.Join(err, heldError(held, opt))
		}
	}
	// Tests start and contact nothing: servers are left out, models answer from
	// recordings, and the test's own root is the only one.
	opt.Offline, opt.Whole, opt.OnlyRoots = true, true, true
	compile := opt
	compile.NoModel, compile.Roots = true, map[string][]string{"code": {opt.Work}}
	snap, diags, err := service.Load(ctx, compile)
	if err != nil {
		return nil, err
	}
	if snap == nil {
		return nil, diags.Err()
	}
	defer snap.Close()
	cfg := snap.Plan.Config
	var out []Outcome
	for _, name := range slices.Sorted(maps.Keys(cfg.Tests)) {
		t := cfg.Tests[name]
		if !strings.Contains(name, how.Filter) || how.Record && t.Replies == "" {
			continue
		}
		start := time.Now()
		o := runWithReplies(ctx, opt, snap, t, how.Record)
		o.Name, o.Elapsed = name, time.Since(start)
		out = append(out, o)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
	}
	if len(out) == 0 {
		return nil, &NoneRan{how, slices.Sorted(maps.Keys(cfg.Tests))}
	}
	return out, nil
}

func heldError(held *consent.Effects, opt service.Options) error {
	if held == nil {
		return nil
	}
	return fmt.Errorf("%s is not trusted yet (%s), and --record asks its models; review it with: %s", opt.Display, strings.Join(held.Paths(), ", "), opt.Command())
}

// runWithReplies runs one test with its recorded or recording models.
func runWithReplies(ctx context.Context, opt service.Options, compiled *service.Snapshot, t config.Test, record bool) Outcome {
	r, err := repliesOf(opt, t, record)
	if err != nil {
		return Outcome{Errors: []string{err.Error()}}
	}
	r.configureOptions(&opt)
	o := runTest(ctx, opt, compiled, t)
	r.finish(ctx, &o)
	return o
}

func runTest(ctx context.Context, opt service.Options, compiled *service.Snapshot, t config.Test) Outcome {
	root, cleanup, err := prepareTree(opt, t)
	if err != nil {
		return Outcome{Errors: []string{err.Error()}}
	}
	defer cleanup()
	opt.Roots = map[string][]string{"code": {root}}
	opt.Artifacts = filepath.Join(root, ".handoffs")
	if consent.Real(opt.Artifacts) != filepath.Join(consent.Real(root), ".handoffs") {
		return Outcome{Errors: []string{opt.Artifacts + " is a link, and nothing is written through one"}}
	}
	snap, _, err := service.Load(ctx, opt)
	if err != nil {
		return Outcome{Errors: []string{err.Error()}}
	}
	defer snap.Close()
	args, err := json.Marshal(t.Input)
	if err != nil {
		return Outcome{Errors: []string{"input: " + err.Error()}}
	}
	reply, err := service.New(snap).Invoke(ctx, service.Call{Tool: t.Tool, Args: args, Deterministic: true})
	env, text := expectationEnv(reply, err)
	o := Outcome{}
	for _, check := range compiled.Plan.Checks[t.Name] {
		ok, err := check.Test(env)
		switch {
		case err != nil:
			o.Errors = append(o.Errors, err.Error())
		case !ok:
			o.Failed = append(o.Failed, check.Source)
		}
	}
	if !o.Passed() {
		o.Reply = text
	}
	return o
}

// expectationEnv returns the variables that expectations can use, and the reply or error as text.
func expectationEnv(reply *service.Reply, err error) (map[string]any, string) {
	env := map[string]any{"result": nil, "error": "", "tokens": 0}
	if err != nil {
		code := "INTERNAL"
		var e *contract.Error
		if errors.As(err, &e) {
			code = e.Code
		}
		env["error"] = code
		return env, err.Error()
	}
	var v any
	if json.Unmarshal(reply.JSON, &v) == nil {
		env["result"] = v
	}
	env["tokens"] = tokens.Count(string(reply.JSON))
	return env, string(reply.JSON)
}

// isInProject reports whether path really lies in the project that the configuration came
// with. The user's own configuration (project is "") may name any path.
func isInProject(path, project string) bool {
	return project == "" || consent.Within(consent.Real(path), consent.Real(project))
}

// prepareTree returns the directory that a test searches: its files, written to a temporary
// directory, or a directory below the configuration. The last element of the path is
// always the same, since models may see it.
func prepareTree(opt service.Options, t config.Test) (dir string, cleanup func(), err error) {
	if len(t.Files) == 0 {
		if t.Root != "" {
			dir, err = checkDirectory(opt.Dir, "root", t.Root)
			return dir, func() {}, err
		}
		if !isInProject(opt.Work, opt.Project) {
			return "", nil, fmt.Errorf("%s is outside of the project that the test came with: start it in the project, or give it files", opt.Work)
		}
		return opt.Work, func() {}, nil
	}
	temp, err := os.MkdirTemp("", "compactor-test-")
	if err != nil {
		return "", nil, err
	}
	dir = filepath.Join(temp, "tree")
	cleanup = func() { _ = os.RemoveAll(temp) }
	for _, name := range slices.Sorted(maps.Keys(t.Files)) {
		if !filepath.IsLocal(name) {
			cleanup()
			return "", nil, fmt.Errorf("files: %q is not a path below the test's tree", name)
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(t.Files[name]), 0o644)); err != nil {
			cleanup()
			return "", nil, err
		}
	}
	return dir, cleanup, nil
}
