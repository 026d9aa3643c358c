// Package configtest runs the tests that a configuration carries: an input, a
// small tree of files, and what must hold of the reply. It is how a user
// proves that an edit of roles.cue does what it should, offline. Models answer
// from a recording, where a test has one, and are not asked at all otherwise.
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

// Outcome is how one test went.
type Outcome struct {
	Name    string        `json:"name"`
	Failed  []string      `json:"failed,omitempty"` // expectations that did not hold
	Errors  []string      `json:"errors,omitempty"` // why it could not run as it should
	Reply   string        `json:"reply,omitempty"`  // what was expected otherwise
	Notes   []string      `json:"notes,omitempty"`  // what is no failure and should be known
	Wrote   string        `json:"wrote,omitempty"`  // the recording that was written
	Elapsed time.Duration `json:"elapsed"`
}

// How says which tests run, and how.
type How struct {
	Filter string // part of the names
	Record bool   // ask the configured models and write recordings anew; only tests that have one run
}

// Passed reports whether it ran as it should and all expectations held.
func (o Outcome) Passed() bool { return len(o.Failed) == 0 && len(o.Errors) == 0 }

// NoneRan says that no test was chosen, and which ones there are.
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

// Run runs the tests of the configuration in the order of names. The error says
// that the configuration could not be loaded, or as a *NoneRan that none was chosen.
func Run(ctx context.Context, opt service.Options, how How) ([]Outcome, error) {
	if how.Record { // which asks models: a project's own only when they are allowed
		if _, held, err := service.Judge(ctx, opt); err != nil || held != nil {
			return nil, errors.Join(err, waiting(held, opt))
		}
	}
	// Nothing of a directory's tests starts or contacts anything: servers are left
	// out, models answer from recordings, and of the roots there is the test's alone.
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
		o := asked(ctx, opt, snap, t, how.Record)
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

func waiting(held *consent.Reach, opt service.Options) error {
	if held == nil {
		return nil
	}
	return fmt.Errorf("%s is not trusted yet (%s), and --record asks its models; review it with: %s", opt.Display, strings.Join(held.Paths(), ", "), opt.Command())
}

// asked runs one test with the models it shall have.
func asked(ctx context.Context, opt service.Options, compiled *service.Snapshot, t config.Test, record bool) Outcome {
	r, err := repliesOf(opt, t, record)
	if err != nil {
		return Outcome{Errors: []string{err.Error()}}
	}
	r.join(&opt)
	o := one(ctx, opt, compiled, t)
	r.finish(ctx, &o)
	return o
}

func one(ctx context.Context, opt service.Options, compiled *service.Snapshot, t config.Test) Outcome {
	root, cleanup, err := tree(opt, t)
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
	env, text := seen(reply, err)
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

// seen is the reply as expectations see it.
func seen(reply *service.Reply, err error) (map[string]any, string) {
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

// inside reports whether a path really lies in the project that a configuration came
// with; one of the user's own may name what it likes.
func inside(path, project string) bool {
	return project == "" || consent.Within(consent.Real(path), consent.Real(project))
}

// tree is the directory a test searches: the files it carries, written to a
// temporary directory, or a directory beside the configuration. Its name is the
// same each time, since models may be told it.
func tree(opt service.Options, t config.Test) (dir string, cleanup func(), err error) {
	if len(t.Files) == 0 {
		if t.Root != "" {
			dir, err = directory(opt.Dir, "root", t.Root)
			return dir, func() {}, err
		}
		if !inside(opt.Work, opt.Project) {
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
