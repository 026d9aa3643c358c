package bounded_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/config/bounded"
)

func options(dir string) config.Options {
	return config.Options{Defaults: compactor.Defaults, Layers: []config.Layer{{Dir: dir, Display: "shown"}}}
}

// computed is a configuration that a child has to evaluate: see TestPlainFilesNeedNoChild.
const computed = "package compactor\nroles: locator: budget: files: 3 + 4\n"

// TestAChildLoadsWhatThisProcessLoads: same values, same problems, same errors.
func TestAChildLoadsWhatThisProcessLoads(t *testing.T) {
	for name, dir := range map[string]string{
		"good":     directory(t, "package compactor\nroles: locator: budget: files: 7\n", "package compactor\nroots: thoughts: [\"notes\"]\n"),
		"computed": directory(t, computed),
		"mistaken": directory(t, "package compactor\nroles: locator: budgt: files: 7\n"),
		"wrong":    directory(t, "package compactor\nroles: locator: budgt: files: 7\nroles: x: {\n"),
		"empty":    t.TempDir(),
		"none":     "",
		"not one":  filepath.Join(t.TempDir(), "gone"),
		"recorded": "../../../testdata/config",
	} {
		t.Run(name, func(t *testing.T) {
			opt := options(dir)
			opt.Layers[0].Project = name != "computed" // other files are plain, and the user's own would be loaded here
			want, wantList, wantErr := config.Load(t.Context(), opt)
			got, list, err := bounded.Loader{Limits: bounded.Limits{CPU: time.Hour, Wall: time.Hour, Memory: 8 << 30}}.Load(t.Context(), opt)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) || !reflect.DeepEqual(list, wantList) || (got == nil) != (want == nil) {
				t.Fatalf("%v %v %v; want %v %v", got, list, err, wantList, wantErr)
			}
			if got != nil && string(config.Show(got, nil)) != string(config.Show(want, nil)) {
				t.Error("another configuration")
			}
		})
	}
}

// TestPlainFilesNeedNoChild: they are loaded although no child can be started, unless they
// are a project's.
func TestPlainFilesNeedNoChild(t *testing.T) {
	l := bounded.Loader{Self: []string{filepath.Join(t.TempDir(), "gone")}}
	plain := options(directory(t, "package compactor\n\n// short\nroles: locator: budget: files: 7\n"))
	cfg, list, err := l.Load(t.Context(), plain)
	if err != nil || list.HasErrors() || cfg.Roles["locator"].Budget.Files != 7 {
		t.Error(cfg, list, err)
	}
	if _, _, err := l.Load(t.Context(), options(directory(t, computed))); err == nil {
		t.Error("an expression was evaluated without a child")
	}
	plain.Layers[0].Project = true
	if _, _, err := l.Load(t.Context(), plain); err == nil {
		t.Error("a project's file was evaluated without a child")
	}
}

func TestAnEndedContextEndsTheChild(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	begun := filepath.Join(t.TempDir(), "begun")
	ctx := expiring{t.Context(), make(chan struct{})}
	ended := make(chan error, 1)
	go func() {
		l := bounded.Loader{Self: []string{own, "broken", "hangs", begun}, Limits: bounded.Limits{CPU: time.Hour, Wall: time.Hour, Memory: 8 << 30}}
		_, _, err := l.Load(ctx, options(directory(t, computed)))
		ended <- err
	}()
	clocktest.Until(t, "the child runs", func() bool { _, err := os.Stat(begun); return err == nil || len(ended) > 0 })
	close(ctx.done)
	if err := <-ended; !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "shown") {
		t.Error(err)
	}
}

// expiring is a context whose deadline passes when done is closed.
type expiring struct {
	context.Context
	done chan struct{}
}

func (e expiring) Done() <-chan struct{} { return e.done }

