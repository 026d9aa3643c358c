package coderank_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// Who asks in everyday words finds what code has other words for.
func TestEverydayWords(t *testing.T) {
	for _, c := range []struct{ question, has string }{
		{"what happens when there are too many requests from a visitor?", "throttle"},
		{"Where are tasks taken from others, please?", "steal"},
		{"How does it shut down cleanly?", "drain"},
		{"where is the limit of too many requests?", ""}, // a thing, as in the next
		{"where is the limit of too many requests defined?", ""},
		{"where is the token of too many requests?", ""},
		{"where is the feed of too many requests?", ""},
		{"where are token limits of too many requests?", ""},
		{"where can I find the limit of too many requests?", ""},
		{"where can the limit of too many requests be found?", ""},
		{"where is the limit taken when there are too many requests?", "throttle"},
		{"where is the shared limit of too many requests chosen?", "throttle"},
		{"too many requests", ""},                                // a report or a phrase, not a question
		{"how can I add my own limit of too many requests?", ""}, // asks for a type to implement
		{"how are things taken?", ""},                            // one word of several alone
	} {
		var got []string
		for _, term := range coderank.Parse(c.question).Terms {
			if term.Everyday {
				got = append(got, term.Word)
			}
		}
		if c.has == "" && len(got) > 0 || c.has != "" && !slices.Contains(got, c.has) {
			t.Errorf("%q: %v, want %q", c.question, got, c.has)
		}
	}
	if n := len(coderank.Parse("how " + strings.Repeat("too many requests out of date shut down cleanly cached idle worker taken from others ", 20) + "?").Terms); n > 128 {
		t.Errorf("%d terms", n)
	}
}

// Without a weight they count for nothing, and leave the order as it is.
func TestEverydayWithoutWeight(t *testing.T) {
	w := coderank.Default()
	w.Everyday = 0
	r := coderank.New(coderank.Parse("how are too many requests from a visitor refused?"), w)
	c := r.Collector()
	c.Scan("a.go", []byte("package a\n\nfunc throttle(visitor int) {\n\tlimiter(requests)\n}\n"))
	for _, name := range r.Candidates(4) {
		c.Read(name, []byte("package a\n\nfunc throttle(visitor int) {\n\tlimiter(requests)\n}\n"))
	}
	for _, d := range r.Rank(4).Definitions {
		if d.Behind != 0 {
			t.Errorf("%s is %v behind itself", d.Name, d.Behind)
		}
	}
}

// Of definitions that hold the same words, the one that acts answers how, and the type or what merely declares, hands on or
// calls what acts stands behind it.
func TestActsLead(t *testing.T) {
	body := "\tif idle(worker) {\n\t\tretire(worker)\n\t}\n\tcount(worker)\n\tlog(worker)\n}\n"
	for _, c := range []struct{ name, other string }{
		{"a type", "// Retired idle worker.\ntype IdleWorker struct {\n\tidle, worker int\n\tretired bool\n\tname string\n\tage int\n}\n"},
		{"one that hands on", "// pass retires an idle worker\nfunc pass() {\n\tretire(idle, worker)\n}\n"},
		{"a constructor", "// newOne retires an idle worker\nfunc newOne() {\n" + body},
	} {
		tree := filler()
		tree["pool/a.go"] = "package pool\n\n" + c.other + "\n// reap retires an idle worker\nfunc reap() {\n" + body
		if got := search("how is an idle worker retired?", tree, 1).Definitions; len(got) == 0 || got[0].Name != "reap" {
			t.Errorf("%s leads: %+v", c.name, got)
		}
	}
}

// What a leading definition calls has a share in its score.
func TestCalledFollows(t *testing.T) {
	tree := filler()
	work := "\tw := first(worker)\n\tw.stop()\n\tw.wait()\n\tw.log()\n}\n"
	tree["a/pool.go"] = "package a\n\n// reap retires every idle worker of the pool\nfunc reap() {\n\tfor idle(worker) {\n\t\tquit(worker)\n\t}\n\tlog(pool)\n}\n\nfunc halt(worker int) {\n" + work + "\nfunc quit(worker int) {\n" + work
	var names []string
	for _, d := range search("how is an idle worker of the pool retired?", tree, 1).Definitions {
		names = append(names, d.Name)
	}
	if len(names) < 2 || names[0] != "reap" || names[1] != "quit" {
		t.Errorf("%v", names)
	}
}
