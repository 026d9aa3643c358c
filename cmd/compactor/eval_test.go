package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/world/githistory/gittest"
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

// historyCommand makes a repository with a past, and beside it DIR.jsonl with
// more recorded questions about it than a test waits for: history DIR.
func historyCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: history DIR")
	}
	h := gittest.New(ts, ts.MkAbs(args[0]))
	for _, p := range past {
		h.Write(p.file+".go", source(p.file, p.subject, ""))
		h.Write(p.file+"_test.go", "package x\n\n// "+p.subject+", "+p.subject+"\nfunc TestIt() {}\n")
	}
	h.Commit("begin", nil)
	for _, p := range past {
		h.Write(p.file+".go", source(p.file, p.subject, "\tprintln(1)\n\tprintln(2)\n\tprintln(3)\n"))
		h.Commit("fix("+filepath.Dir(p.file)+"): "+p.subject+" (#12)", nil)
		h.Write("README.md", p.subject)
		h.Commit("docs: "+p.subject, nil)
	}
	var many strings.Builder
	head := h.Git("rev-parse", "HEAD")
	for i := range 20_000 {
		fmt.Fprintf(&many, "{\"id\":\"%d\",\"kind\":\"absent\",\"parent\":%q,\"question\":\"where is the worker?\"}\n", i, head)
	}
	ts.Check(os.WriteFile(h.Dir+".jsonl", []byte(many.String()), 0o644))
}

// fillsCommand waits until a directory holds something: fills DIR.
func fillsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: fills DIR")
	}
	clocktest.Until(scriptTB{ts: ts}, args[0]+" holds something", func() bool {
		list, _ := os.ReadDir(ts.MkAbs(args[0]))
		return len(list) > 0
	})
}

func source(file, subject, more string) string {
	name := filepath.Base(file)
	name = strings.ToUpper(name[:1]) + name[1:]
	return fmt.Sprintf("package x\n\n// %sWorker: %s.\nfunc %sWorker() {\n%s}\n", name, subject, name, more)
}
