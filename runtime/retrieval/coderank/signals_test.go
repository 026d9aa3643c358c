package coderank_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// search ranks a small tree. Files are fed in the order of a shuffle to
// several collectors, which must make no difference.
func search(question string, tree map[string]string, seed uint64) coderank.Result {
	r := coderank.New(coderank.Parse(question), coderank.Default())
	cols := []*coderank.Collector{r.Collector(), r.Collector(), r.Collector()}
	var names []string
	for name := range tree {
		names = append(names, name)
	}
	slices.Sort(names)
	rng := rand.New(rand.NewPCG(seed, 1))
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for i, name := range names {
		cols[i%len(cols)].Scan(name, []byte(tree[name]))
	}
	for i, name := range r.Candidates(32) {
		cols[i%len(cols)].Read(name, []byte(tree[name]))
	}
	return r.Rank(10)
}

func paths(r coderank.Result) []string {
	var out []string
	for _, h := range r.Hits {
		out = append(out, h.Path)
	}
	return out
}

// TestSignals has one tree for each thing that the ranking goes by.
func TestSignals(t *testing.T) {
	filler := map[string]string{}
	for _, n := range []string{"a", "b", "c", "d", "e", "f"} {
		filler["lib/"+n+".go"] = "package lib\n\nfunc " + strings.ToUpper(n) + "() { other(); things() }\n"
	}
	for _, c := range []struct {
		name, question string
		tree           map[string]string
		first          string
		line           int // of the first place; 0 is not looked at
	}{
		{"a definition outranks mentions", "where is NewPool defined?", map[string]string{
			"use.go":  "package a\n\nfunc x() { NewPool(); NewPool(); NewPool() }\n",
			"pool.go": "package a\n\n// NewPool builds.\nfunc NewPool() {}\n"}, "pool.go", 4},
		{"a function is the place, not the constant it uses", "flush the write buffer", map[string]string{
			"store.go": "package a\n\nconst writeBufferFlushed = 9\n\nfunc (s *Store) toDisk() {\n\tif writeBuffer.full() {\n\t\tflush(writeBuffer, disk)\n\t}\n\twriteBuffer.reset()\n}\n"}, "store.go", 5},
		{"a plain word may be the name that is asked for", "where is reuseaddr defined?", map[string]string{
			"set.go":  "package a\n\nfunc setReuseaddr() { reuseaddr(); reuseaddr() }\n",
			"sock.go": "package a\n\nfunc reuseaddr() {}\n"}, "sock.go", 3},
		{"a formatter formats", "how is the answer formatted", map[string]string{
			"text.go":  "package a\n\ntype answerFormatter struct{}\n",
			"other.go": "package a\n\nfunc answer() { answer(); answers() }\n"}, "text.go", 3},
		{"a topic has a file of its own", "recovery middleware", map[string]string{
			"engine.go":   "package a\n\n// Default installs middleware.\nfunc Default() { use(recoveryMiddleware) }\n",
			"recovery.go": "package a\n\n// Recover is a middleware.\nfunc Recover() { recover() }\n\nfunc stack() {}\n\nfunc source() {}\n"}, "recovery.go", 4},
		{"what is to be changed need not be there", "fix recovery middleware", map[string]string{
			"engine.go":   "package a\n\n// Default installs middleware.\nfunc Default() { use(recoveryMiddleware) }\n",
			"recovery.go": "package a\n\n// Recover is a middleware.\nfunc Recover() { recover() }\n\nfunc stack() {}\n\nfunc source() {}\n"}, "engine.go", 0},
		{"declarations only name a topic", "proxy agent selection", map[string]string{
			"types/proxy-agent.d.ts": "export class ProxyAgent { select(proxy: Proxy): Agent }\n\nexport class ProxySelection { proxy: Agent }\n",
			"lib/proxy-agent.js":     "class ProxyAgent {\n  pick (origin) { return this.agents[origin] }\n}\n"}, "lib/proxy-agent.js", 0},
		{"a test is demoted", "how is the queue drained", map[string]string{
			"queue_test.go": "package a\n\nfunc TestDrainQueue() { drain(queue); drain(queue) }\n",
			"queue.go":      "package a\n\nfunc drainQueue() { drain(queue) }\n"}, "queue.go", 3},
		{"unless tests are asked for", "show the tests that drain the queue", map[string]string{
			"queue_test.go": "package a\n\nfunc TestDrainQueue() { drain(queue); drain(queue) }\n",
			"queue.go":      "package a\n\nfunc drainQueue() { drain(queue) }\n"}, "queue_test.go", 0},
		{"a file that is named wins", "panic in store/disk.go:3 when the index is closed", map[string]string{
			"store/index.go": "package store\n\nfunc closeIndex() { index.close(); panic(index) }\n",
			"store/disk.go":  "package store\n\nfunc write() {}\n"}, "store/disk.go", 0},
		{"words of a name count as words", "retry with backoff", map[string]string{
			"net.go":   "package a\n\nfunc retryWithBackoff() {}\n",
			"other.go": "package a\n\nfunc retry() {}\n"}, "net.go", 3},
		{"a definition stands in its package", "lease renewal", map[string]string{
			"lease/clock.go": "package lease\n\n// renewal of what is held\nfunc tick() { renewal() }\n",
			"jobs/clock.go":  "package jobs\n\n// renewal of what is held\nfunc tick() { renewal(); renewal() }\n\nfunc lease() {}\n"}, "lease/clock.go", 4},
		{"a message is not what it talks about", "quota exceeded", map[string]string{
			"a/report.go": "package a\n\nfunc report() {\n\tprint(\"quota exceeded, quota\")\n}\n",
			"b/limits.go": "package a\n\nfunc report() {\n\tprint(quota.exceeded, quota)\n}\n"}, "b/limits.go", 3},
		{"the path speaks too", "websocket upgrade", map[string]string{
			"web/websocket.go": "package web\n\nfunc Upgrade() {}\n",
			"web/http.go":      "package web\n\nfunc Upgrade() { upgrade() }\n"}, "web/websocket.go", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := map[string]string{}
			for _, m := range []map[string]string{filler, c.tree} {
				for k, v := range m {
					tree[k] = v
				}
			}
			r := search(c.question, tree, 1)
			if len(r.Hits) == 0 || r.Hits[0].Path != c.first {
				t.Fatalf("first of %q is %v, want %s (%s)", c.question, paths(r), c.first, r.NotFound)
			}
			if c.line > 0 && (len(r.Hits[0].Places) == 0 || r.Hits[0].Places[0].Line != c.line) {
				t.Errorf("place %+v, want line %d", r.Hits[0].Places, c.line)
			}
		})
	}
}

