package service

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/sampling"
)

// loaded is a snapshot of the shipped configuration with a change.
func loaded(t *testing.T, change string, edit func(*Options)) *Snapshot {
	t.Helper()
	opt := Options{Defaults: compactor.Defaults, Place: consent.Place{Dir: t.TempDir()}, Work: t.TempDir(), Builtins: builtins.All}
	if err := os.WriteFile(filepath.Join(opt.Dir, "a.cue"), []byte("package compactor\n"+change), 0o644); err != nil {
		t.Fatal(err)
	}
	if edit != nil {
		edit(&opt)
	}
	snap, diags, err := Load(t.Context(), opt)
	if err != nil || snap == nil {
		t.Fatal(err, diags.Err())
	}
	t.Cleanup(func() { _ = snap.Close() })
	return snap
}

// The client's model answers where nobody is configured, and only there.
func TestWhoseModelAnswers(t *testing.T) {
	gate := new(samplers).samplerFor("s")
	for name, c := range map[string]struct {
		config  string
		edit    func(*Options)
		call    Call
		model   string
		sampled bool
	}{
		"offered":       {call: Call{Sampler: gate}, model: "default", sampled: true},
		"not offered":   {model: "default"},
		"deterministic": {call: Call{Sampler: gate, Deterministic: true}, model: "default"},
		"no model":      {edit: func(o *Options) { o.NoModel = true }, call: Call{Sampler: gate}, model: "default"},
		"forbidden":     {config: `models: default: sampling: false`, call: Call{Sampler: gate}, model: "default"},
		"no such model": {call: Call{Sampler: gate}, model: "other"},
		"another none":  {config: `models: big: provider: "none"`, call: Call{Sampler: gate}, model: "big", sampled: true},
		"configured": {config: `models: big: {provider: "openai", url: "http://localhost:9/v1", key: "COMPACTOR_TEST_NOT_SET"}`,
			call: Call{Sampler: gate}, model: "big"},
		"configured fallback": {config: `models: big: {provider: "openai", url: "http://localhost:9/v1", key: "COMPACTOR_TEST_NOT_SET"}
models: small: {provider: "none", fallback: ["big"]}`, call: Call{Sampler: gate}, model: "small"},
	} {
		t.Run(name, func(t *testing.T) {
			line := loaded(t, c.config, c.edit).Models.chainOf(c.call)(c.model)
			if got := line != nil && len(line.Limiters) == 1 && line.Limiters[0] == gate; got != c.sampled {
				t.Errorf("the client's model answers: %v", got)
			}
		})
	}
}

// A question goes to the client whose call it is; who refused is left alone, in that session only.
func TestClientsAreAskedBySession(t *testing.T) {
	gates := new(samplers)
	user := model.Request{MaxTokens: 9, Messages: []model.Message{{Role: model.System, Content: "s"}, {Role: model.User, Content: "u"}}}
	ask := func(session string, answer server.SampleReply, err error) (reply *model.Reply, asked []server.SampleRequest, _ error) {
		ctx := sampling.With(t.Context(), askThrough(func(_ context.Context, r server.SampleRequest) (server.SampleReply, error) {
			asked = append(asked, r)
			return answer, err
		}))
		reply, err = gates.samplerFor(session).Chat(ctx, user, nil)
		return reply, asked, err
	}
	for _, text := range []string{"first", "second"} { // of one session, by two calls
		reply, asked, err := ask("a", server.SampleReply{Text: text, Model: "m"}, nil)
		if err != nil || reply.Content != text || reply.Model != "m" || len(asked) != 1 {
			t.Fatalf("%+v, %v", reply, err)
		}
		if r := asked[0]; r.System != "s" || r.MaxTokens != 9 || len(r.Messages) != 1 || r.Messages[0] != (server.SampleMessage{Role: "user", Text: "u"}) {
			t.Errorf("asked %+v", r)
		}
	}
	if _, _, err := ask("a", server.SampleReply{}, &server.SampleError{Code: -1, Message: "no"}); !model.Is(err, model.Refused) {
		t.Error(err)
	}
	if _, asked, err := ask("a", server.SampleReply{Text: "x"}, nil); err == nil || len(asked) > 0 {
		t.Errorf("asked again at once: %v", err)
	}
	if _, asked, err := ask("b", server.SampleReply{Text: "x"}, nil); err != nil || len(asked) != 1 {
		t.Errorf("another client: %v", err)
	}
}

func TestGatesOfClientsAreBounded(t *testing.T) {
	gates := new(samplers)
	first, last := gates.samplerFor("0"), (*model.Limiter)(nil)
	for i := range maxSamplers + 10 {
		last = gates.samplerFor(fmt.Sprint(i))
	}
	if len(gates.gates) != maxSamplers || len(gates.order) != maxSamplers {
		t.Errorf("%d gates, %d in order", len(gates.gates), len(gates.order))
	}
	if gates.samplerFor(fmt.Sprint(maxSamplers+9)) != last || gates.samplerFor("0") == first {
		t.Error("not the oldest was dropped")
	}
}
