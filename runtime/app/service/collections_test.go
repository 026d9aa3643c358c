package service

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/builtins/docs"
	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extractor"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/world/store"
	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// loadCollections loads a configuration over a working directory and a state.
func loadCollections(t *testing.T, work, state, text string) (*Snapshot, diag.List) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.cue"), []byte("package compactor\n"+text), 0o644); err != nil {
		t.Fatal(err)
	}
	snap, diags, err := Load(t.Context(), Options{Defaults: compactor.Defaults, Place: consent.Place{Dir: dir}, Work: work, State: state, Builtins: builtins.All, NoModel: true, Cache: true, Several: true})
	if err != nil {
		t.Fatal(err)
	}
	if snap != nil {
		t.Cleanup(func() { _ = snap.Close() })
	}
	return snap, diags
}

func TestCollectionMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	for text, want := range map[string]string{
		`collections: a: roots: []`:                                                     "collections.a.roots: it has no directory",
		`collections: a: {roots: ["docs"], include: ["a[b"]}`:                           `collections.a.include.0: glob "a[b"`,
		`collections: a: {roots: ["docs"], exclude: ["*.md", ""]}`:                      "collections.a.exclude.1",
		`collections: a: {roots: ["docs"], chunk: {least: 600, most: 500}}`:             "collections.a.chunk.least: passages have at least 600 tokens, and at most 500",
		`collections: a: {roots: ["docs"], chunk: {least: 10, most: 100, overlap: 60}}`: "collections.a.chunk.overlap: an overlap of 60 tokens is more than half of 100",
		`collections: a: {roots: ["docs"], weights: {bm25: 0, lsi: 0, ngram: 0}}`:       "collections.a.weights: no leg counts anything",
		`collections: abc: roots: ["docs"], profiles: p: collections: ["a*", "abd"]`:    `profiles.p.collections.1: there is no collection "abd"`,
		`collections: a: {roots: ["docs"], allow: ["[a"]}`:                              "collections.a.allow.0: client",
		`collections: a: roots: ["coed"]`:                                               `collections.a.roots.0: "coed" is taken for a directory; there is a kind of roots "code"`,
		`collections: a: {roots: ["docs", "thoughts", "code"], include: ["{a,b}/**"]}`:  "",
		`collections: a: roots: ["dcos"]`:                                               `collections.a.roots.0: there is not a directory "dcos"`,
		`collections: a: roots: ["/nowhere/at/all"]`:                                    "collections.a.roots.0: there is not a directory",
		`collections: a: roots: ["./file.md"]`:                                          `collections.a.roots.0: "./file.md" is not a directory`,
		`collections: notes: roots: ["docs"]`:                                           "collections.notes: pins are searched as",
		`collections: a: {roots: ["docs"], embeddings: model: "defualt"}`:               "collections.a.embeddings.model: there is no model defualt",
		`collections: a: {roots: ["docs"], rerank: model: "default"}`:                   "collections.a.rerank.model: model default has provider none",
		`collections: a: {roots: ["docs"], static: path: "none.txt"}`:                   "collections.a.static.path",
	} {
		work := t.TempDir()
		for _, dir := range []string{"docs", "thoughts"} {
			_ = os.Mkdir(filepath.Join(work, dir), 0o755)
		}
		_ = os.WriteFile(filepath.Join(work, "file.md"), nil, 0o644)
		_, diags := loadCollections(t, work, "", text)
		said := ""
		for _, d := range diags {
			said += d.Path + ": " + d.Message + "\n"
			if d.Range.Line != 2 {
				t.Errorf("%s: %s is at line %d", text, d.Message, d.Range.Line)
			}
		}
		if want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q", text, said, want)
		}
	}
}

func TestToolsOfCollectionsAreThereOnlyWithOne(t *testing.T) {
	for text, want := range map[string]int{"": 0, "collections: {}": 0, `collections: a: roots: ["docs"]`: 8} {
		snap, diags := loadCollections(t, t.TempDir(), "", text)
		if snap == nil {
			t.Fatal(text, diags)
		}
		n := 0
		for _, tool := range snap.Plan.Tools {
			if tool.Surface == "collections" {
				n++
				if tool.Hints.ReadOnly != (tool.Name != "pin_highlight") || tool.Hints.OpenWorld || tool.Hints.Destructive {
					t.Errorf("%s: %+v", tool.Name, tool.Hints)
				}
			}
		}
		if n != want {
			t.Errorf("%q: %d tools, want %d", text, n, want)
		}
	}
}

