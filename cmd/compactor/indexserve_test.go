package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/docs"
	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/compactor-mcp/compactor/runtime/app/api/apitest"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// writeDocs writes documents by their path below a directory.
func writeDocs(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// collection asks how one is.
func (s *apiServer) collection(name string) (c api.CollectionDetail) {
	s.t.Helper()
	s.Ask("GET", "/collections/"+name, nil).JSON(s.t, &c)
	return c
}

// finds reports whether a search over HTTP brings a document.
func (s *apiServer) finds(query, uri string) bool {
	s.t.Helper()
	body, _ := json.Marshal(map[string]any{"query": query})
	got := s.Ask("POST", "/tools/search", body, "Content-Type", "application/json")
	var hits docs.Hits
	if got.Status == 200 {
		got.JSON(s.t, &hits)
	}
	for _, h := range hits.Hits {
		if h.URI == uri {
			return true
		}
	}
	return false
}

// A program has a collection indexed over HTTP: the run goes on when its connection is
// closed, another is refused meanwhile, and the index is in memory before anybody searches.
func TestIndexOverHTTP(t *testing.T) {
	t.Parallel()
	dir, _ := frontDir(t, `collections: guide: {roots: ["handbook"], description: "pools and taps"}`)
	writeDocs(t, filepath.Join(dir, "handbook"), map[string]string{"pools.md": "# Pools\n\nA pool keeps twelve connections open.\n", "empty.pdf": "no document"})
	s := serveAPIAt(t, dir, dir, apiToken)
	if c := s.collection("guide"); c.Index != "none" || c.Run != nil || c.Description != "pools and taps" {
		t.Errorf("before the first: %+v", c)
	}
	if got := s.Ask("POST", "/collections/giude/index", nil); got.Status != 404 || !strings.Contains(string(got.Body), "did you mean guide?") {
		t.Errorf("an unknown one: %d %s", got.Status, got.Body)
	}
	if got := s.Ask("POST", "/collections/guide/index?again=both", nil); got.Status != 400 {
		t.Errorf("an unknown word: %d %s", got.Status, got.Body)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST /collections/guide/index HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: 0\r\n\r\n", strings.TrimPrefix(s.base, "http://"), apiToken)
	clocktest.Until(t, "the run begins", func() bool { return s.collection("guide").Run != nil })
	_ = conn.Close()
	clocktest.Until(t, "the run ends", func() bool { c := s.collection("guide"); return c.Run.State == "done" })
	c := s.collection("guide")
	if c.Documents != 1 || c.Failed != 1 || c.Run.Added != 1 || c.Run.Failed != 1 || len(c.Problems) != 1 || c.Problems[0].URI != "guide/empty.pdf" || c.Version == "" || len(c.Jobs) == 0 {
		t.Errorf("%+v", c)
	}
	clocktest.Until(t, "the index is in memory", func() bool { return s.collection("guide").Index == "warm" })
	if !s.finds("twelve connections", "guide/pools.md") {
		t.Error("it is not found")
	}
	got := s.Ask("POST", "/collections/guide/index?again=failed", nil)
	var begun api.Indexing
	got.JSON(t, &begun)
	if got.Status != 202 || begun.Collection != "guide" || begun.Run == c.Run.ID {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	clocktest.Until(t, "it was tried again", func() bool { p := s.collection("guide").Problems; return len(p) == 1 && p[0].Attempts == 2 })
	clocktest.Until(t, "the runs are counted", func() bool {
		return strings.Contains(string(s.Ask("GET", "/metrics", nil).Body), `compactor_index_runs_total{collection="guide",outcome="ok"} 2`)
	})

	open := serveAPIAt(t, dir, dir, "")
	if got := open.Ask("POST", "/collections/guide/index", nil); got.Status != 403 {
		t.Errorf("without a token: %d %s", got.Status, got.Body)
	}
}

// A run outlives the process that was asked for it, however that ends.
func TestIndexGoesOnAfterAKill(t *testing.T) {
	t.Parallel()
	// The run is under way for as long as nobody makes its vectors.
	hold := make(chan struct{})
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Input []string }
		_ = json.NewDecoder(r.Body).Decode(&asked)
		select {
		case <-hold:
		case <-r.Context().Done():
			return
		}
		var data []string
		for i := range asked.Input {
			data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[1,0]}`, i))
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"object":"list","model":"near","data":[%s],"usage":{"prompt_tokens":1,"total_tokens":1}}`, strings.Join(data, ","))
	}))
	defer model.Close()
	dir, binary := frontDir(t, `models: near: {provider: "openai", url: "`+model.URL+`/v1", model: "near"}
collections: guide: {roots: ["handbook"], embeddings: model: "near"}`)
	const n = 20
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("%d.txt", i)] = fmt.Sprintf("The part number %d turns where wheel %x is set.\n", i, i*i)
	}
	writeDocs(t, filepath.Join(dir, "handbook"), files)
	s := serveAPIAt(t, dir, dir, apiToken)
	got := s.Ask("POST", "/collections/guide/index", nil)
	var begun api.Indexing
	got.JSON(t, &begun)
	if got.Status != 202 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if again := s.Ask("POST", "/collections/guide/index", nil); again.Status != 409 || !strings.Contains(string(again.Body), "INDEX_RUNNING") {
		t.Errorf("a second run: %d %s", again.Status, again.Body)
	}
	clocktest.Until(t, "it reads", func() bool { c := s.collection("guide"); return c.Progress != nil && c.Progress.Total > 0 })
	status := exec.Command(binary, "index", "status")
	status.Dir, status.Env = dir, append(os.Environ(), frontEnv(dir)...)
	said, _ := status.CombinedOutput()
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	if text := string(said); !strings.Contains(text, fmt.Sprintf("being indexed by process %d", s.cmd.Process.Pid)+": ") || !strings.Contains(text, "jobs: ") {
		t.Errorf("status of what runs: %s", text)
	}
	close(hold)
	s = serveAPIAt(t, dir, dir, apiToken)
	clocktest.Until(t, "the run goes on", func() bool { r := s.collection("guide").Run; return r != nil && r.State == "done" })
	if c := s.collection("guide"); c.Run.ID != begun.Run || c.Documents != n {
		t.Errorf("run %s of %s: %d documents in %d passages", c.Run.ID, begun.Run, c.Documents, c.Passages)
	}
}

