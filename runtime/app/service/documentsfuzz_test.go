package service

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// shelf is a collection of a world.
type shelf struct {
	name, canary string
	allow        []string
	files        map[string]string
}

// world are collections that share words, sentences and whole documents, and each says
// something that no other does.
type world struct {
	r       *rand.Rand
	shelves []shelf
}

var (
	fuzzNames   = []string{"handbook", "handbooks", "guide", "guild", "notes2", "salaries", "hr", "ops_run", "archive"}
	fuzzClients = []string{"lm-studio", "lm-other", "claude", "reader", "", "LM-Studio"}
	fuzzAllow   = [][]string{{"*"}, {"lm-*"}, {"claude"}, {"reader", "claude"}, {"lm-studio"}, {"nobody"}, {}}
	fuzzShared  = []string{
		"A pool keeps twelve connections open.", "A retry waits twice as long as the one before.", "The backup runs at night and is kept for 30 days.",
		"Set `pool.size` to change how many connections there are.", "When the disk is full, the export stops with `E4711`.", "Reach the team at ops@example.org.",
		"Version 2.4.1 added the quota of the garden.", "Salaries are paid on the last day.",
	}
)

// newWorld draws collections and writes their files.
func newWorld(t *testing.T, r *rand.Rand, work string) *world {
	t.Helper()
	w := &world{r: r}
	names := slices.Clone(fuzzNames)
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for i, name := range names[:3+r.IntN(4)] {
		s := shelf{name: name, canary: fmt.Sprintf("zq%xvw%d", r.Uint32(), i), allow: fuzzAllow[r.IntN(len(fuzzAllow))], files: map[string]string{}}
		for n := range 1 + r.IntN(4) {
			var b strings.Builder
			fmt.Fprintf(&b, "# Manual %d\n\n", n)
			for k := range 3 + r.IntN(6) {
				if r.IntN(3) == 0 {
					fmt.Fprintf(&b, "\n## Part %d\n\n", k)
				}
				said := fuzzShared[r.IntN(len(fuzzShared))]
				if r.IntN(2) == 0 {
					said = strings.TrimSuffix(said, ".") + " by " + s.canary + "."
				}
				b.WriteString(said + "\n")
			}
			s.files[fmt.Sprintf("manual%d.md", n)] = b.String()
		}
		s.files["same.md"] = "# Same\n\nA pool keeps twelve connections open. A retry waits.\n"
		for file, text := range s.files {
			path := filepath.Join(work, name, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		w.shelves = append(w.shelves, s)
	}
	return w
}

// configured is the text of a configuration with some of the collections.
func (w *world) configured(keep func(shelf) bool) string {
	var b strings.Builder
	for _, s := range w.shelves {
		if keep(s) {
			allow, _ := json.Marshal(append([]string{}, s.allow...))
			fmt.Fprintf(&b, "collections: %q: {roots: [%q], allow: %s, chunk: {least: 16, most: 64, overlap: 8}}\n", s.name, s.name, allow)
		}
	}
	if b.Len() == 0 { // the tools are there all the same
		return `collections: unseen: {roots: ["unseen"], allow: []}`
	}
	return b.String()
}

// fuzzCall is what a client asks for.
type fuzzCall struct {
	tool string
	args map[string]any
}

// draw makes a call of any tool over documents, about anything that somebody may have
// heard of: names, ids and addresses of all collections.
func (w *world) draw(ids []string) fuzzCall {
	r := w.r
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	name := w.shelves[r.IntN(len(w.shelves))].name
	about := pick(fuzzShared...) + " " + pick(name, "", "manual", w.shelves[r.IntN(len(w.shelves))].canary)
	id := pick(append([]string{name, name + "/manual0.md", name + "/same.md", name + "/none.md", "0123456789", "../" + name + "/same.md", ""}, ids...)...)
	args := map[string]any{}
	some := func(key string, value any) {
		if r.IntN(3) == 0 {
			args[key] = value
		}
	}
	only := func() map[string]any {
		return map[string]any{"path": pick("**", name+"/**", "*.md", "manual*", "**/same.md")}
	}
	tool := pick("search", "search", "answer_with_citations", "answer_with_citations", "ask", "lookup", "similar", "summarize", "extract_entities")
	switch tool {
	case "search":
		args["query"] = about
		some("explain", true)
	case "answer_with_citations":
		args["question"] = about
		some("style", pick("concise", "technical", "loud"))
		some("debug", true)
	case "ask":
		args["question"] = pick(about, about+" and what is a retry? who pays it?")
		args["sources"] = []string{"docs"} // the roots of code hold the files of all collections
		some("min_confidence", pick("low", "high"))
		some("max_tool_calls", 1+r.IntN(4))
	case "lookup":
		args[pick("id", "uri")] = id
	case "similar":
		args["id"] = id
	default:
		args["ids"] = []string{id, pick(append(ids, id)...)}
		if tool == "summarize" {
			some("focus", about)
		}
	}
	if tool == "search" || tool == "answer_with_citations" {
		some("filters", only())
	}
	if tool == "search" || tool == "answer_with_citations" || tool == "similar" {
		some("collection", pick(name, name[:len(name)-1], name+"s", strings.ToUpper(name), "nothing"))
		some("top_k", 1+r.IntN(50))
	}
	return fuzzCall{tool, args}
}

// TestCollectionsDoNotInterfere draws collections that say much the same, who may search
// them, and calls of every tool. A client is told exactly what it would be told if the
// collections that are not its own did not exist: not a word, a name, a score, an error
// or a guess at a name differs. That holds on a service that others search at the same
// time and keeps what they found, in one session after another, and after a change of who may, without a new index.
func TestCollectionsDoNotInterfere(t *testing.T) {
	rounds, calls := 4, 60
	if testing.Short() {
		rounds = 1
	}
	if os.Getenv("COMPACTOR_LONG") != "" {
		rounds, calls = 60, 300
	}
	for round := range rounds {
		r := rand.New(rand.NewPCG(uint64(round), 17))
		work, state := t.TempDir(), t.TempDir()
		w := newWorld(t, r, work)
		serve := func(text string) *Service {
			snap, diags := loadCollections(t, work, state, text)
			if snap == nil {
				t.Fatal(diags)
			}
			svc := New(snap)
			t.Cleanup(func() { _ = svc.Close() })
			return svc
		}
		all := serve(w.configured(func(shelf) bool { return true }))
		indexAll(t, all.Snapshot())
		ids := w.ids(t, all)
		for change := range 2 {
			if change == 1 { // who may is drawn anew; the index stays
				for i := range w.shelves {
					w.shelves[i].allow = fuzzAllow[r.IntN(len(fuzzAllow))]
				}
				all = serve(w.configured(func(shelf) bool { return true }))
			}
			type pair struct {
				client      string
				alone       *Service
				mine, there *session.Session
			}
			var pairs []pair
			for i, client := range fuzzClients {
				may := func(s shelf) bool {
					return Collection{Collection: all.Snapshot().Plan.Config.Collections[s.name]}.allowsClient(client)
				}
				who := session.Who{ID: fmt.Sprint(change, i), Client: session.Client{Name: client}}
				pairs = append(pairs, pair{client, serve(w.configured(may)), session.New(who), session.New(who)})
			}
			var drawn []fuzzCall
			for range calls {
				p := pairs[r.IntN(len(pairs))]
				c := w.draw(ids)
				if len(drawn) > 0 && r.IntN(3) == 0 { // what somebody asked before, and is kept
					c = drawn[r.IntN(len(drawn))]
				}
				drawn = append(drawn, c)
				raw, _ := json.Marshal(c.args)
				got := said(t, all, p.there, c.tool, raw)
				want := said(t, p.alone, p.mine, c.tool, raw)
				if got != want {
					t.Fatalf("round %d, client %q: %s %s\nsays       %s\nby itself  %s", round, p.client, c.tool, raw, got, want)
				}
				for _, s := range w.shelves {
					if !(Collection{Collection: all.Snapshot().Plan.Config.Collections[s.name]}).allowsClient(p.client) && strings.Contains(got, s.canary) && !strings.Contains(string(raw), s.canary) {
						t.Fatalf("round %d, client %q is told of %s: %s", round, p.client, s.name, got)
					}
				}
			}
			if hits, misses := all.Snapshot().Results.Looks(); hits == 0 || misses == 0 {
				t.Errorf("round %d: %d of %d searches were known", round, hits, hits+misses)
			}
		}
	}
}

// said is what a call gives, also where that is an error.
func said(t *testing.T, svc *Service, sess *session.Session, tool string, args json.RawMessage) string {
	t.Helper()
	reply, err := svc.Call(t.Context(), Call{Tool: tool, Args: args, Caller: gateway.Caller{Session: sess}, Deterministic: true})
	if err != nil {
		return err.Error()
	}
	return string(reply.JSON)
}

// ids are those of all documents and passages, as their owner sees them.
func (w *world) ids(t *testing.T, svc *Service) (out []string) {
	t.Helper()
	for _, text := range fuzzShared {
		raw, _ := json.Marshal(map[string]any{"query": text, "top_k": 50})
		for _, field := range strings.Split(said(t, svc, nil, "search", raw), `"`) {
			if len(field) > 4 && !strings.ContainsAny(field, " :,{}[]") && (strings.Contains(field, "/") || strings.ContainsAny(field, "0123456789")) && !slices.Contains(out, field) {
				out = append(out, field)
			}
		}
	}
	if len(out) < 6 {
		t.Fatalf("only %d ids: %v", len(out), out)
	}
	return out
}
