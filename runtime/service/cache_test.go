package service_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/service"
)

// rest is longer than the clock's granularity that the sandbox waits for before
// it takes a file for settled.
const rest = 150 * time.Millisecond

// cached starts a service that keeps what it can, over a tree of a few packages.
func cached(t *testing.T) (*service.Service, service.Options) {
	t.Helper()
	opt := options(t, map[string]string{"a.cue": "package compactor\n\ncache: memory: \"64MiB\"\n"})
	opt.Cache = true
	for i := range 30 {
		put(t, opt.Work, fmt.Sprintf("pkg%d/file.go", i), fmt.Sprintf("package pkg%d\n\n// Widget%d turns the lever of a pump.\nfunc Widget%d(lever int) int { return pool.NewPool(lever) }\n", i, i, i))
	}
	time.Sleep(rest)
	return start(t, opt), opt
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

// TestNothingStaleIsServed changes a tree between two questions in ways that
// leave as few traces as possible.
func TestNothingStaleIsServed(t *testing.T) {
	const file = "pkg7/file.go"
	valve := strings.NewReplacer("lever", "valve", "Widget7", "Gadget7") // the same size
	for name, change := range map[string]func(t *testing.T, path string){
		"gone":    func(t *testing.T, path string) { must(t, os.Remove(path)) },
		"renamed": func(t *testing.T, path string) { must(t, os.Rename(path, path+".go")) },
		"changed, same size, time restored": func(t *testing.T, path string) {
			info, err := os.Stat(path)
			must(t, err)
			text, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path, []byte(valve.Replace(string(text))), 0o644))
			must(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
		},
		"another renamed over it, same size and time": func(t *testing.T, path string) {
			info, err := os.Stat(path)
			must(t, err)
			text, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path+"~", []byte(valve.Replace(string(text))), 0o644))
			must(t, os.Chtimes(path+"~", info.ModTime(), info.ModTime()))
			must(t, os.Rename(path+"~", path))
		},
		"two swapped": func(t *testing.T, path string) {
			other := strings.Replace(path, "pkg7", "pkg8", 1)
			must(t, os.Rename(path, path+"~"))
			must(t, os.Rename(other, path))
			must(t, os.Rename(path+"~", other))
		},
		"ignored": func(t *testing.T, path string) {
			must(t, os.WriteFile(filepath.Join(filepath.Dir(path), ".gitignore"), []byte("file.go\n"), 0o644))
		},
		"denied by name": func(t *testing.T, path string) { must(t, os.Rename(path, filepath.Join(filepath.Dir(path), ".env"))) },
		"denied by place": func(t *testing.T, path string) {
			must(t, os.Rename(filepath.Dir(path), filepath.Join(filepath.Dir(filepath.Dir(path)), ".ssh")))
		},
		"turned into a link": func(t *testing.T, path string) { must(t, os.Rename(path, path+"~")); link(t, path+"~", path) },
		"turned binary": func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte("package pkg7\x00\nfunc Widget7() {}\n"), 0o644))
		},
		"grown too large": func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte("func Widget7() {}\n"+strings.Repeat("x ", 3<<20)), 0o644))
		},
		"unreadable": func(t *testing.T, path string) { must(t, os.Chmod(path, 0)) },
		"emptied":    func(t *testing.T, path string) { must(t, os.Truncate(path, 0)) },
	} {
		t.Run(name, func(t *testing.T) {
			svc, opt := cached(t)
			path := filepath.Join(opt.Work, filepath.FromSlash(file))
			for _, q := range cacheQuestions {
				same(t, svc, q)
			}
			old := same(t, svc, "Widget7")
			change(t, path)
			for _, q := range cacheQuestions { // at once, and when the change has settled
				same(t, svc, q)
			}
			time.Sleep(rest)
			for _, q := range cacheQuestions {
				same(t, svc, q)
			}
			if name != "unreadable" && same(t, svc, "Widget7") == old { // root reads everything
				t.Error("the change does not show")
			}
		})
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

// TestTwoHundredQuestionsOverAChangingTree asks while files come, change and go,
// also within the clock's granularity.
func TestTwoHundredQuestionsOverAChangingTree(t *testing.T) {
	svc, opt := cached(t)
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"lever", "valve", "pump", "NewPool", "sourceMap", "queue", "bounded", "Widget7"}
	for i := range 200 {
		name := fmt.Sprintf("pkg%d/file.go", r.IntN(40))
		path := filepath.Join(opt.Work, filepath.FromSlash(name))
		switch r.IntN(6) {
		case 0, 1:
			put(t, opt.Work, name, fmt.Sprintf("package p\n\n// %s %s\nfunc %s%d() {}\n", words[r.IntN(8)], words[r.IntN(8)], words[r.IntN(8)], r.IntN(10)))
		case 2:
			_ = os.Remove(path)
		case 3:
			_ = os.Rename(path, filepath.Join(opt.Work, fmt.Sprintf("moved%d.go", r.IntN(5))))
		case 4:
			if i%20 == 0 {
				time.Sleep(rest)
			}
		}
		same(t, svc, fmt.Sprintf("where is %s %s?", words[r.IntN(8)], words[r.IntN(8)]))
		if t.Failed() {
			t.Fatalf("after %d questions", i+1)
		}
	}
	if s := svc.Snapshot().Cache.Stats(); s.Hits < 1000 {
		t.Errorf("the cache was hardly used: %+v", s)
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
