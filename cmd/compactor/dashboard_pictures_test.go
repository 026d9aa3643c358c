package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/model/modeltest"
	"github.com/compactor-mcp/compactor/runtime/observe/dashboard/browsertest"
)

// TestDashboardPictures takes those of the README: a session with public servers that
// read this repository and a log, and with a real model where .ci/test-model made one
// ready (those of the README have qwen2.5-coder-0.5b).
//
//	COMPACTOR_SHOTS=DIR COMPACTOR_NPM_SERVERS=node_modules/.bin go test -run DashboardPictures ./cmd/compactor
func TestDashboardPictures(t *testing.T) {
	npm := os.Getenv("COMPACTOR_NPM_SERVERS")
	if npm == "" || os.Getenv("COMPACTOR_SHOTS") == "" {
		t.Skip("COMPACTOR_NPM_SERVERS and COMPACTOR_SHOTS are not both set")
	}
	page := browsertest.Open(t)
	here, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	model := ""
	if os.Getenv("COMPACTOR_TEST_LLAMA") != "" {
		model = realConfig(modeltest.All(t)[0].Start(t, modeltest.Options{Window: 4096})) + "\nroles: summarizer: budget: time: \"80s\"\n"
	}
	log := filepath.Join(t.TempDir(), "pool.log")
	if err := os.WriteFile(log, []byte(poolLog()), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, binary := frontDir(t, fmt.Sprintf(`
roots: code: [%q]
servers: files: {command: %q, args: [%q, %q], summarization: summary_max_token_limit: 400}
servers: memory: {command: %q, env: MEMORY_FILE_PATH: %q}
`, here, filepath.Join(npm, "mcp-server-filesystem"), here, filepath.Dir(log), filepath.Join(npm, "mcp-server-memory"), filepath.Join(t.TempDir(), "memory.json"))+model)
	env := frontEnv(dir)
	client := dial(t, `{}`, nil, env, binary, "serve", "--log", filepath.Join(dir, "log"))
	client.list("tools/list", "tools", "name")
	execute := func(tool, arguments string) {
		client.call("execute_tool", fmt.Sprintf(`{"tool":%q,"arguments":%s}`, tool, arguments))
	}
	client.call("search_tools", `{"query":"read a file"}`)
	client.call("research_codebase", `{"question":"why was worker 2 of the pool replaced?"}`)
	execute("files__read_text_file", fmt.Sprintf(`{"path":%q}`, filepath.Join(here, "runtime/pipeline/engine/pool.go")))
	execute("memory__create_entities", `{"entities":[{"name":"worker pool","entityType":"code","observations":["lives in runtime/pipeline/engine"]}]}`)
	execute("files__read_text_file", fmt.Sprintf(`{"path":%q}`, filepath.Join(here, "CHANGELOG.md")))
	execute("files__read_text_file", fmt.Sprintf(`{"path":%q}`, log))

	at := dashboardOfServe(t, binary, env, "--listen", "127.0.0.1:0")
	page.Size(1280, 900)
	page.Go(at)
	page.Until(`document.querySelector("#live.is-live")`)
	base, _, _ := strings.Cut(at, "enter?")
	page.Go(base + "?period=24h")
	page.Until(`document.querySelector("#live.is-live") && document.querySelector("a.row")`)
	shots := func(name string) {
		for _, scheme := range []string{"light", "dark"} {
			page.Scheme(scheme)
			page.Shot(name + "-" + scheme)
		}
		page.Size(390, 900)
		page.Shot(name + "-small")
		page.Size(1280, 900)
	}
	shots("dashboard-overview")
	page.Keys("ArrowDown", "Enter")
	page.Until(`document.querySelector("#timeline") && document.querySelector("#live.is-live")`)
	page.Size(1280, 1060)
	page.Until(`document.getAnimations().every(a => a.playState !== "running" || a.effect.getComputedTiming().endTime === Infinity)`) // a picture of nothing that moves
	shots("dashboard-session")
	page.Says(`document.querySelector("a[id^=result-]").click()`)
	page.Until(`document.getElementById("original")`)
	shots("dashboard-result")
}

// poolLog is what a pool of workers writes in a night, with one thing gone wrong.
func poolLog() string {
	var b strings.Builder
	at := time.Date(2026, 11, 24, 22, 0, 0, 0, time.UTC)
	for i := range 400 {
		at = at.Add(time.Duration(7+i%13) * time.Second)
		stamp := at.Format(time.RFC3339)
		fmt.Fprintf(&b, "%s INFO worker %d took job %d from the queue\n", stamp, i%4, 7000+i)
		if i == 2 {
			fmt.Fprintf(&b, "%s ERROR worker pool: job %d ran past its deadline of 30 s, worker %d was replaced\n", stamp, 7000+i, i%4)
			continue
		}
		fmt.Fprintf(&b, "%s INFO worker %d finished job %d in %d ms\n", stamp, i%4, 7000+i, 20+i*37%400)
	}
	return b.String()
}
