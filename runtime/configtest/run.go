// Package configtest runs the tests that a configuration carries: an input, a
// small tree of files, and what must hold of the reply. It is how a user
// proves that an edit of roles.cue does what it should, offline.
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

	"compactor/runtime/config"
	"compactor/runtime/contract"
	"compactor/runtime/service"
	"compactor/runtime/tokens"
)

// Outcome is how one test went.
type Outcome struct {
	Name    string        `json:"name"`
	Failed  []string      `json:"failed,omitempty"` // expectations that did not hold, or why it could not run
	Reply   string        `json:"reply,omitempty"`  // what was expected otherwise
	Elapsed time.Duration `json:"elapsed"`
}

// Passed reports whether all expectations held.
func (o Outcome) Passed() bool { return len(o.Failed) == 0 }

// Run runs every test of the configuration whose name contains filter, in the
// order of names. The error says that the configuration could not be loaded.
func Run(ctx context.Context, opt service.Options, filter string) ([]Outcome, error) {
	snap, diags, err := service.Load(ctx, opt)
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
		if !strings.Contains(name, filter) {
			continue
		}
		start := time.Now()
		o := one(ctx, opt, snap, cfg.Tests[name])
		o.Name, o.Elapsed = name, time.Since(start)
		out = append(out, o)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
	}
	return out, nil
}

func one(ctx context.Context, opt service.Options, compiled *service.Snapshot, t config.Test) Outcome {
	root, cleanup, err := tree(opt, t)
	if err != nil {
		return Outcome{Failed: []string{err.Error()}}
	}
	defer cleanup()
	opt.Roots = map[string][]string{"code": {root}}
	opt.Artifacts = filepath.Join(root, ".handoffs")
	snap, _, err := service.Load(ctx, opt)
	if err != nil {
		return Outcome{Failed: []string{err.Error()}}
	}
	defer snap.Close()
	args, err := json.Marshal(t.Input)
	if err != nil {
		return Outcome{Failed: []string{"input: " + err.Error()}}
	}
	reply, err := service.New(snap).Invoke(ctx, service.Call{Tool: t.Tool, Args: args, Deterministic: true})
	env, text := seen(reply, err)
	o := Outcome{}
	for _, check := range compiled.Plan.Checks[t.Name] {
		ok, err := check.Test(env)
		switch {
		case err != nil:
			o.Failed = append(o.Failed, err.Error())
		case !ok:
			o.Failed = append(o.Failed, check.Source)
		}
	}
	if len(o.Failed) > 0 {
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

// tree is the directory a test searches: the files it carries, written to a
// temporary directory, or a directory beside the configuration.
func tree(opt service.Options, t config.Test) (dir string, cleanup func(), err error) {
	if len(t.Files) == 0 {
		if t.Root == "" {
			return opt.Work, func() {}, nil
		}
		return filepath.Join(opt.Dir, filepath.FromSlash(t.Root)), func() {}, nil
	}
	dir, err = os.MkdirTemp("", "compactor-test-")
	if err != nil {
		return "", nil, err
	}
	cleanup = func() { _ = os.RemoveAll(dir) }
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