func (e expiring) Err() error {
	select {
	case <-e.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// TestAChildThatMisbehaves stands for one that a mistake in the evaluator has taken over.
func TestAChildThatMisbehaves(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"silent", "babble", "endless", "crash", "half", "lies", "hangs"} {
		t.Run(how, func(t *testing.T) {
			limits := bounded.Limits{CPU: time.Minute, Wall: time.Minute, Memory: 1 << 30}
			if how == "endless" || how == "hangs" {
				limits.Wall = time.Second
			}
			l := bounded.Loader{Self: []string{own, "broken", how}, Limits: limits}
			_, list, err := l.Load(t.Context(), options(directory(t, computed)))
			if err == nil && !list.HasErrors() {
				t.Error("it was believed")
			}
			t.Log(list.Err(), err)
		})
	}
}

func broken(how string, args ...string) int {
	switch how {
	case "silent":
	case "babble":
		fmt.Print("hello")
	case "endless":
		for {
			if _, err := os.Stdout.Write(append([]byte("s\x80\x08"), make([]byte, 1024)...)); err != nil {
				return 0
			}
		}
	case "crash":
		panic("the evaluator has fallen over")
	case "half":
		fmt.Print("r\x10abc")
	case "lies":
		fmt.Print("r\x03abc")
	case "hangs":
		for _, sign := range args {
			_ = os.WriteFile(sign, nil, 0o600)
		}
		select {}
	}
	return 0
}

// TestAChildDoesNotOutliveItsParent kills the one that asked.
func TestAChildDoesNotOutliveItsParent(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := directory(t, "package compactor\nimport \"list\"\n_r: list.Range(0, 1000, 1)\nroots: code: [for a in _r for b in _r for c in _r {\"a\"}]\n")
	cmd := exec.Command(own, "parent", dir)
	out, err := cmd.StdoutPipe() // the child's standard error is this too: it ends when both are gone
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil { // the child evaluates
		t.Fatal(err)
	}
	_ = cmd.Process.Kill()
	ended := make(chan error, 1)
	go func() { _, err := out.Read(make([]byte, 1)); ended <- err }()
	select {
	case <-ended:
	case <-time.After(2 * time.Minute):
		t.Error("it has outlived its parent")
	}
	_ = cmd.Wait()
}

// parent starts a child whose standard error is our standard output, and waits.
func parent(dir string) int {
	own, _ := os.Executable()
	child := exec.Command(own, bounded.Command)
	child.Stderr = os.Stdout
	in, err := child.StdinPipe()
	steps, failed := child.StdoutPipe()
	if err != nil || failed != nil || child.Start() != nil {
		return 1
	}
	ask, _ := json.Marshal(map[string]any{"Limits": bounded.Limits{CPU: time.Hour, Wall: time.Hour, Memory: 8 << 30}, "Request": config.Options{Layers: []config.Layer{{Dir: dir}}}})
	fmt.Fprintf(in, "%s\n", ask)
	if _, err := steps.Read(make([]byte, 1)); err != nil {
		return 1
	}
	fmt.Print("x")
	_ = child.Wait()
	return 0
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{"package compactor\n", "package compactor\nroles: locator: budget: files: 3\n", "roles: {", "package compactor\nx: x + 1\n_y: [for a in [1] {a}]"} {
		f.Add(s)
	}
	files, err := filepath.Glob("testdata/bombs/*.cue")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files[:3] {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	limits := tight(f)
	f.Fuzz(func(t *testing.T, text string) {
		cfg, list, err := bounded.Loader{Limits: limits}.Load(t.Context(), options(directory(t, text)))
		if err != nil || cfg == nil {
			t.Fatal(cfg, err)
		}
		for _, d := range list {
			if d.Range.File == "" || d.Message == "" {
				t.Errorf("diagnostic without a place or a message: %+v", d)
			}
			if d.Code == "C011" && d.Severity != diag.Error {
				t.Errorf("%+v", d)
			}
		}
	})
}

// BenchmarkLoad is a small directory: plain, and through a child and all.
func BenchmarkLoad(b *testing.B) {
	for name, text := range map[string]string{"plain": "package compactor\n\nroots: code: [\".\"]\nroles: analyzer: budget: time: \"20s\"\n", "computed": computed} {
		b.Run(name, func(b *testing.B) {
			dir := directory(b, text)
			for b.Loop() {
				if _, list, err := bounded.Load(context.Background(), options(dir)); err != nil || list.HasErrors() {
					b.Fatal(err, list.Err())
				}
			}
		})
	}
}
