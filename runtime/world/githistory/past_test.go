package githistory_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/world/githistory"
)

func pastOf(t *testing.T, dir string, most int) []githistory.Past {
	t.Helper()
	opened, err := githistory.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []githistory.Past
	if err := opened.Past(t.Context(), most, func(p githistory.Past) error { out = append(out, p); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPastSaysWhatCommitsChanged(t *testing.T) {
	r := newRepo(t)
	r.Commit("first\n\nbegins it all", map[string]string{"a.go": "1\n", "sub/b.go": "2\n"})
	r.Commit("second", map[string]string{"a.go": "3\n"})
	r.Git("mv", "a.go", "z.go")
	r.Commit("moved", nil)
	r.Commit("fourth", map[string]string{"z.go": "4\n", "sub/b.go": "5\n"})
	got := pastOf(t, r.Dir, 100)
	var says []string
	for _, p := range got {
		says = append(says, strings.TrimSpace(p.Message)+": "+strings.Join(p.Files, " "))
	}
	want := []string{"fourth: sub/b.go z.go", "moved: z.go", "second: z.go", "first\n\nbegins it all: z.go sub/b.go"}
	if !slices.Equal(says, want) {
		t.Errorf("got %q, want %q", says, want)
	}
	if n := len(pastOf(t, r.Dir, 2)); n != 2 {
		t.Errorf("%d commits, want the newest 2", n)
	}
	for _, p := range pastOf(t, r.Dir+"/sub", 100) {
		for _, f := range p.Files {
			if f != "b.go" {
				t.Errorf("below sub: %q", f)
			}
		}
	}
}

// What a stranger wrote cannot be read as something else than a message, nor take
// more than its bounds.
func TestPastOfAHostileRepository(t *testing.T) {
	r := newRepo(t)
	many := map[string]string{}
	for i := range 400 {
		many[fmt.Sprintf("many/%d/%d", i%7, i)] = "1\n"
	}
	r.Commit("many", many)
	r.Commit("\x02fake\x02\n:100644 100644 0 0 M\n", map[string]string{"a b\n:\x02.go": "1\n"})
	r.Commit(strings.Repeat("long ", 10_000), map[string]string{"l.go": "1\n"})
	r.Commit("bad \xff\xfe utf", map[string]string{"u.go": "1\n"})
	got := pastOf(t, r.Dir, 100)
	if len(got) != 4 {
		t.Fatalf("%d commits", len(got))
	}
	if !strings.HasPrefix(got[0].Message, "bad ") || len(got[1].Message) > 4000 || len(got[3].Files) != 0 {
		t.Errorf("messages %.40q, %d bytes, %d files", got[0].Message, len(got[1].Message), len(got[3].Files))
	}
	if want := []string{"a b\n:\x02.go"}; !slices.Equal(got[2].Files, want) {
		t.Errorf("files %q, want %q", got[2].Files, want)
	}
}

func TestPastStopsWhenToldTo(t *testing.T) {
	r := newRepo(t)
	r.Commit("one", map[string]string{"a": "1\n"})
	r.Commit("two", map[string]string{"a": "2\n"})
	opened, err := githistory.Open(t.Context(), r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	n := 0
	if err := opened.Past(t.Context(), 10, func(githistory.Past) error { n++; return enough }); !errors.Is(err, enough) || n != 1 {
		t.Errorf("%v after %d", err, n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := opened.Past(ctx, 10, func(githistory.Past) error { return nil }); err == nil {
		t.Error("an ended context is no error")
	}
	if err := os.RemoveAll(r.Dir + "/.git/objects"); err != nil {
		t.Fatal(err)
	}
	if err := opened.Past(t.Context(), 10, func(githistory.Past) error { return nil }); err == nil {
		t.Error("a broken repository is no error")
	}
}
