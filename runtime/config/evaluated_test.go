package config

import (
	"bytes"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor"
)

// TestEvaluated fails if evaluated.cbor is stale, if reading it loses anything, or if a start
// evaluates the embedded files all the same.
func TestEvaluated(t *testing.T) {
	fresh, kept := readEmbedded(t), readEmbedded(t)
	if err := fresh.evaluate(func(Step) {}); err != nil || len(fresh.diags) > 0 {
		t.Fatal(err, fresh.diags)
	}
	want, err := fresh.encode()
	if err != nil {
		t.Fatal(err)
	}
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile("evaluated.cbor", want, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(evaluated, want) {
		t.Error("evaluated.cbor is stale, because of an edit of the schemas, the shipped files or the code that evaluates them; run: make golden")
	}
	if !kept.decode(want) {
		t.Fatal("it cannot be read")
	}
	forgetPaths(fresh.config)
	if !reflect.DeepEqual(kept.config, fresh.config) || !reflect.DeepEqual(kept.known, fresh.known) {
		t.Error("other definitions are read")
	}
	if again, err := kept.encode(); err != nil || !bytes.Equal(again, want) {
		t.Error("another configuration is read", err)
	}
	for _, data := range [][]byte{nil, want[:len(want)/2], bytes.Replace(want, []byte(kept.key), []byte(strings.Repeat("0", len(kept.key))), 1)} {
		if kept.decode(data) {
			t.Errorf("%d bytes of another file are read", len(data))
		}
	}
}

func TestNoStartEvaluatesTheEmbeddedFiles(t *testing.T) {
	latest.Lock()
	latest.embedded = nil
	latest.Unlock()
	steps := WithSteps(t.Context(), func(s Step) { t.Error(s.Doing, s.Name) })
	if cfg, list, err := Load(steps, Options{Defaults: compactor.Defaults}); err != nil || len(list) > 0 || cfg.Roles["locator"].Purpose == "" {
		t.Error(cfg, list, err)
	}
}

func readEmbedded(t *testing.T) *embedded {
	t.Helper()
	e := &embedded{}
	if err := e.readFiles(compactor.Defaults); err != nil {
		t.Fatal(err)
	}
	return e
}

// forgetPaths removes what only types of tools need.
func forgetPaths(s *shape) {
	if s == nil {
		return
	}
	s.Path = nil
	for _, below := range []*shape{s.Rest, s.Key, s.Items, s.Short} {
		forgetPaths(below)
	}
	for _, f := range s.Fields {
		forgetPaths(f.Shape)
	}
}
