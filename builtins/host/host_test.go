package host

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

func TestPing(t *testing.T) {
	got, err := Ping().Run(t.Context(), &catalog.Env{}, nil)
	if err != nil || got != (PingOut{Reply: "pong"}) {
		t.Errorf("Ping = %v, %v", got, err)
	}
}

func TestRoots(t *testing.T) {
	var opened []*sandbox.Root
	want := RootsOut{Roots: []Root{}}
	for _, name := range []string{"code", "archive"} {
		r, err := sandbox.OpenRoot(name, t.TempDir(), sandbox.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		opened = append(opened, r)
		want.Roots = append(want.Roots, Root{Name: name, Path: r.Path()})
	}
	got, err := Roots().Run(t.Context(), &catalog.Env{Roots: sandbox.NewSet(opened...)}, nil)
	if diff := cmp.Diff(any(want), got); diff != "" || err != nil {
		t.Errorf("Roots: %v\n%s", err, diff)
	}
	got, err = Roots().Run(t.Context(), &catalog.Env{Roots: sandbox.NewSet()}, nil)
	if diff := cmp.Diff(any(RootsOut{Roots: []Root{}}), got); diff != "" || err != nil {
		t.Errorf("no root: %v\n%s", err, diff)
	}
}