func TestWhatIsNotThereIsNotFound(t *testing.T) {
	tree := map[string]string{"pool.go": "package a\n\nfunc NewPool() {}\n", "main.go": "package a\n\nfunc main() { NewPool() }\n"}
	for _, q := range []string{"where is FrobnicateQuux defined?", "NewPuddle", "zzz", ""} {
		if r := search(q, tree, 1); len(r.Hits) > 0 || r.NotFound == "" {
			t.Errorf("%q: %v", q, paths(r))
		}
	}
}

func TestOrderOfFeedingMakesNoDifference(t *testing.T) {
	tree := map[string]string{}
	for _, n := range strings.Fields("a b c d e f g h i j k l") {
		tree[n+"/pool.go"] = "package " + n + "\n\n// Pool runs tasks.\nfunc Pool() { queue(); pool() }\n"
	}
	want := search("worker pool queue", tree, 1)
	for seed := uint64(2); seed < 8; seed++ {
		if d := cmp.Diff(want, search("worker pool queue", tree, seed)); d != "" {
			t.Fatal(d)
		}
	}
	if !slices.IsSorted(paths(want)) {
		t.Errorf("equal files are not in the order of their paths: %v", paths(want))
	}
}

// FuzzQuery reads any text as a question: nothing panics, and what is counted
// stays bounded.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{"where is NewPool?", "wo wird der Pool gebaut", "プールはどこ", "at org.x.Y.z(Y.java:3)", "File \"a.py\", line 3, in f",
		"`a.b` c::d e/f.go:12", strings.Repeat("x ", 9000), "\xff\xfe", "```go\nfunc a() {}\n```"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := coderank.Parse(s)
		if len(q.Terms) > 400 || len(q.Idents) > 100 || len(q.Named) > 100 {
			t.Errorf("%d terms, %d names, %d files", len(q.Terms), len(q.Idents), len(q.Named))
		}
		search(s, map[string]string{"a.go": "package a\n\nfunc A() {}\n", "b.md": "# " + s}, 1)
	})
}