// indexAll indexes the collections of a snapshot.
func indexAll(t *testing.T, snap *Snapshot) {
	t.Helper()
	for _, c := range snap.Collections() {
		shelf, err := store.OpenLibrary(t.Context(), c.File)
		if err != nil {
			t.Fatal(err)
		}
		x, done, err := snap.Indexer(c, shelf)
		if err != nil {
			t.Fatal(err)
		}
		x.Extractors = docs.Extractors(extractor.Limits{})
		if r, err := x.Run(t.Context(), library.Options{}); err != nil || r.Documents == 0 {
			t.Fatal(r, err)
		}
		done()
		shelf.Close()
	}
}

// What a client may not search reaches it on no way: not by search, whatever it asks
// for, not by ids, addresses or the passages that are like one, not by an error, and
// not after a change of who may without a new index.
func TestCollectionsAreKeptApart(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { collectionsAreKeptApart(t, "") })
	t.Run("postgres", func(t *testing.T) { collectionsAreKeptApart(t, storetest.New(t).URL()) })
}

func collectionsAreKeptApart(t *testing.T, store string) {
	work, state := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"open/pools.md":      "# Pools\n\nA pool keeps connections open. Its marker is albatross.\n",
		"open/retries.md":    "# Retries\n\nA retry waits. Its marker is albatross as well.\n",
		"closed/salaries.md": "# Kestrel salaries\n\nThe kestrel pool pays for connections. A kestrel waits.\n",
		"closed/retries.md":  "# Kestrel retries\n\nA kestrel retry waits for connections.\n",
	} {
		path := filepath.Join(work, name)
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	configured := func(allow string) *Service {
		snap, diags := loadCollections(t, work, state, fmt.Sprintf(`store: url: %q
			collections: {open: roots: ["open"], closed: {roots: ["closed"], allow: [%s]}}
			profiles: shut: collections: ["op*"]`, store, allow))
		if snap == nil {
			t.Fatal(diags)
		}
		svc := New(snap)
		t.Cleanup(func() { _ = svc.Close() })
		return svc
	}
	svc := configured(`"lm-*"`)
	indexAll(t, svc.Snapshot())
	ask := func(svc *Service, client, tool string, args any) string {
		raw, _ := json.Marshal(args)
		name, profile, _ := strings.Cut(client, "@")
		who := session.New(session.Who{ID: client, Client: session.Client{Name: name}, Profile: profile})
		reply, err := svc.Call(t.Context(), Call{Tool: tool, Args: raw, Caller: gateway.Caller{Session: who}})
		if err != nil {
			return err.Error()
		}
		return string(reply.JSON)
	}
	// Those who may see all: so there is something to leak.
	all := ask(svc, "LM-Studio", "search", map[string]any{"query": "kestrel retry connections pool", "top_k": 50})
	if !strings.Contains(all, "Kestrel") || !strings.Contains(all, "albatross") {
		t.Fatalf("who may search both finds %s", all)
	}
	var names []string
	for _, m := range regexp.MustCompile(`"(?:id|chunk_id|uri)":"([^"]+)"`).FindAllStringSubmatch(all, -1) {
		names = append(names, m[1])
	}
	kestrel := regexp.MustCompile(`(?i)kestrel|salar|closed/`)
	for _, c := range []struct {
		svc    *Service
		client string
	}{{svc, "other"}, {svc, ""}, {svc, "LM-Studio@shut"}, {configured(`"somebody-else"`), "lm-studio"}, {configured(""), "lm-studio"}} {
		replies := []string{}
		for _, query := range []string{"kestrel", "salaries", "retry connections pool waits", "closed", "kestrl slaries"} {
			for _, more := range []map[string]any{{}, {"collection": "closed"}, {"collection": "clos"}, {"filters": map[string]any{"path": "closed/**"}}, {"filters": map[string]any{"path": "**"}}, {"explain": true}} {
				more["query"], more["top_k"] = query, 50
				replies = append(replies, ask(c.svc, c.client, "search", more))
				delete(more, "query")
				delete(more, "explain")
				more["question"], more["debug"] = "What is the "+query+" of a retry, and what does a pool pay?", true
				replies = append(replies, ask(c.svc, c.client, "answer_with_citations", more))
				reply := ask(c.svc, c.client, "ask", map[string]any{"question": "What is the marker of a pool? " + more["question"].(string), "sources": []string{"docs"}})
				if !strings.Contains(reply, "albatross") {
					t.Errorf("client %q asks, and is told: %s", c.client, reply)
				}
				replies = append(replies, strings.ReplaceAll(reply, "the "+query+" of a retry", "")) // which it repeats
			}
		}
		for _, name := range names {
			replies = append(replies, ask(c.svc, c.client, "similar", map[string]any{"id": name, "top_k": 50}))
			for _, tool := range []string{"summarize", "extract_entities"} {
				replies = append(replies, strings.TrimPrefix(ask(c.svc, c.client, tool, map[string]any{"ids": []string{name}}), fmt.Sprintf("%q", name)))
			}
			for _, key := range []string{"id", "uri"} {
				reply := ask(c.svc, c.client, "lookup", map[string]any{key: name})
				if strings.HasPrefix(reply, fmt.Sprintf("%q", name)) { // an error repeats what was asked
					reply = strings.TrimPrefix(reply, fmt.Sprintf("%q", name))
				}
				replies = append(replies, reply)
			}
		}
		found := 0
		for _, reply := range replies {
			found += strings.Count(reply, "albatross")
			if text := strings.ReplaceAll(reply, `collection \"closed\"`, ""); kestrel.MatchString(withoutEcho(text)) {
				t.Errorf("client %q is told: %s", c.client, reply)
			}
		}
		if found == 0 {
			t.Errorf("client %q finds nothing of what it may search", c.client)
		}
	}
	// The command line is the owner.
	if reply, err := svc.Call(t.Context(), Call{Tool: "search", Args: json.RawMessage(`{"query":"kestrel"}`)}); err != nil || !strings.Contains(string(reply.JSON), "Kestrel") {
		t.Errorf("%v", err)
	}
}

