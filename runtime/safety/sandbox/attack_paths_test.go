package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// besides plants a root "proj" beside things that must not be read, and gives its path.
func besides(t *testing.T) string {
	t.Helper()
	top := plant(t, map[string]string{
		"proj/a.txt":         "a",
		"proj/sub/b.txt":     "b",
		"secret.txt":         canary,
		"proj-evil/evil.txt": canary,
		"elsewhere/c.txt":    canary,
	})
	return filepath.Join(top, "proj")
}

func attackClimb(t *testing.T, m mode) {
	r := m.open(t, besides(t), Options{})
	for _, path := range []string{
		"..", "../", "../secret.txt", "a/../../secret.txt", "./../secret.txt", "sub/../../secret.txt",
		"sub/../../proj/../secret.txt", `..\secret.txt`, `sub\..\..\secret.txt`, `..\..\`, "../proj/a.txt",
	} {
		refused(t, r, path, ErrOutside)
	}
	// What is not decoded or taken for something else names nothing.
	for _, path := range []string{
		"....//secret.txt", "..../secret.txt", "%2e%2e/secret.txt", "%2e%2e%2fsecret.txt", "%252e%252e%252fsecret.txt",
		"\xc0\xae\xc0\xae/secret.txt", "..%c0%afsecret.txt", "\u2024\u2024/secret.txt", "..;/secret.txt", ".. /secret.txt",
		"a.txt\x00", "\x00../secret.txt", "a.txt/../../secret.txt\x00",
	} {
		data, err := r.ReadFile(context.Background(), path, nil)
		if err == nil || len(data) > 0 {
			t.Errorf("%q was read", path)
		}
	}
	served(t, r, "./sub/../a.txt", "a")
	served(t, r, "sub//b.txt", "b")
}

func attackAbsolute(t *testing.T, m mode) {
	dir := besides(t)
	r := m.open(t, dir, Options{})
	for _, path := range []string{
		"/etc/passwd", filepath.Join(dir, "a.txt"), "//server/share/x", `\\server\share\x`, `\\?\C:\x`, `\etc\passwd`,
		"~", "~/.bashrc", "file:///etc/passwd", "file://a.txt", "http://localhost/x", `C:\Windows\win.ini`, "c:/windows/win.ini", "./C:/x", "sub/../~",
	} {
		refused(t, r, path, ErrOutside)
	}
}

func attackSibling(t *testing.T, m mode) {
	r := m.open(t, besides(t), Options{})
	for _, path := range []string{"../proj-evil/evil.txt", "../proj-evil", "sub/../../proj-evil/evil.txt"} {
		refused(t, r, path, ErrOutside)
	}
	refused(t, r, "-evil/evil.txt", ErrNotFound)
}

func attackLinks(t *testing.T, m mode) {
	needLinks(t)
	dir := besides(t)
	plantIn(t, dir, map[string]string{
		"good":         "-> a.txt",
		"goodsub":      "-> sub",
		"sub/up":       "-> ../a.txt",
		"chain1":       "-> chain2",
		"chain2":       "-> goodsub/up",
		"out":          "-> ../secret.txt",
		"outnothing":   "-> ../no-such-file",
		"outdir":       "-> ../elsewhere",
		"outandin":     "-> ../proj/a.txt",
		"abs":          "-> " + filepath.Join(dir, "a.txt"),
		"absout":       "-> /etc/passwd",
		"absnothing":   "-> /no/such/file",
		"chainout":     "-> goodsub/out2",
		"sub/out2":     "-> ../../secret.txt",
		"loop1":        "-> loop2",
		"loop2":        "-> loop1",
		"dangling":     "-> nothing",
		"sub/dotdot":   "-> ..",
		"throughadots": "-> sub/dotdot/a.txt",
	})
	r := m.open(t, dir, Options{})
	served(t, r, "good", "a")
	served(t, r, "goodsub/b.txt", "b")
	served(t, r, "chain1", "a")
	served(t, r, "throughadots", "a")
	// The answer is the same whether the target exists or not, and with a slash behind.
	for _, path := range []string{
		"out", "out/", "outnothing", "outdir", "outdir/", "outdir/c.txt", "outandin", "abs", "absout", "absnothing",
		"absnothing/", "chainout", "sub/dotdot/out",
	} {
		refused(t, r, path, ErrOutside)
	}
	refused(t, r, "dangling", ErrNotFound)
	refused(t, r, "loop1", ErrNotRegular)
	if _, err := r.Stat("good/"); err == nil {
		t.Error("a file was found under a name that ends in a slash")
	}
	if got := filesOf(t, r, "."); len(got) != 2 {
		t.Errorf("a walk followed links: %q", got)
	}
}

func attackRootMoves(t *testing.T, m mode) {
	needLinks(t)
	top := filepath.Dir(besides(t))
	must(t, os.Symlink("proj", filepath.Join(top, "link")))
	r := m.open(t, filepath.Join(top, "link"), Options{})
	served(t, r, "a.txt", "a")
	// Another directory takes the name: the one that was opened is served on.
	must(t, os.Rename(filepath.Join(top, "proj"), filepath.Join(top, "moved")))
	must(t, os.Rename(filepath.Join(top, "proj-evil"), filepath.Join(top, "proj")))
	served(t, r, "a.txt", "a")
	served(t, r, "sub/b.txt", "b")
	refused(t, r, "evil.txt", ErrNotFound)
	must(t, os.RemoveAll(filepath.Join(top, "moved")))
	refused(t, r, "a.txt", ErrRootGone)
	if _, _, err := r.Files(context.Background(), "."); err == nil {
		t.Error("a deleted root was walked without an error")
	}
}

func attackDeniedByLink(t *testing.T, m mode) {
	needLinks(t)
	r := m.open(t, plant(t, map[string]string{
		".ssh/id_rsa":      canary,
		".env":             canary,
		".git/config":      canary,
		".aws/credentials": canary,
		"innocent.txt":     "-> .ssh/id_rsa",
		"dir":              "-> .ssh",
		"settings":         "-> .env",
		"sub/config.txt":   "-> ../.git/config",
		"sub/repo":         "-> ../.git",
		"cloud":            "-> .aws",
		"twice":            "-> innocent.txt",
		"nothing":          "-> .ssh/no-such-key",
		"back":             "-> dir/../.env",
		".ssh/config":      canary,
		".ssh/out":         "-> ../../elsewhere",
		".ssh/loop":        "-> loop",
	}), Options{})
	for _, path := range []string{
		"innocent.txt", "dir", "dir/", "dir/id_rsa", "settings", "sub/config.txt", "sub/repo/config", "cloud/credentials",
		"twice", "nothing", "dir/no-such-key", "back", ".ssh/out", ".ssh/loop", "dir/out",
	} {
		refused(t, r, path, ErrDenied)
	}
	entries, _, err := r.Files(context.Background(), ".")
	must(t, err)
	if len(entries) != 0 {
		t.Errorf("listed: %v", entries)
	}
	// Nor by a scan that is given the names.
	got, stats := scanned(t, r, []Entry{{Path: "innocent.txt"}, {Path: ".env"}, {Path: "dir/id_rsa"}, {Path: "../x"}, {Path: ".ssh/config"}})
	if len(got) != 0 || stats.Denied != 3 || stats.Missing != 2 {
		t.Errorf("scanned %q, %+v", got, stats)
	}
}

func needLinks(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege here")
	}
}
