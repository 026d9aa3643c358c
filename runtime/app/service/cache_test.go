package service_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// cached starts a service that keeps what it can, over a tree of a few packages.
func cached(t *testing.T) (*service.Service, service.Options) {
	t.Helper()
	opt := options(t, map[string]string{"a.cue": "package compactor\n\ncache: memory: \"64MiB\"\n"})
	opt.Cache = true
	for i := range 30 {
		put(t, opt.Work, fmt.Sprintf("pkg%d/file.go", i), fmt.Sprintf("package pkg%d\n\n// Widget%d turns the lever of a pump.\nfunc Widget%d(lever int) int { return pool.NewPool(lever) }\n", i, i, i))
	}
	svc := start(t, opt)
	settle(t, svc)
	return svc, opt
}

// settle waits until the sandbox takes every file for settled: what changed just now
// is not kept, since the next change may bear the same time.
func settle(t *testing.T, svc *service.Service) {
	t.Helper()
	root := svc.Snapshot().Roots.Roots()[0]
	clocktest.Until(t, "all files have settled", func() bool {
		files, _, err := root.Files(t.Context(), ".")
		must(t, err)
		return !slices.ContainsFunc(files, func(f sandbox.Entry) bool {
			_, version, err := root.ReadVersion(t.Context(), f.Path, nil)
			return err == nil && version.IsZero()
		})
	})
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

var cacheQuestions = []string{"where is NewPool?", "how is the lever of the pump turned?", "Widget7", "how is the queue bounded", "pump and valve", "who calls NewPool in tests"}

// same asks a question with and without the cache and compares the bytes.
func same(t *testing.T, svc *service.Service, question string) string {
	t.Helper()
	args, err := json.Marshal(map[string]any{"question": question})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(no bool) string {
		r, err := svc.Invoke(t.Context(), service.Call{Tool: "research_codebase", Args: args, Deterministic: true, NoCache: no})
		if err != nil {
			t.Fatal(err)
		}
		return string(r.JSON)
	}
	with, without := ask(false), ask(true)
	if with != without {
		t.Errorf("%s\nwith    %s\nwithout %s", question, with, without)
	}
	return with
}

func TestCacheSparesReading(t *testing.T) {
	svc, _ := cached(t)
	same(t, svc, cacheQuestions[0])
	before := svc.Snapshot().Cache.Stats()
	same(t, svc, cacheQuestions[1])
	after := svc.Snapshot().Cache.Stats()
	if before.Entries < 30 || after.Hits-before.Hits < 30 || after.Misses-before.Misses > 15 {
		t.Errorf("a second question: %+v, then %+v", before, after)
	}
}

// TestNothingStaleIsServed changes files between questions in ways that leave as few
// traces as possible, each another one.
func TestNothingStaleIsServed(t *testing.T) {
	// valve is another content of the same size.
	valve := func(t *testing.T, path string) []byte {
		text, err := os.ReadFile(path)
		must(t, err)
		return []byte(strings.NewReplacer("lever", "valve", "Widget", "Gadget").Replace(string(text)))
	}
	timeOf := func(t *testing.T, path string) time.Time {
		info, err := os.Stat(path)
		must(t, err)
		return info.ModTime()
	}
	changes := []struct {
		name   string
		change func(t *testing.T, path, other string)
	}{
		{"gone", func(t *testing.T, path, _ string) { must(t, os.Remove(path)) }},
		{"renamed", func(t *testing.T, path, _ string) { must(t, os.Rename(path, path+".go")) }},
		{"changed, same size, time restored", func(t *testing.T, path, _ string) {
			at := timeOf(t, path)
			must(t, os.WriteFile(path, valve(t, path), 0o644))
			must(t, os.Chtimes(path, at, at))
		}},
		{"another renamed over it, same size and time", func(t *testing.T, path, _ string) {
			at := timeOf(t, path)
			must(t, os.WriteFile(path+"~", valve(t, path), 0o644))
			must(t, os.Chtimes(path+"~", at, at))
			must(t, os.Rename(path+"~", path))
		}},
		{"two swapped", func(t *testing.T, path, other string) {
			must(t, os.Rename(path, path+"~"))
			must(t, os.Rename(other, path))
			must(t, os.Rename(path+"~", other))
		}},
		{"ignored", func(t *testing.T, path, _ string) {
			must(t, os.WriteFile(filepath.Join(filepath.Dir(path), ".gitignore"), []byte("file.go\n"), 0o644))
		}},
		{"denied by name", func(t *testing.T, path, _ string) {
			must(t, os.Rename(path, filepath.Join(filepath.Dir(path), ".env")))
		}},
		{"denied by place", func(t *testing.T, path, _ string) {
			must(t, os.Rename(filepath.Dir(path), filepath.Join(filepath.Dir(filepath.Dir(path)), ".ssh")))
		}},
		{"turned into a link", func(t *testing.T, path, _ string) { must(t, os.Rename(path, path+"~")); link(t, path+"~", path) }},
		{"turned binary", func(t *testing.T, path, _ string) {
			text, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path, append([]byte("\x00"), text...), 0o644))
		}},
		{"grown too large", func(t *testing.T, path, _ string) {
			text, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path, append(text, strings.Repeat("x ", 3<<20)...), 0o644))
		}},
		{"unreadable", func(t *testing.T, path, _ string) { must(t, os.Chmod(path, 0)) }},
		{"emptied", func(t *testing.T, path, _ string) { must(t, os.Truncate(path, 0)) }},
	}
	svc, opt := cached(t)
	for _, q := range cacheQuestions {
		same(t, svc, q)
	}
	pkg := func(n int) string { return filepath.Join(opt.Work, fmt.Sprintf("pkg%d", n), "file.go") }
	for i, c := range changes {
		t.Run(c.name, func(t *testing.T) {
			widget := fmt.Sprintf("Widget%d", 2*i)
			old := same(t, svc, widget)
			c.change(t, pkg(2*i), pkg(2*i+1))
			for _, q := range cacheQuestions[:2] { // before the change has settled
				same(t, svc, q)
			}
			if same(t, svc, widget) == old && c.name != "unreadable" { // root reads everything
				t.Error("the change does not show")
			}
		})
	}
	settle(t, svc)
	for _, q := range cacheQuestions {
		same(t, svc, q)
	}
	for i := range changes {
		same(t, svc, fmt.Sprintf("Widget%d", 2*i))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(filepath.Base(target), name); err != nil {
		t.Skip(err)
	}
}

