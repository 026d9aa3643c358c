package sandbox

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestIgnoreLikeGit generates trees with ignore files in several directories and wants from a walk what git lists, before
// and after some of the files are tracked, and for each single path the answer of git check-ignore.
func TestIgnoreLikeGit(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	trees := 25
	if long() {
		trees = 1000
	}
	for seed := range trees {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			g := &generator{rand.New(rand.NewPCG(uint64(seed), 7))}
			files := g.tree()
			dir := plant(t, files)
			git(t, dir, "", "init", "-q")
			must(t, os.WriteFile(filepath.Join(dir, ".git/info/exclude"), []byte(g.ignoreFile()), 0o644))
			want := strings.Split(strings.Trim(git(t, dir, "", "ls-files", "-z", "--others", "--exclude-standard"), "\x00"), "\x00")
			slices.Sort(want)
			r := modes[0].open(t, dir, Options{})
			if diff := cmp.Diff(strings.Join(want, "\n"), strings.Join(filesOf(t, r, "."), "\n")); diff != "" {
				t.Errorf("walk (- git, + here):\n%s%s", diff, ignoreFiles(dir, files))
			}
			checkIgnore(t, r, files)
			var some []string
			for _, name := range slices.Sorted(maps.Keys(files)) {
				if g.IntN(4) == 0 {
					some = append(some, name)
				}
			}
			git(t, dir, strings.Join(some, "\x00"), "--literal-pathspecs", "add", "-f", "--pathspec-from-file=-", "--pathspec-file-nul")
			want = strings.Split(strings.Trim(git(t, dir, "", "ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00"), "\x00")
			slices.Sort(want)
			if diff := cmp.Diff(strings.Join(want, "\n"), strings.Join(filesOf(t, r, "."), "\n")); diff != "" {
				t.Errorf("walk with %q tracked (- git, + here):\n%s%s", some, diff, ignoreFiles(dir, files))
			}
		})
	}
}

// checkIgnore asks both about each file. A directory above it that is ignored decides, here as there.
func checkIgnore(t *testing.T, r *Root, files map[string]string) {
	t.Helper()
	var asked []string
	for name := range files {
		asked = append(asked, name)
	}
	slices.Sort(asked)
	out := git(t, r.Path(), strings.Join(asked, "\x00"), "check-ignore", "--no-index", "--stdin", "-z")
	ignored := map[string]bool{}
	for name := range strings.SplitSeq(out, "\x00") {
		ignored[name] = true
	}
	visible := map[string]bool{}
	for _, e := range mustFiles(t, r) {
		visible[e.Path] = true
	}
	for _, name := range asked {
		if visible[name] == ignored[name] {
			t.Errorf("%q: git ignores it: %v; listed here: %v\n%s", name, ignored[name], visible[name], ignoreFiles(r.Path(), files))
		}
	}
}

func git(t *testing.T, dir, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(context.Background(), "git", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok && args[0] == "check-ignore" && exit.ExitCode() == 1 {
		return "" // none is ignored
	}
	must(t, err)
	return string(out)
}

func ignoreFiles(dir string, files map[string]string) string {
	var b strings.Builder
	exclude, _ := os.ReadFile(filepath.Join(dir, excludeFile))
	fmt.Fprintf(&b, "exclude: %q\n", exclude)
	for name, content := range files {
		if strings.HasSuffix(name, gitignoreFile) {
			fmt.Fprintf(&b, "%s: %q\n", name, content)
		}
	}
	return b.String()
}

// generator makes trees and patterns over few letters, so that patterns meet names.
type generator struct{ *rand.Rand }

func (g *generator) one(of ...string) string { return of[g.IntN(len(of))] }

func (g *generator) name() string {
	return g.one("a", "b", "c", "ab", "abc", "a.go", "b.go", "a.b.c", "#a", "!b", "a b", "[a]", "a*", "-", "x~", "A", "é", " a", "a\\")
}

func (g *generator) tree() map[string]string {
	files := map[string]string{}
	dirs := []string{""}
	for range 4 + g.IntN(6) {
		parent := dirs[g.IntN(len(dirs))]
		if dir := parent + g.name() + ".d/"; strings.Count(dir, "/") < 5 {
			dirs = append(dirs, dir)
		}
		if dir := parent + g.one("a", "b", "abc") + "/"; strings.Count(dir, "/") < 4 {
			dirs = append(dirs, dir)
		}
	}
	isDir := map[string]bool{}
	for _, d := range dirs {
		isDir[d] = true
	}
	for _, d := range dirs {
		for range 1 + g.IntN(5) {
			if name := d + g.name(); !isDir[name+"/"] {
				files[name] = ""
			}
		}
		if d == "" || g.IntN(4) == 0 {
			files[d+gitignoreFile] = g.ignoreFile()
		}
	}
	return files
}

func (g *generator) ignoreFile() string {
	var b strings.Builder
	for range g.IntN(6) {
		b.WriteString(g.pattern())
		b.WriteString(g.one("\n", "\n", "\n", "\r\n", " \n", "\n\n"))
	}
	return b.String()
}

func (g *generator) pattern() string {
	parts := make([]string, 1+g.IntN(3))
	for i := range parts {
		parts[i] = g.one(g.segment(), g.segment(), g.segment(), g.segment(), "**")
	}
	return g.one("", "", "", "!", "/", "!/") + strings.Join(parts, "/") + g.one("", "", "", "/")
}

func (g *generator) segment() string {
	return g.one("a", "b", "c", "ab", "a.go", "*.go", "*.d", "a*", "*b", "*", "?", "a?c", "*.*", "[ab]", "[!a]*", "[a-c]", "[^b]",
		"\\#a", "\\!b", "\\[a\\]", "a\\*", "[[]a]", "a.b.*", "a b", "\\ a", "[a", "[[:alpha:]]", "[[:upper:]]*", "?b*", "*a*", "a\\\\", "[]a]", "**b", "é", "a.d", "??", "#a")
}