// A server follows the files of a collection: what changes is found, what is deleted is
// not. A second one stands by, says so once, and takes over.
func TestServeFollowsDocuments(t *testing.T) {
	t.Parallel()
	dir, _ := frontDir(t, `collections: guide: {roots: ["handbook"], watch: true}`)
	handbook := filepath.Join(dir, "handbook")
	writeDocs(t, handbook, map[string]string{"pools.md": "# Pools\n\nA pool keeps twelve connections open.\n"})
	s := serveAPIAt(t, dir, dir, "")
	clocktest.Until(t, "it is indexed at the start", func() bool { return s.finds("twelve connections", "guide/pools.md") })
	other := startAPI(t, dir, dir, "")
	other.Client = apitest.New(t, other.base, "")
	writeDocs(t, handbook, map[string]string{"pools.md": "# Pools\n\nNow a basin is drained at dusk.\n", "taps.md": "# Taps\n\nThe tap drips.\n"})
	clocktest.Until(t, "a new file is found", func() bool { return s.finds("tap drips", "guide/taps.md") })
	clocktest.Until(t, "a change is found", func() bool { return s.finds("basin drained at dusk", "guide/pools.md") })
	if err := os.Remove(filepath.Join(handbook, "taps.md")); err != nil {
		t.Fatal(err)
	}
	clocktest.Until(t, "what is deleted is gone", func() bool { return !s.finds("tap drips", "guide/taps.md") })
	if c := s.collection("guide"); !c.Watched || c.Run != nil {
		t.Errorf("%+v", c)
	}
	said := func() string { text, _ := os.ReadFile(filepath.Join(dir, "log")); return string(text) }
	clocktest.Until(t, "the second one says that it stands by", func() bool { return strings.Contains(said(), "another process follows the collection") })
	if n := strings.Count(said(), "another process follows the collection"); n != 1 {
		t.Errorf("it says so %d times:\n%s", n, said())
	}
	if !other.finds("basin drained at dusk", "guide/pools.md") {
		t.Error("the second one does not see what the first has indexed")
	}
}

// A pull that puts a link in the place of a project's watched directory reaches nothing
// beyond the project: its configuration is judged once more before anything is read.
func TestServeFollowsNoLinkOutOfAProject(t *testing.T) {
	skipShort(t)
	t.Parallel()
	binary, err := exec.LookPath("compactor")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	home, project := filepath.Join(dir, "home"), filepath.Join(dir, "project")
	writeDocs(t, dir, map[string]string{
		"home/README":              "",
		"project/.compactor/c.cue": "package compactor\ncollections: manual: {roots: [\"docs\"], watch: true}\n",
		"project/docs/crank.md":    "# Crank\n\nThe crank turns the widget.\n",
		"private/diary.md":         "# Diary\n\nThe treasure lies under the oak.\n",
	})
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(binary, args...)
		cmd.Dir = project
		cmd.Env = append(os.Environ(), "COMPACTOR_CONFIG=", "HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home, "XDG_CACHE_HOME="+home)
		return cmd
	}
	log := filepath.Join(dir, "log")
	serve := command("serve", "--transport", "http", "--listen", "127.0.0.1:0", "--log", log)
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = serve.Process.Kill(); _ = serve.Wait() })
	said := func(text string) bool { all, _ := os.ReadFile(log); return strings.Contains(string(all), text) }
	clocktest.Until(t, "it is indexed", func() bool { return said("collection indexed") })
	docs := filepath.Join(project, "docs")
	if err := os.Rename(docs, docs+".was"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "private"), docs); err != nil {
		t.Skip("links cannot be made here: ", err)
	}
	clocktest.Until(t, "the link is not followed", func() bool { return said("leads elsewhere") })
	clocktest.Until(t, "the configuration is judged again", func() bool { return said("configuration reloaded") || said("configuration not reloaded") })
	if found, _ := command("docs", "search", "treasure under the oak").CombinedOutput(); strings.Contains(string(found), "treasure lies") {
		t.Errorf("a private file is found:\n%s", found)
	}
}
