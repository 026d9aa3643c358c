package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// onAFullDisk serves with a store that has no room.
const onAFullDisk = `
mount -t tmpfs -o size=1m,mode=700 none "$HOME/compactor" || { echo skip >&2; exit 0; }
head -c 2m /dev/zero >"$HOME/compactor/filler" 2>/dev/null
compactor doctor >"$HOME/doctor" 2>&1
exec compactor serve --transport http --listen 127.0.0.1:0 --log "$HOME/log"
`

// A store that is full costs no call, and is said: once in the log, and where its user
// looks, by doctor and on the dashboard, with the way out.
func TestAFullStoreIsSaid(t *testing.T) {
	skipShort(t)
	t.Parallel()
	dir, binary := frontDir(t, `gateway: surface: "proxy"
servers: e: {command: "toolserver", args: ["echo", "say"]}
`)
	if err := os.Mkdir(filepath.Join(dir, "compactor"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := mounting(t, dir, onAFullDisk)
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("no disk of its own can be had: %v", err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	at := ""
	for lines := bufio.NewScanner(said); at == "" && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "skip") {
			t.Skip("no disk of its own can be had")
		}
		_, at, _ = strings.Cut(lines.Text(), "listening on ")
	}
	client := &webClient{t: t, at: "http://" + at}
	client.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	client.awaitTool("e__say")
	for range 3 {
		if said := client.ask("tools/call", `{"name":"e__say","arguments":{"n":7}}`); !strings.Contains(said, `{\"n\":7}`) {
			t.Errorf("%.400s", said)
		}
	}
	browser, base := letIn(t, binary, frontEnv(dir))
	const kept, full, do = "sessions are kept in memory alone", "the disk is full", "free some space, or have store.url name a file on another disk"
	page := ""
	clocktest.Until(t, "the dashboard says it", func() bool {
		_, page = seenBy(t, browser, base)
		return strings.Contains(page, kept)
	}, func() any { return page })
	log, _ := os.ReadFile(filepath.Join(dir, "log"))
	if strings.Count(string(log), kept) != 1 {
		t.Errorf("the log: %s", log)
	}
	doctor, _ := os.ReadFile(filepath.Join(dir, "doctor"))
	for where, text := range map[string]string{"dashboard": page, "log": string(log), "doctor": string(doctor)} {
		if !strings.Contains(text, full) || !strings.Contains(text, do) {
			t.Errorf("the %s does not say what is wrong and what to do: %s", where, text)
		}
	}
}