// withoutEcho is an error without what the client wrote itself.
func withoutEcho(text string) string {
	return regexp.MustCompile(`^(collection )?"[^"]*"`).ReplaceAllString(text, "")
}

// Secrets are masked in what leaves, also one that begins in one passage and ends in
// the next, and the index keeps finding what stands around them.
func TestSecretsInDocuments(t *testing.T) {
	work, state := t.TempDir(), t.TempDir()
	key := "-----BEGIN RSA PRIVATE KEY-----\n"
	for n := range 40 {
		key += strings.Repeat(string(rune('A'+n%26)), 8) + "q7Kx9vTz2LmPw4RjYc8BnDf5HgSa1UeXoIi3ZtVbQrN6kJhGyWl\n"
	}
	key += "-----END RSA PRIVATE KEY-----\n"
	token := "ghp_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2"
	if err := os.MkdirAll(filepath.Join(work, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	text := "# Deployment\n\nThe deployment key is this one.\n\n" + key + "\nThe deployment token is " + token + " and nothing else.\n"
	if err := os.WriteFile(filepath.Join(work, "docs", "deploy.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	snap, diags := loadCollections(t, work, state, `collections: guide: {roots: ["docs"], chunk: {least: 20, most: 120, overlap: 10}}`)
	if snap == nil {
		t.Fatal(diags)
	}
	svc := New(snap)
	t.Cleanup(func() { _ = svc.Close() })
	indexAll(t, snap)
	call := func(tool, args string) string {
		reply, err := svc.Call(t.Context(), Call{Tool: tool, Args: json.RawMessage(args)})
		if err != nil {
			return err.Error()
		}
		return string(reply.JSON)
	}
	found := call("search", `{"query":"deployment key token q7Kx9vTz2LmPw4RjYc8BnDf5HgSa1UeXoIi3ZtVbQrN6kJhGyWl","top_k":50}`)
	if !strings.Contains(found, "Deployment") {
		t.Fatalf("nothing is found: %s", found)
	}
	replies := []string{found, call("lookup", `{"id":"guide/deploy.md","size":60000}`), call("lookup", `{"id":"guide/deploy.md","from":300,"size":400}`)}
	for _, m := range regexp.MustCompile(`"chunk_id":"([^"]+)"`).FindAllStringSubmatch(found, -1) {
		replies = append(replies, call("lookup", fmt.Sprintf(`{"id":%q}`, m[1])))
	}
	for _, reply := range replies {
		if strings.Contains(reply, "q7Kx9vTz2LmPw4Rj") || strings.Contains(reply, token) {
			t.Errorf("a secret leaves: %.600s", reply)
		}
	}
}