// TestAHundredQuestionsOverAChangingTree asks while files come, change and go,
// also within the clock's granularity.
func TestAHundredQuestionsOverAChangingTree(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	svc, opt := cached(t)
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"lever", "valve", "pump", "NewPool", "sourceMap", "queue", "bounded", "Widget7"}
	for i := range 100 {
		name := fmt.Sprintf("pkg%d/file.go", r.IntN(40))
		path := filepath.Join(opt.Work, filepath.FromSlash(name))
		switch r.IntN(6) {
		case 0, 1:
			put(t, opt.Work, name, fmt.Sprintf("package p\n\n// %s %s\nfunc %s%d() {}\n", words[r.IntN(8)], words[r.IntN(8)], words[r.IntN(8)], r.IntN(10)))
		case 2:
			_ = os.Remove(path)
		case 3:
			_ = os.Rename(path, filepath.Join(opt.Work, fmt.Sprintf("moved%d.go", r.IntN(5))))
		}
		same(t, svc, fmt.Sprintf("where is %s %s?", words[r.IntN(8)], words[r.IntN(8)]))
		if t.Failed() {
			t.Fatalf("after %d questions", i+1)
		}
		if i%25 == 24 { // what has settled is kept from the next question on
			settle(t, svc)
			same(t, svc, "where is NewPool?")
			before := svc.Snapshot().Cache.Stats()
			same(t, svc, "where is the lever?")
			if after := svc.Snapshot().Cache.Stats(); after.Hits-before.Hits < 15 {
				t.Errorf("after %d questions the cache is hardly used: %+v, then %+v", i+1, before, after)
			}
		}
	}
}

func TestQuestionsAtOnceShareTheCache(t *testing.T) {
	svc, _ := cached(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, q := range cacheQuestions {
				same(t, svc, q)
			}
		})
	}
	wg.Wait()
}

func TestCacheIsOffUnlessAsked(t *testing.T) {
	opt := options(t, nil)
	opt.Cache = true
	if c := start(t, opt).Snapshot().Cache; c != nil {
		t.Error("kept without being configured")
	}
	opt = options(t, map[string]string{"a.cue": "package compactor\n\ncache: memory: \"1MiB\"\n"})
	if c := start(t, opt).Snapshot().Cache; c != nil {
		t.Error("a process that answers once keeps something")
	}
}

func TestReloadDropsWhatMayNoLongerBeRead(t *testing.T) {
	svc, opt := cached(t)
	same(t, svc, "Widget7")
	first := svc.Snapshot().Cache
	for _, step := range []struct {
		text string
		kept bool
	}{
		{"cache: memory: \"64MiB\"\npool: workers: 2\n", true}, {"cache: memory: \"64MiB\"\nsandbox: deny: [\"pkg7/\"]\n", false},
		{"cache: memory: \"32MiB\"\nsandbox: deny: [\"pkg7/\"]\n", false}, {"", false},
	} {
		write(t, opt.Dir, "package compactor\n\n"+step.text)
		if list, err := svc.Reload(t.Context(), opt); err != nil || list.HasErrors() {
			t.Fatal(err, list.Err())
		}
		now := svc.Snapshot().Cache
		if (now == first) != step.kept {
			t.Errorf("%q: kept %t", step.text, now == first)
		}
		if first = now; step.text != "" && strings.Contains(same(t, svc, "Widget7"), "pkg7/file") != step.kept {
			t.Errorf("%q: a denied file is shown, or an allowed one is not", step.text)
		}
	}
	if first != nil {
		t.Error("the cache stays when it is no longer configured")
	}
}

// The switch wins over an amount.
func TestTheCacheCanBeSwitchedOff(t *testing.T) {
	for text, want := range map[string]bool{`cache: memory: "8MiB"`: true, `cache: {memory: "8MiB", enabled: false}`: false} {
		opt := options(t, map[string]string{"a.cue": "package compactor\n" + text})
		opt.Cache = true
		if svc := start(t, opt); (svc.Snapshot().Cache != nil) != want {
			t.Errorf("%s: %v", text, svc.Snapshot().Cache)
		}
	}
}
