package coderank_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/retrieval"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// filler are files that make the words of a question rare.
func filler() map[string]string {
	tree := map[string]string{}
	for _, n := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		tree["lib/"+n+".go"] = "package lib\n\nfunc " + strings.ToUpper(n) + "() { other(); things() }\n"
	}
	return tree
}

// TestDefinitionsAnswerQuestions: a question is answered by places wherever they
// are, a report by files, and a name by what bears it.
func TestDefinitionsAnswerQuestions(t *testing.T) {
	tree := filler()
	tree["store/wal.go"] = "package store\n\n// Repair drops a corrupted segment of the log.\nfunc Repair() {\n\tsegment := open(log)\n\tdrop(segment)\n}\n\n" +
		"func drop(segment int) {\n\tremove(segment)\n}\n\nfunc unrelated() {}\n"
	tree["store/read.go"] = "package store\n\nfunc readSegment() { segment() }\n"
	for _, c := range []struct {
		question string
		want     []string // the first places; nil for none
	}{
		{"how is a corrupted segment of the log dropped?", []string{"store/wal.go:4"}},
		{"drop corrupted segments of the log", nil},
		{"where is Repair defined?", nil},
		{"store/wal.go:4", nil},
	} {
		var got []string
		for _, d := range search(c.question, tree, 1).Definitions {
			got = append(got, fmt.Sprintf("%s:%d", d.Path, d.Line))
		}
		if len(c.want) == 0 && len(got) > 0 || len(got) < len(c.want) || !slices.Equal(got[:len(c.want)], c.want) {
			t.Errorf("%q: %v, want %v first", c.question, got, c.want)
		}
	}
}

// TestDefinitionsOfOneFile: at most three are given, so that a long file does not
// hide the others.
func TestDefinitionsOfOneFile(t *testing.T) {
	tree := filler()
	text := "package pool\n"
	for i := range 9 {
		text += fmt.Sprintf("\nfunc drainQueue%d() { drain(queue) }\n", i)
	}
	tree["pool/pool.go"], tree["pool/other.go"] = text, "package pool\n\nfunc stop() { drain(queue) }\n"
	of := map[string]int{}
	last := 0.0
	for _, d := range search("how is the queue drained?", tree, 1).Definitions {
		of[d.Path]++
		if d.Behind < last {
			t.Errorf("%s is %v behind, the one before it %v", d.Path, d.Behind, last)
		}
		last = d.Behind
	}
	if of["pool/pool.go"] != 3 || of["pool/other.go"] != 1 {
		t.Errorf("%v", of)
	}
}

// TestCallerLeads: of two that hold the same words the one that calls what the
// question is about comes first.
func TestCallerLeads(t *testing.T) {
	tree := filler()
	tree["a/one.go"] = "package a\n\nfunc one() {\n\tqueue(worker)\n}\n"
	tree["a/two.go"] = "package a\n\nfunc two() {\n\tqueue(worker)\n\tdrainQueueOfWorker()\n}\n"
	tree["b/drain.go"] = "package b\n\nfunc drainQueueOfWorker() {\n\tdrain(queue, worker)\n}\n"
	var names []string
	for _, d := range search("how is the queue of a worker drained?", tree, 1).Definitions {
		names = append(names, d.Name)
	}
	if one, two := slices.Index(names, "one"), slices.Index(names, "two"); one < two || two < 0 {
		t.Errorf("%v", names)
	}
}

func TestOrderOfDefinitionsIsStable(t *testing.T) {
	tree := filler()
	for _, n := range strings.Fields("a b c d e f") {
		tree[n+"/pool.go"] = "package " + n + "\n\n// Pool runs tasks of the queue.\nfunc Pool() { queue(); pool() }\n\nfunc drain() { Pool(); tasks() }\n"
	}
	want := search("how does the pool run the tasks of a queue?", tree, 1).Definitions
	for seed := uint64(2); seed < 12; seed++ {
		if d := cmp.Diff(want, search("how does the pool run the tasks of a queue?", tree, seed).Definitions); d != "" {
			t.Fatal(d)
		}
	}
}

// TestQualifiers: among equal names the container, the package or the module that
// the qualifier says is meant.
func TestQualifiers(t *testing.T) {
	tree := filler()
	tree["pool/pool.go"] = "package pool\n\nfunc New() {}\n\ntype Pool struct{}\n\nfunc (p *Pool) Close() {}\n"
	tree["queue/queue.go"] = "package queue\n\nfunc New() {}\n\ntype Queue struct{}\n\nfunc (q *Queue) Close() {}\n"
	tree["rt/sched.rs"] = "pub fn spawn() {}\n\npub struct Task;\n\nimpl Task {\n    pub fn wake(&self) {}\n}\n"
	tree["rt/time.rs"] = "pub fn spawn() {}\n\npub struct Timer;\n\nimpl Timer {\n    pub fn wake(&self) {}\n}\n"
	tree["net/mod.rs"], tree["io/mod.rs"] = "pub fn bind() {}\n", "pub fn bind() {}\n"
	for question, want := range map[string]string{
		"where is queue.New defined?":      "queue/queue.go:3",
		"where is pool.New defined?":       "pool/pool.go:3",
		"where is Queue.Close defined?":    "queue/queue.go:7",
		"where is lib/pool.New?":           "pool/pool.go:3",
		"where is Timer::wake implemented": "rt/time.rs:6",
		"where is sched::spawn defined?":   "rt/sched.rs:1",
		"where is net::bind defined?":      "net/mod.rs:1",
		"where is time::spawn defined?":    "rt/time.rs:1",
	} {
		r := search(question, tree, 1)
		got := r.NotFound
		if len(r.Hits) > 0 && len(r.Hits[0].Places) > 0 {
			got = fmt.Sprintf("%s:%d", r.Hits[0].Path, r.Hits[0].Places[0].Line)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", question, got, want)
		}
	}
}

