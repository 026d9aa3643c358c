package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/audit"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

// Answers of a server are listed, shown and exported; after an edit and a new index, replay says which quotes still stand.
// A secret and the text of documents are in no record.
func TestAuditOfServedAnswers(t *testing.T) {
	t.Parallel()
	dir, binary := frontDir(t, "collections: guide: roots: [\"guide\"]\n")
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, "guide", name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	run := func(code int, args ...string) string {
		t.Helper()
		cmd := exec.Command(binary, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), frontEnv(dir)...)
		out, err := cmd.CombinedOutput()
		var exited *exec.ExitError
		if err != nil && !errors.As(err, &exited) || cmd.ProcessState.ExitCode() != code {
			t.Fatalf("%v: %v, want exit code %d: %s", args, err, code, out)
		}
		return string(out)
	}
	has := func(text string, parts ...string) {
		t.Helper()
		for _, p := range parts {
			if !strings.Contains(text, p) {
				t.Errorf("no %q in:\n%s", p, text)
			}
		}
	}
	has(run(2, "audit", "list"), "no session is kept")
	write("pools.md", "# Pools\n\nA pool keeps twelve connections open.\n")
	write("retries.md", "# Retries\n\nA retry waits for ninety seconds.\n")
	write("cellar.md", "# Cellar\n\nThe cellar is emptied at midnight.\n")
	run(0, "index")
	s := serveAPIAt(t, dir, dir, apiToken)
	const secret = "gh" + "p_nLb6argKHKnP4UF5Jmq8CdauoOT60Q9UUJDf"
	for _, question := range []string{"how many connections does a pool keep open?", "how long does a retry wait?", "when is the cellar emptied?", "who painted the quagga of " + secret + "?"} {
		body, _ := json.Marshal(map[string]string{"question": question})
		if got := s.Ask("POST", "/tools/answer_with_citations", body, "Content-Type", "application/json"); got.Status != 200 {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
	}
	var list []timeline.Answer
	clocktest.Until(t, "all answers are on record", func() bool {
		cmd := exec.Command(binary, "audit", "list", "--format", "json")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), frontEnv(dir)...)
		out, err := cmd.Output()
		return err == nil && json.Unmarshal(out, &list) == nil && len(list) == 4
	})
	has(run(0, "audit", "list"), "QUESTION", "how long does a retry wait?")
	cellar := list[1]
	has(run(0, "audit", "show", cellar.ID[:8]), "when is the cellar emptied?", "search", "citation    guide/cellar.md, bytes 10 to 44: stands", "“The cellar is emptied at midnight.”")
	has(run(0, "audit", "replay"), "4 answers, 3 citations: 3 stand")
	has(run(2, "audit", "show", "zz"), `no answer has an id that begins with "zz"`, "audit list")
	has(run(2, "audit", "list", "--session", "zz"), "nothing is kept of session zz")
	has(run(2, "audit", "list", "--since", "soon"), "--since")

	exported := run(0, "audit", "export")
	if lines := strings.Split(strings.TrimSpace(exported), "\n"); len(lines) != 4 {
		t.Errorf("%d lines:\n%s", len(lines), exported)
	}
	for _, text := range []string{secret, "twelve connections", "ninety seconds", "at midnight"} {
		if strings.Contains(exported, text) {
			t.Errorf("%q is exported", text)
		}
	}

	// From another project, whose collection has the same name and a document of the same address.
	other := t.TempDir()
	if err := errors.Join(os.MkdirAll(filepath.Join(other, "guide"), 0o700), os.WriteFile(filepath.Join(other, "guide", "pools.md"), []byte("# Pools\n\nNothing of it.\n"), 0o600),
		os.WriteFile(filepath.Join(other, "compactor.cue"), []byte("package compactor\n\ncollections: guide: roots: [\"guide\"]\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	elsewhere := exec.Command(binary, "audit", "replay")
	elsewhere.Dir, elsewhere.Env = other, append(append(os.Environ(), frontEnv(dir)...), "COMPACTOR_CONFIG="+other)
	if out, err := elsewhere.CombinedOutput(); err != nil || !strings.Contains(string(out), "3 citations: 3 stand") {
		t.Errorf("from another project: %v: %s", err, out)
	}

	write("pools.md", "# Pools\n\nRead this first.\n\nA pool keeps twelve connections open.\n")
	write("retries.md", "# Retries\n\nA retry waits for eighty seconds.\n")
	if err := os.Remove(filepath.Join(dir, "guide", "cellar.md")); err != nil {
		t.Fatal(err)
	}
	run(0, "index")
	has(run(1, "audit", "replay"), "bytes 9 to 46: moved to bytes 27 to 64", "the document does not say it any more", "its collection does not have the document (when is the cellar emptied?)", "4 answers, 3 citations: 1 moved, 1 changed, 1 gone")
	// With other directories, the index of before is not what the collection says now.
	if err := os.WriteFile(filepath.Join(dir, "compactor.cue"), []byte("package compactor\ncollections: guide: roots: [\"guide\", \"more\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_ = os.Mkdir(filepath.Join(dir, "more"), 0o700)
	run(0, "index")
	has(run(2, "audit", "replay"), "no collection here has the directories that it was in", "3 citations: 3 unread")
	if err := os.WriteFile(filepath.Join(dir, "compactor.cue"), []byte("package compactor\ncollections: guide: roots: [\"guide\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var again []replayed
	if err := json.Unmarshal([]byte(run(1, "audit", "replay", cellar.ID, "--format", "json")), &again); err != nil || len(again) != 1 || again[0].Citations[0].State != audit.Gone {
		t.Errorf("%v %+v", err, again)
	}
}

// An answer that a client got is on record, whenever the server is killed after it. COMPACTOR_LONG=1 kills it 200 times.
func TestAnswersOutliveAKill(t *testing.T) {
	t.Parallel()
	kills := 6
	if os.Getenv("COMPACTOR_LONG") == "1" {
		kills = 200
	}
	dir, binary := frontDir(t, "collections: guide: roots: [\"guide\"]\n")
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "guide"), 0o700), os.WriteFile(filepath.Join(dir, "guide", "pools.md"), []byte("# Pools\n\nA pool keeps twelve connections open.\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(binary, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), frontEnv(dir)...)
		return cmd
	}
	if out, err := command("index").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var mu sync.Mutex
	var answered []string
	asked, failure := 0, ""
	for range kills {
		s := startAPI(t, dir, dir, "")
		enough := make(chan struct{}) // closed when so many are answered that the server is killed
		wanted := len(answered) + 1 + rand.IntN(6)
		var clients sync.WaitGroup
		for range 3 {
			clients.Go(func() {
				for {
					mu.Lock()
					asked++
					question := fmt.Sprintf("how many connections does a pool keep open (%d)?", asked)
					mu.Unlock()
					body, _ := json.Marshal(map[string]string{"question": question})
					res, err := http.Post(s.base+"/tools/answer_with_citations", "application/json", bytes.NewReader(body))
					if err != nil {
						return // it was killed
					}
					got, err := io.ReadAll(res.Body)
					_ = res.Body.Close()
					mu.Lock()
					if err != nil || res.StatusCode != 200 || !bytes.Contains(got, []byte("twelve")) {
						failure = fmt.Sprintf("%v %d %s", err, res.StatusCode, got)
						mu.Unlock()
						return
					}
					if answered = append(answered, question); len(answered) == wanted {
						close(enough)
					}
					mu.Unlock()
				}
			})
		}
		stopped := make(chan struct{})
		go func() { clients.Wait(); close(stopped) }()
		select {
		case <-enough:
		case <-stopped:
			t.Fatal("no client gets an answer any more: " + failure)
		}
		_ = s.cmd.Process.Kill()
		<-stopped
		_ = s.cmd.Wait()
	}
	out, err := command("audit", "list", "--most", "0", "--format", "json").Output()
	var list []timeline.Answer
	if err := errors.Join(err, json.Unmarshal(out, &list)); err != nil {
		t.Fatalf("%v: %.300s", err, out)
	}
	kept := map[string]bool{}
	for _, a := range list {
		kept[a.Question] = true
	}
	for _, q := range answered {
		if !kept[q] {
			t.Errorf("%d answers and %d records: %q is lost", len(answered), len(list), q)
		}
	}
}
