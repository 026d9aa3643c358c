package coderank_test

import (
	"slices"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

func TestFollowUpsLeanOnTheQuestionBefore(t *testing.T) {
	for _, q := range []string{
		"and where is it closed?", "what about the tests?", "who calls that?", "and in the HTTP server?", "in the HTTP server?",
		"where is it configured", "And for gRPC?", "what are its limits?", "why?? who uses it", "how about retries?", "where else is it used?",
		"does that function return errors?", "show me the other one", "and who reads those", "where are the tests?", "ok, and on Windows?",
		"is there an example of this?", "und wo wird er geschlossen?", "et les tests ?",
	} {
		if !coderank.Parse(q).FollowUp() {
			t.Errorf("%q leans on nothing", q)
		}
	}
	for _, q := range []string{
		"where is the worker pool built?", "Pool", "tests", "where is Pool.admit?", "where is `handleError` implemented?", "parseURL",
		"where is it checked that a reference resolves?", "how does the pool drain its queue?", "where is the pool and its queue?",
		"what does this project do?", "how long does it take to start?", "is it possible to limit tokens?", "which function is it that parses dates?",
		"where is the code that rotates logs?", "server.go:42", "how do I add a root that is read only?", "Fix docs", "and",
		"parse for uses only what needs it", "the retry and the backoff", "in memory cache eviction policy", "for loops are slow when nested",
		"and where does the gateway reconnect to upstream servers after a timeout?", "", "???",
		"where are examples of table driven tests?", "what happens when a config file is invalid?",
	} {
		if coderank.Parse(q).FollowUp() {
			t.Errorf("%q does not stand for itself", q)
		}
	}
}

func TestAfterKeepsTheFollowUpsOwnWordsFirst(t *testing.T) {
	q := coderank.Parse("where is it closed?")
	own := len(q.Terms)
	q.After(coderank.Parse("how does ConnPool.acquire wait for a free connection?"), .5)
	if q.Terms[0].Word != "closed" || q.Terms[0].Before != 0 {
		t.Errorf("the first term is %+v", q.Terms[0])
	}
	for _, want := range []string{"pool", "acquire", "connection"} {
		at := slices.IndexFunc(q.Terms, func(term coderank.Term) bool { return term.Word == want && term.Of < 0 })
		if at < own || q.Terms[at].Before != .5 {
			t.Errorf("%s is not taken over at half its weight: %+v", want, q.Terms)
		}
	}
	if !slices.ContainsFunc(q.Idents, func(id coderank.Ident) bool { return id.Text == "ConnPool" && id.Before == .5 }) {
		t.Errorf("the name is not taken over: %+v", q.Idents)
	}
	if slices.ContainsFunc(q.Idents, func(id coderank.Ident) bool { return id.Before == 0 }) || q.Intent.Bare {
		t.Errorf("closed is still looked for as a name: %+v", q.Idents)
	}
}
