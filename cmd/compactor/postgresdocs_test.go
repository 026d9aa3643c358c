package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// A collection that one process has indexed on a server is searched by another, of another state directory. The commands
// say where it is and never the password; it goes with delete, and with store.collections it stays in files.
func TestDocsOnOneServer(t *testing.T) {
	skipShort(t)
	t.Parallel()
	server := storetest.New(t)
	docs := t.TempDir()
	for name, text := range map[string]string{"guide/pools.md": "# Pools\n\nA pool keeps twelve connections open.\n", "guide/retries.md": "# Retries\n\nA retry waits twice as long.\n",
		"plans/secret.md": "# Plans\n\nThe kestrel is launched in May, with a pool.\n"} {
		path := filepath.Join(docs, name)
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	at := fmt.Sprintf("store: {url: \"postgres://%s:${PG_PASSWORD}@127.0.0.1:%d/%s?sslmode=disable\"", storetest.User, server.Port, storetest.Database)
	guide, plans := fmt.Sprintf("collections: guide: roots: [%q]\n", filepath.Join(docs, "guide")), fmt.Sprintf("collections: plans: roots: [%q]\n", filepath.Join(docs, "plans"))
	type machine struct{ dir, binary string }
	with := func(cue string) (m machine) {
		m.dir, m.binary = frontDir(t, cue)
		return m
	}
	run := func(m machine, args ...string) (string, error) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), m.binary, args...)
		var out, said bytes.Buffer
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = m.dir, append(append(os.Environ(), frontEnv(m.dir)...), "PG_PASSWORD="+storetest.Password), &out, &said
		err := cmd.Run()
		all := out.String() + said.String()
		if strings.Contains(all, storetest.Password) || strings.Contains(all, "pa%3Ass") {
			t.Errorf("%v shows the password: %s", args, all)
		}
		if err != nil {
			return all, err
		}
		return out.String(), nil
	}
	says := func(m machine, want string, args ...string) {
		t.Helper()
		if out, err := run(m, args...); err != nil || !strings.Contains(out, want) {
			t.Errorf("%v: %v, want %q in\n%s", args, err, want, out)
		}
	}
	a, b, c := with(at+"}\n"+guide+plans), with(at+"}\n"+guide), with(at+", collections: \"files\"}\n"+guide)
	if out, err := run(b, "docs", "search", "pool"); err == nil || !strings.Contains(out, "run: compactor index --collection guide") {
		t.Errorf("before anything is indexed: %v %s", err, out)
	}
	says(a, "2 documents in 2 passages", "index")
	says(b, "guide/pools.md", "docs", "search", "connections of a pool")
	says(b, "twelve connections", "docs", "lookup", "pools.md")
	out, err := run(b, "docs", "search", "kestrel pool", "--format", "json")
	if err != nil || strings.Contains(strings.ToLower(out), "plans/") || !strings.Contains(out, "guide/pools.md") {
		t.Errorf("a collection that is not configured is searched: %v %s", err, out)
	}
	says(b, "guide: 2 documents in 2 passages", "index", "status")
	var status struct {
		Collections []struct {
			Collection, Path string
			Documents        int
		}
	}
	if out, err = run(a, "index", "status", "--format", "json"); err != nil || json.Unmarshal([]byte(out), &status) != nil || len(status.Collections) != 2 ||
		!strings.HasPrefix(status.Collections[0].Path, fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s#guide-", storetest.User, server.Port, storetest.Database)) {
		t.Errorf("status: %v %s", err, out)
	}
	says(b, "ok    collection guide: 2 documents", "doctor")
	if left, _ := filepath.Glob(filepath.Join(a.dir, "compactor", "*-docs-*")); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
	// What changes on one machine is found on the other.
	if err := os.WriteFile(filepath.Join(docs, "guide", "new.md"), []byte("# Albatross\n\nAn albatross flies far.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	says(b, "1 new, 0 changed", "index", "--collection", "guide")
	says(a, "guide/new.md", "docs", "search", "albatross")
	// In files it is a collection of its own.
	says(c, "3 documents", "index")
	says(a, "deleted the index of guide", "index", "delete", "--collection", "guide")
	says(c, "guide/new.md", "docs", "search", "albatross")
	if out, err := run(b, "docs", "search", "albatross"); err == nil || !strings.Contains(out, "not indexed yet") {
		t.Errorf("after delete: %v %s", err, out)
	}
	says(a, "plans/secret.md", "docs", "search", "kestrel")
	server.Stop()
	if out, err := run(a, "docs", "search", "kestrel"); err == nil || !strings.Contains(out, "does not answer") || !strings.Contains(out, "start it") {
		t.Errorf("without the server: %v %s", err, out)
	}
}
