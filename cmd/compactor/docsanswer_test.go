package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A client of a running server asks questions of the documents: each quote that it gets
// stands in the file at its bytes. What is in a collection that is not the client's is
// in no reply, no log, and nothing that the server keeps of its sessions.
func TestServedAnswersOfDocuments(t *testing.T) {
	t.Parallel()
	const canary = "kestrelium"
	dir, binary := frontDir(t, `collections: {open: roots: ["open"], closed: {roots: ["closed"], allow: ["somebody-else"]}}`)
	for name, text := range map[string]string{
		"open/pools.md":      "# Pools\n\nA pool keeps twelve connections open. A connection that was idle for 90 seconds is closed.\n",
		"open/retries.md":    "# Retries\n\nA retry waits twice as long as the one before — at most six are made.\n",
		"closed/salaries.md": "# " + canary + "\n\nThe pool of " + canary + " keeps twelve connections open and pays a retry with " + canary + ".\n",
	} {
		path := filepath.Join(dir, name)
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	index := exec.Command(binary, "index")
	index.Dir, index.Env = dir, append(os.Environ(), frontEnv(dir)...)
	if out, err := index.CombinedOutput(); err != nil || !strings.Contains(string(out), "closed: 1 document") {
		t.Fatalf("%v: %s", err, out)
	}
	client, log, end := serveWeb(t, dir, binary)
	var seen strings.Builder
	ask := func(method, params string) string {
		said := client.ask(method, params)
		seen.WriteString(said)
		return said
	}
	ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"reader","version":"1"}}`)
	if list := ask("tools/list", `{}`); !strings.Contains(list, `"answer_with_citations"`) || !strings.Contains(list, `"summarize"`) || !strings.Contains(list, `"extract_entities"`) {
		t.Fatalf("%s", list)
	}
	cited := 0
	for _, question := range []string{"How many connections does a pool keep open?", "When is an idle connection closed?", "How long does a retry wait?", "Who pays the pool with gold?"} {
		said := ask("tools/call", fmt.Sprintf(`{"name":"answer_with_citations","arguments":{"question":%q}}`, question))
		var reply struct {
			Result struct {
				StructuredContent struct {
					Answer    string
					Citations []struct {
						URI, Quote string
						Start, End int
					}
				}
			}
		}
		if err := json.Unmarshal([]byte(said), &reply); err != nil || reply.Result.StructuredContent.Answer == "" {
			t.Fatalf("%v: %s", err, said)
		}
		for _, c := range reply.Result.StructuredContent.Citations {
			text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(c.URI)))
			if err != nil || c.End > len(text) || string(text[c.Start:c.End]) != c.Quote {
				t.Errorf("%+v does not stand in its file: %v", c, err)
			}
			cited++
		}
	}
	if cited < 3 {
		t.Errorf("%d citations: %s", cited, seen.String())
	}
	for _, tool := range []string{"summarize", "extract_entities"} {
		for _, id := range []string{"closed/salaries.md", "closed/nothing.md", "open/pools.md"} {
			said := ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":{"ids":[%q]}}`, tool, id))
			if refused := strings.Contains(said, "there is no such document; ids and addresses are those of a search"); refused != strings.HasPrefix(id, "closed/") {
				t.Errorf("%s of %s: %s", tool, id, said)
			}
		}
	}
	// The same by HTTP, where a caller says no name; and again, of a server that has just
	// told somebody who may.
	run := func(tool, args string) {
		res, err := http.Post(client.at+"/tools/"+tool, "application/json", strings.NewReader(args))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		seen.Write(body)
		if tool == "search" && res.StatusCode == http.StatusOK && !strings.Contains(string(body), "open/pools.md") || tool == "similar" && res.StatusCode == http.StatusOK {
			t.Errorf("POST /tools/%s %s: %d %s", tool, args, res.StatusCode, body)
		}
	}
	over := func() {
		for _, question := range []string{"pool of connections and its pay", "How many connections does a pool keep open?"} {
			said := ask("tools/call", fmt.Sprintf(`{"name":"search","arguments":{"query":%q,"top_k":50,"explain":true}}`, question))
			if strings.Contains(said, "closed/") || !strings.Contains(said, "open/pools.md") {
				t.Errorf("%s", said)
			}
			run("search", fmt.Sprintf(`{"query":%q,"top_k":50}`, question))
			run("answer_with_citations", fmt.Sprintf(`{"question":%q,"debug":true}`, question))
		}
		run("similar", `{"id":"closed/salaries.md"}`)
		const pin = `{"id":"closed/salaries.md","quote":"keeps twelve connections open and pays a retry","note":"mine"}`
		run("pin_highlight", pin)
		if said := ask("tools/call", `{"name":"pin_highlight","arguments":`+pin+`}`); !strings.Contains(said, "there is no such document") {
			t.Errorf("%s", said)
		}
		run("lookup", `{"id":"closed/salaries.md"}`)
		run("search", `{"query":"pool","collection":"closd"}`)
		for _, path := range []string{"/tools", "/sessions", "/metrics", "/readyz", "/openapi.json"} {
			seen.WriteString(client.page(path))
		}
		for _, m := range regexp.MustCompile(`"id":\s*"([^"]+)"`).FindAllStringSubmatch(client.page("/sessions"), -1) {
			seen.WriteString(client.page("/sessions/"+m[1]) + client.page("/predictions/"+m[1]))
		}
	}
	over()
	pages, n := client.pages(60)
	if n < 4 || !regexp.MustCompile(`(?m)^== /dashboard/.*\.json$`).MatchString(pages) { // a session as JSON is one of them
		t.Errorf("%d pages", n)
	}
	seen.WriteString(pages)
	other := &webClient{t: t, at: client.at, pid: client.pid}
	other.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"somebody-else","version":"1"}}`)
	for _, tool := range []string{`"search","arguments":{"query":"pool of connections and its pay","top_k":50,"explain":true}`, `"lookup","arguments":{"id":"closed/salaries.md"}`, `"answer_with_citations","arguments":{"question":"How many connections does a pool keep open?"}`} {
		if said := other.ask("tools/call", `{"name":`+tool+`}`); !strings.Contains(said, canary) && !strings.Contains(tool, "answer") {
			t.Errorf("who may is told %s", said)
		}
	}
	over()
	end()
	if strings.Contains(seen.String(), canary) || strings.Contains(log.String(), canary) {
		t.Errorf("text of a closed collection leaves:\n%s\n%s", seen.String(), log.String())
	}
	kept, _ := filepath.Glob(filepath.Join(dir, "compactor", "*"))
	if len(kept) < 3 { // two collections, and what is kept of sessions
		t.Fatalf("the server keeps %v", kept)
	}
	for _, path := range kept {
		data, err := os.ReadFile(path)
		if err == nil && !strings.Contains(filepath.Base(path), "-docs-closed") && strings.Contains(string(data), canary) {
			t.Errorf("%s holds text of a closed collection", path)
		}
	}
}
