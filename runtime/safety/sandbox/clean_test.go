package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCleanPath(t *testing.T) {
	tests := []struct {
		asked, want string
		wantDir     bool
	}{
		{"", ".", false}, {".", ".", false}, {"./", ".", true}, {"a", "a", false}, {"a/", "a", true}, {"./a//b/../c", "a/c", false},
		{"...", "...", false}, {"a..b", "a..b", false}, {"-x", "-x", false}, {"~x", "~x", false}, {"a:b", "a:b", false},
		{"x/~", "x/~", false}, {"http:/x", "http:/x", false}, {" ", " ", false}, {"é", "é", false},
	}
	for _, tt := range tests {
		if strings.Contains(tt.asked, ":") && os.PathSeparator == '\\' {
			continue // a colon is no part of a name there
		}
		got, dir, err := cleanPath(tt.asked)
		if got != tt.want || dir != tt.wantDir || err != nil {
			t.Errorf("cleanPath(%q) = %q, %v, %v; want %q, %v", tt.asked, got, dir, err, tt.want, tt.wantDir)
		}
	}
}

func TestEscape(t *testing.T) {
	tests := map[string]string{
		"plain/é.go":                    "plain/é.go",
		"a b":                           "a b",
		`q"uote\`:                       `q"uote\`,
		"new\nline":                     `new\nline`,
		"esc\x1b[0m":                    `esc\x1b[0m`,
		"bad\xff":                       `bad\xff`,
		"bidi\u202e":                    `bidi\u202e`,
		strings.Repeat("x", maxShown):   strings.Repeat("x", maxShown),
		strings.Repeat("é", maxShown):   strings.Repeat("é", maxShown/2) + "…",
		strings.Repeat("x", 300) + "\n": strings.Repeat("x", maxShown) + "…",
	}
	for in, want := range tests {
		if got := Escape(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzResolve asks a set of two roots, and one root alone, for any path: what is read is never from outside and never
// denied, what is resolved is in plain form and resolves to itself, and no message shows where the roots lie.
func FuzzResolve(f *testing.F) {
	for _, seed := range []string{
		"", ".", "..", "a.txt", "code/a.txt", "code/../docs/d.txt", "sub/../../secret.txt", "/etc/passwd", `..\..\x`, "C:/x",
		"file:///x", "~/x", ".env", ".ENV::$DATA", "link", "out", "out/x", "dir/id", ".ssh /id", "GIT~1/config", "a\x00b",
		"....//x", "%2e%2e/x", "\xc0\xae\xc0\xae/x", "code", "code/", "docs/./d.txt", "loop/x", "sub/up/sub/up/.env", ".g\u200cit/config",
	} {
		f.Add(seed)
	}
	top := plant(f, map[string]string{
		"proj/a.txt": "a", "proj/sub/b.txt": "b", "proj/.env": canary, "proj/.ssh/id": canary, "proj/.git/config": canary,
		"proj/link": "-> a.txt", "proj/out": "-> ../secret.txt", "proj/dir": "-> .ssh", "proj/loop": "-> loop", "proj/sub/up": "-> ..",
		"docs/d.txt": "d", "docs/x.pem": canary, "secret.txt": canary, "proj-evil/e.txt": canary,
	})
	var sets []*Set
	for _, m := range modes {
		code, docs := m.open(f, filepath.Join(top, "proj"), Options{}), m.open(f, filepath.Join(top, "docs"), Options{})
		docs.name = "docs"
		sets = append(sets, NewSet(code, docs), NewSet(code))
	}
	f.Fuzz(func(t *testing.T, asked string) {
		for _, s := range sets {
			fuzzResolve(t, s, top, asked)
		}
	})
}

func fuzzResolve(t *testing.T, s *Set, top, asked string) {
	r, rel, err := s.Resolve(asked)
	if err != nil {
		quiet(t, top, asked, err)
		return
	}
	if rel != "." && !plainPath(rel) {
		t.Fatalf("Resolve(%q) = %q, which is not plain", asked, rel)
	}
	if r2, rel2, err := s.Resolve(s.Ref(r, rel)); err != nil || r2 != r || rel2 != rel {
		t.Fatalf("Resolve(%q) = %q, but its reference gives %q, %v", asked, rel, rel2, err)
	}
	data, err := r.ReadFile(context.Background(), rel, nil)
	if strings.Contains(string(data), canary) {
		t.Fatalf("%q was read", asked)
	}
	quiet(t, top, asked, err)
	_, err = r.Stat(rel)
	quiet(t, top, asked, err)
	entries, err := r.ReadDir(context.Background(), rel)
	quiet(t, top, asked, err)
	for _, e := range entries {
		if name := strings.ToLower(e.Path); strings.Contains(name, ".env") || strings.Contains(name, ".ssh") || strings.Contains(name, ".pem") {
			t.Fatalf("ReadDir(%q) lists %q", asked, e.Path)
		}
	}
}

func quiet(t *testing.T, top, asked string, err error) {
	if err != nil && (Code(err) == "" || strings.Contains(err.Error(), top) && !strings.Contains(asked, top)) {
		t.Fatalf("%q: %v (code %q)", asked, err, Code(err))
	}
}