// TestTrustInDefinitions has what makes an answer sure, and what makes it doubtful.
func TestTrustInDefinitions(t *testing.T) {
	tree := filler()
	tree["rules/group.go"] = "package rules\n\n// missed counts the evaluations of a rule group that were missed.\nfunc missedEvaluations() {\n\tgroup.missed(evaluation)\n}\n"
	tree["auth/yaml.go"] = "package auth\n\nfunc yaml() { a(); b(); c(); d(); e(); f(); g(); h(); i() }\n\nfunc x() { one(); two(); three(); four(); five(); six(); seven(); eight(); nine(); ten() }\n"
	tree["auth/parser.go"] = "package auth\n\nfunc parser() { a(); b(); c() }\n"
	for question, want := range map[string]retrieval.Confidence{
		"how are missed evaluations of a rule group counted?":                             retrieval.High,
		"where is the YAML parser implemented?":                                           retrieval.Low, // the words never meet
		"which option sets how missed evaluations of a rule group are counted?":           retrieval.Medium,
		"Wo werden verpasste Auswertungen einer Regelgruppe gezählt?":                     retrieval.Medium,
		"Wo wird das Wetterhäuschen der verpassten Sommerfrische liebevoll angestrichen?": retrieval.Low,
	} {
		if r := search(question, tree, 1); r.Confidence != want {
			t.Errorf("%s: %s, want %s (%s)", question, r.Confidence, want, r.NotFound)
		}
	}
}

// TestTestsAreAskedFor only where they head the question.
func TestTestsAreAskedFor(t *testing.T) {
	for question, want := range map[string]bool{
		"which tests cover the retry of tasks?":         true,
		"show me the unit tests of the parser":          true,
		"are there any benchmarks for the scheduler?":   true,
		"tests for NewPool":                             true,
		"how does the fixture loader find its files?":   false,
		"where is the OpenAPI spec validated?":          false,
		"what happens when a health check test fails?":  false,
		"how does the test runner isolate environments": false,
	} {
		if got := coderank.Parse(question).Intent.Tests; got != want {
			t.Errorf("%s: %v", question, got)
		}
	}
}

// TestSignsAreNoWords: what a sign of several bytes ends with begins no word.
func TestSignsAreNoWords(t *testing.T) {
	for _, question := range []string{"¿Dónde se cierra la cola?", "·queue· §close", "©«queue»®"} {
		for _, term := range coderank.Parse(question).Terms {
			if term.Stem[0] >= 0x80 && term.Stem[0] < 0xC0 {
				t.Errorf("%s: term %q", question, term.Stem)
			}
		}
	}
}

// TestCommonVerbsAreTranslated: a question of everyday words has its English.
func TestCommonVerbsAreTranslated(t *testing.T) {
	for _, question := range []string{
		"Wo wird die Verbindung getrennt, wenn der Prozess abgebrochen wird?", "Où la connexion est-elle rétablie après une perte ?",
		"¿Dónde se rechaza una petición inválida?", "Onde o fluxo é recarregado quando a conexão é perdida?",
		"Dove viene annullata la richiesta?", "Waar wordt de verbinding hersteld?", "Где отменяется запрос?", "请求在哪里被取消?", "接続はどこで切断されますか",
	} {
		q := coderank.Parse(question)
		if q.Foreign == 0 || float64(q.Known) < .3*float64(q.Foreign) {
			t.Errorf("%s: %d of %d known", question, q.Known, q.Foreign)
		}
	}
}

// TestSureOfWhatItIsAbout: a long body that holds the words of a question here and
// there, and no more than one in its name, is no sure answer.
func TestSureOfWhatItIsAbout(t *testing.T) {
	gap := strings.Repeat("\tstep()\n", 60)
	long := "package plan\n\nfunc applyAll() {\n\t// lock what is shared\n" + gap + "\t// the snapshot is taken\n" + gap + "\t// before it runs\n" + gap + "}\n"
	short := "package plan\n\n// lockSnapshot takes the lock of the snapshot before the apply.\nfunc lockSnapshot() {\n\tapply()\n}\n"
	for text, want := range map[string]retrieval.Confidence{long: retrieval.Medium, short: retrieval.High} {
		tree := filler()
		tree["plan/plan.go"] = text
		if r := search("how is the snapshot locked before an apply?", tree, 1); r.Confidence != want {
			t.Errorf("%s, want %s of\n%.80s", r.Confidence, want, text)
		}
	}
}
