package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// past is what the repository of the history command went through: a subject
// for each commit, with the file it changes and the words that the file holds.
var past = []struct{ file, subject string }{
	{"store/segment", "flush the write buffer before a segment is sealed"},
	{"store/index", "keep offsets sorted while the posting list grows"},
	{"net/listener", "refuse connections above the listener limit"},
	{"net/deadline", "extend idle deadlines after every keepalive frame"},
	{"auth/token", "reject expired bearer credentials early"},
	{"render/chart", "draw the legend outside of narrow panels"},
	{"render/palette", "choose contrasting colours for adjacent series"},
	{"queue/retry", "back off exponentially between delivery attempts"},
}

// historyCommand makes a repository with a past: history DIR. Its clock stands
// still, so that every run makes the same commits.
func historyCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: history DIR")
	}
	if _, err := exec.LookPath("git"); err != nil {
		ts.Fatalf("no git: %v", err)
	}
	h := &pastRepo{ts: ts, dir: ts.MkAbs(args[0]), clock: 1_700_000_000}
	ts.Check(os.MkdirAll(h.dir, 0o755))
	h.git("init", "-q", "-b", "main")
	for _, p := range past {
		h.write(p.file+".go", source(p.file, p.subject, ""))
		h.write(p.file+"_test.go", "package x\n\n// "+p.subject+", "+p.subject+"\nfunc TestIt() {}\n")
	}
	h.commit("begin")
	for _, p := range past {
		h.write(p.file+".go", source(p.file, p.subject, "\tprintln(1)\n\tprintln(2)\n\tprintln(3)\n"))
		h.commit("fix(" + filepath.Dir(p.file) + "): " + p.subject + " (#12)")
		h.write("README.md", p.subject)
		h.commit("docs: " + p.subject)
	}
}

func source(file, subject, more string) string {
	name := filepath.Base(file)
	name = strings.ToUpper(name[:1]) + name[1:]
	return fmt.Sprintf("package x\n\n// %sWorker: %s.\nfunc %sWorker() {\n%s}\n", name, subject, name, more)
}

type pastRepo struct {
	ts    *testscript.TestScript
	dir   string
	clock int64
}

func (h *pastRepo) write(name, text string) {
	path := filepath.Join(h.dir, filepath.FromSlash(name))
	h.ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
	h.ts.Check(os.WriteFile(path, []byte(text), 0o644))
}

func (h *pastRepo) commit(message string) {
	h.clock += 60
	h.git("add", "-A")
	h.git("commit", "-q", "-m", message)
}

func (h *pastRepo) git(args ...string) {
	cmd := exec.Command("git", args...)
	cmd.Dir = h.dir
	stamp := time.Unix(h.clock, 0).UTC().Format(time.RFC3339)
	cmd.Env = []string{"PATH=" + h.ts.Getenv("PATH"), "HOME=" + h.ts.Getenv("HOME"), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_AUTHOR_DATE=" + stamp,
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_COMMITTER_DATE=" + stamp}
	if out, err := cmd.CombinedOutput(); err != nil {
		h.ts.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
