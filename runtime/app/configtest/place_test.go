package configtest

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// beside is a configuration's directory with something of the user's beside it.
func beside(t *testing.T) (dir, outer string) {
	t.Helper()
	outer = t.TempDir()
	dir = filepath.Join(outer, "conf")
	for name, text := range map[string]string{"conf/x.cue": "", "conf/sub/a.go": "package a\n", "private/keys.jsonl": "of the user\n"} {
		at := filepath.Join(outer, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, outer
}

func link(t *testing.T, to, at string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	if err := os.Symlink(to, at); err != nil {
		t.Fatal(err)
	}
}

func TestARecordingIsNotWrittenThroughALink(t *testing.T) {
	for name, c := range map[string]struct{ to, at, replies string }{
		"directory elsewhere":  {"../private", "rec", "rec/keys.jsonl"},
		"file elsewhere":       {"../private/keys.jsonl", "keys.jsonl", "keys.jsonl"},
		"directory inside":     {"sub", "rec", "rec/a.go"},
		"absolute":             {"/", "rec", "rec/tmp/keys.jsonl"},
		"up":                   {"sub", "unused", "../private/keys.jsonl"},
		"up from below":        {"sub", "unused", "sub/../../private/keys.jsonl"},
		"through a file":       {"sub", "unused", "x.cue/keys.jsonl"},
		"a directory itself":   {"sub", "unused", "sub"},
		"the directory itself": {"sub", "unused", "."},
	} {
		t.Run(name, func(t *testing.T) {
			dir, outer := beside(t)
			link(t, c.to, filepath.Join(dir, c.at))
			r, err := repliesOf(service.Options{Place: consent.Place{Dir: dir, Display: "shown"}}, config.Test{Replies: c.replies}, true)
			if err == nil {
				r.finish(t.Context(), &Outcome{})
				t.Error("it is written")
			}
			if data, _ := os.ReadFile(filepath.Join(outer, "private", "keys.jsonl")); string(data) != "of the user\n" {
				t.Errorf("the user's file holds %q", data)
			}
			if list, _ := os.ReadDir(filepath.Join(outer, "private")); len(list) != 1 {
				t.Errorf("something was left: %v", list)
			}
		})
	}
}

func TestATestReadsNothingElsewhere(t *testing.T) {
	dir, _ := beside(t)
	link(t, "../private", filepath.Join(dir, "out"))
	opt := service.Options{Place: consent.Place{Dir: dir, Display: "shown"}, Work: dir}
	for _, name := range []string{"../private", "../..", "/", "out", "sub/../..", "out/.."} {
		if got, cleanup, err := prepareTree(opt, config.Test{Root: name}); err == nil {
			cleanup()
			t.Errorf("root %s is %s", name, got)
		}
	}
	for _, name := range []string{"../private/keys.jsonl", "out/keys.jsonl", "sub"} {
		if _, err := repliesOf(opt, config.Test{Replies: name}, false); err == nil || strings.Contains(err.Error(), "of the user") {
			t.Errorf("replies %s: %v", name, err)
		}
	}
	if got, _, err := prepareTree(opt, config.Test{Root: "sub"}); err != nil || got != filepath.Join(dir, "sub") {
		t.Errorf("a directory below: %s, %v", got, err)
	}
}
