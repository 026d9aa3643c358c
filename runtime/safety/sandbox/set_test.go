package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSetReferences(t *testing.T) {
	open := func(name string) *Root {
		r, err := OpenRoot(name, t.TempDir(), Options{})
		must(t, err)
		t.Cleanup(func() { r.Close() })
		return r
	}
	code, docs, more := open("code"), open("docs"), open("more")
	one, several := NewSet(code), NewSet(code, docs, more)
	narrow, err := several.Narrow([]string{"more", "docs"})
	must(t, err)
	single, err := narrow.Narrow([]string{"docs"})
	must(t, err)
	tests := []struct {
		name string
		set  *Set
		ref  string
		root string
		rel  string
		err  error
	}{
		{"one root: relative to it", one, "a/b.go", "code", "a/b.go", nil},
		{"one root: its name is nothing special", one, "code/a", "code", "code/a", nil},
		{"one root: itself", one, "", "code", ".", nil},
		{"several: the name in front", several, "docs/a/b.md", "docs", "a/b.md", nil},
		{"several: a root itself", several, "docs", "docs", ".", nil},
		{"several: a root with a slash", several, "docs/", "docs", ".", nil},
		{"several: with a dot", several, "./docs/x", "docs", "x", nil},
		{"several: without a name", several, "a/b.go", "", "", ErrNoRoot},
		{"several: from one to the other", several, "code/../docs/x", "", "", ErrOutside},
		{"several: absolute", several, "/docs/x", "", "", ErrOutside},
		{"narrowed: what is left", narrow, "more/x", "more", "x", nil},
		{"narrowed: what is gone", narrow, "code/x", "", "", ErrNoRoot},
		{"narrowed to one: references stay as they were", single, "docs/x", "docs", "x", nil},
		{"empty", NewSet(), "x", "", "", ErrNoRoot},
	}
	for _, tt := range tests {
		r, rel, err := tt.set.Resolve(tt.ref)
		if !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.err)
		}
		if err != nil {
			continue
		}
		if r.Name() != tt.root || rel != tt.rel {
			t.Errorf("%s: %s, %q", tt.name, r.Name(), rel)
		}
		if again, rel2, err := tt.set.Resolve(tt.set.Ref(r, rel)); again != r || rel2 != rel || err != nil {
			t.Errorf("%s: its reference %q leads to %q, %v", tt.name, tt.set.Ref(r, rel), rel2, err)
		}
	}
	if got := strings.Join(narrow.Names(), " "); got != "docs more" {
		t.Errorf("narrowed: %s; want the order of the set", got)
	}
	if all, err := several.Narrow(nil); err != nil || all != several {
		t.Errorf("narrowed to nothing: %v, %v", all, err)
	}
	if _, err := several.Narrow([]string{"cod"}); !errors.Is(err, ErrNoRoot) || !strings.Contains(err.Error(), "code, docs, more") {
		t.Errorf("an unknown root: %v", err)
	}
	if n := len(NewSet(code, code, docs).Roots()); n != 2 {
		t.Errorf("%d roots from two names", n)
	}
}

// What is not a directory is told from what is not there.
func TestRootsThatAreNone(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	must(t, os.WriteFile(file, nil, 0o644))
	for path, want := range map[string]error{file: ErrNotDir, filepath.Join(dir, "gone"): ErrNotFound, filepath.Join(file, "below"): ErrNotFound} {
		if r, err := OpenRoot("code", path, Options{}); !errors.Is(err, want) {
			t.Errorf("%s: %v, %v", path, r, err)
		}
	}
}

func TestRootNames(t *testing.T) {
	dir := t.TempDir()
	for _, bad := range []string{"", ".", "..", "a/b", "a b", `a\b`, "é", "a\n", strings.Repeat("x", 65)} {
		if r, err := OpenRoot(bad, dir, Options{}); !errors.Is(err, ErrBadRoot) {
			t.Errorf("%q: %v, %v", bad, r, err)
		}
	}
	for _, limit := range []int64{-1, LargestFileSize + 1} {
		if _, err := OpenRoot("code", dir, Options{MaxFileSize: limit}); !errors.Is(err, ErrBadRoot) {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
	r, err := OpenRoot("my-code_2.0", dir, Options{})
	must(t, err)
	defer r.Close()
	if r.Name() != "my-code_2.0" || r.MaxFileSize() != DefaultMaxFileSize {
		t.Errorf("%s, %d", r.Name(), r.MaxFileSize())
	}
}

// TestCodes wants a stable code for each sentinel, and different ones.
func TestCodes(t *testing.T) {
	seen := map[string]bool{}
	for _, err := range []error{
		ErrOutside, ErrDenied, ErrNotFound, ErrNotRegular, ErrTooLarge, ErrBinary, ErrIsDir, ErrNotDir, ErrUnreadable, ErrStalled,
		ErrRootGone, ErrClosed, ErrBadRoot, ErrNoRoot, ErrBadName, ErrExists, ErrUnwritable,
	} {
		code := Code(&PathError{Root: "code", Path: "x", Err: err})
		if code == "" || seen[code] || code != strings.ToUpper(code) {
			t.Errorf("%v: code %q", err, code)
		}
		seen[code] = true
	}
	if Code(errors.New("other")) != "" || Code(nil) != "" {
		t.Error("a code for a foreign error")
	}
}

// Case does not count, also where a letter takes more bytes in one case than in the other.
func TestPathWithin(t *testing.T) {
	for _, c := range []struct {
		outer, inner, want string
		ok                 bool
	}{
		{"/a/b", "/a/b", ".", true},
		{"/a/b", "/A/B/c/d", "c/d", true},
		{"/", "/a", "a", true},
		{"/a/b", "/a/bc", "", false},
		{"/a/b", "/a", "", false},
		{"/a/mask", "/a/ma\u017f\u212a/x", "x", true},
		{"/a/ma\u017f\u212a", "/a/mask/x", "x", true},
	} {
		if got, ok := pathWithin(c.outer, c.inner); got != c.want || ok != c.ok {
			t.Errorf("%s in %s: %q, %v", c.inner, c.outer, got, ok)
		}
	}
}
