package sandbox

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTrackedFilesAreListed wants what git tracks, also where an ignore file leaves it out.
func TestTrackedFilesAreListed(t *testing.T) {
	needGit(t)
	tree := map[string]string{
		".gitignore": "build/\n*.log\nvendor/", "build/kept.go": "", "build/sub/deep/kept.go": "", "build/sub/made.go": "", "build/made.go": "",
		"build/sub/.gitignore": "!made.go", "a.log": "", "kept.log": "", "sub/kept.log": "", "sub/b.log": "", "c.go": "", "build.go": "",
		"vendor/x.go": "", "secret/.env": "", "build/.env": "",
	}
	kept := []string{"build/kept.go", "build/sub/deep/kept.go", "kept.log", "sub/kept.log", "build/.env", ".gitignore"}
	tests := []struct {
		name, under string
		more        map[string]string
		want        string
	}{
		{"of the whole tree", ".", nil, ".gitignore build.go build/kept.go build/sub/deep/kept.go c.go kept.log sub/kept.log"},
		{"below a directory", "sub", nil, "sub/kept.log"},
		{"of an ignored directory, all is listed when it is asked for", "build", nil,
			"build/kept.go build/made.go build/sub/.gitignore build/sub/deep/kept.go build/sub/made.go"},
		{"and nothing that .ignore brings back there", ".", map[string]string{".ignore": "!*.go\n"},
			".gitignore .ignore build.go build/kept.go build/sub/deep/kept.go c.go kept.log sub/kept.log"},
		{"but what .ignore leaves out", ".", map[string]string{".ignore": "kept.log\n"},
			".gitignore .ignore build.go build/kept.go build/sub/deep/kept.go c.go"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := plant(t, tree)
			git(t, dir, "", "init", "-q")
			git(t, dir, "", append([]string{"add", "-f"}, kept...)...)
			for name, text := range tt.more {
				must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
			}
			eachMode(t, func(t *testing.T, m mode) {
				got := strings.Join(filesOf(t, m.open(t, dir, Options{}), tt.under), " ")
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// TestTrackedFilesOfARootInARepository opens a directory of the repository, and one that the repository ignores.
func TestTrackedFilesOfARootInARepository(t *testing.T) {
	needGit(t)
	dir := plant(t, map[string]string{
		".gitignore": "gen/\nscratch/", "lib/gen/kept.go": "", "lib/gen/made.go": "", "lib/a.go": "", "scratch/x.go": "", "scratch/y.go": "",
	})
	git(t, dir, "", "init", "-q")
	git(t, dir, "", "add", "-f", "lib/gen/kept.go", "scratch/x.go")
	eachMode(t, func(t *testing.T, m mode) {
		if got := strings.Join(filesOf(t, m.open(t, filepath.Join(dir, "lib"), Options{}), "."), " "); got != "a.go gen/kept.go" {
			t.Errorf("lib: %s", got)
		}
		if got := strings.Join(filesOf(t, m.open(t, filepath.Join(dir, "scratch"), Options{}), "."), " "); got != "x.go y.go" {
			t.Errorf("a directory that is ignored, opened as a root: %s", got)
		}
	})
}

// TestRepositoriesInIgnoredDirectories wants of a submodule what its own repository says.
func TestRepositoriesInIgnoredDirectories(t *testing.T) {
	needGit(t)
	dir := plant(t, map[string]string{".gitignore": "deps/", "deps/a/x.go": "", "deps/a/y.log": "", "deps/a/.gitignore": "*.log", "deps/b/z.go": "", "deps/c/d/z.go": "", "deps/c/kept.go": ""})
	for _, at := range []string{"deps/a", "deps/b", "deps/c/d", ""} {
		git(t, filepath.Join(dir, at), "", "init", "-q")
	}
	git(t, filepath.Join(dir, "deps/a"), "", "add", "x.go")
	git(t, filepath.Join(dir, "deps/a"), "", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "a")
	git(t, dir, "", "add", "-f", "deps/a", "deps/c/kept.go")
	eachMode(t, func(t *testing.T, m mode) {
		if got := strings.Join(filesOf(t, m.open(t, dir, Options{}), "."), " "); got != ".gitignore deps/a/.gitignore deps/a/x.go deps/c/kept.go" {
			t.Error(got)
		}
	})
}

// TestIndexLikeGit reads what git wrote, in each version and with each kind of hash.
func TestIndexLikeGit(t *testing.T) {
	needGit(t)
	files := map[string]string{"a b": "", "é/ü.go": "", "a/b/c/d": "", "a.go": "", "a/b.go": "", strings.Repeat("long/", 40) + "x": "", "z": "", "later": ""}
	for _, args := range []string{"", "--index-version=2", "--index-version=4"} {
		for _, format := range []string{"sha1", "sha256"} {
			t.Run(args+format, func(t *testing.T) {
				dir := plant(t, files)
				git(t, dir, "", "init", "-q", "--object-format="+format)
				git(t, dir, "", "add", "a", "a.go", "a b", "é", "long", "z")
				git(t, dir, "", "add", "-N", "later") // for which version 3 was made
				if args != "" {
					git(t, dir, "", "update-index", args)
				}
				want := strings.Split(strings.Trim(git(t, dir, "", "ls-files", "-z"), "\x00"), "\x00")
				r := modes[0].open(t, dir, Options{})
				names := readIndex(r.core.tree, ".")
				var got []string
				for i := range names.ends {
					got = append(got, names.name(i))
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
				for _, name := range want {
					if !names.has(name) || names.has(name+"x") || names.has(name[:len(name)-1]) || names.hasPrefix(name+"/") {
						t.Errorf("%s is not found, or more than it", name)
					}
				}
				if !names.hasPrefix("a/") || !names.hasPrefix("a/b/") || names.hasPrefix("b/") || names.hasPrefix("zz/") {
					t.Error("directories are not found, or more than they")
				}
			})
		}
	}
}

// FuzzParseIndex wants sorted names, no more of them than are counted, and no name out of nothing.
func FuzzParseIndex(f *testing.F) {
	if _, err := exec.LookPath("git"); err == nil {
		for _, version := range []string{"2", "4"} {
			dir := f.TempDir()
			for _, name := range []string{"a", "ab", "b"} {
				if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
					f.Fatal(err)
				}
			}
			for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"update-index", "--index-version=" + version}} {
				cmd := exec.Command("git", args...)
				cmd.Dir = dir
				if out, err := cmd.CombinedOutput(); err != nil {
					f.Fatalf("%v: %s", err, out)
				}
			}
			data, err := os.ReadFile(filepath.Join(dir, indexFile))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Add([]byte("DIRC\x00\x00\x00\x02\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, hash := range []int{20, 32} {
			names, ok := parseIndex(data, hash)
			if !ok {
				continue
			}
			if len(names.ends) != int(binary.BigEndian.Uint32(data[8:])) {
				t.Fatalf("%d names of %d", len(names.ends), binary.BigEndian.Uint32(data[8:]))
			}
			var all []string
			for i := range names.ends {
				all = append(all, names.name(i))
			}
			if !slices.IsSorted(all) {
				t.Fatalf("not sorted: %q", all)
			}
			for _, name := range all {
				if !names.has(name) {
					t.Fatalf("%q is not found among %q", name, all)
				}
			}
		}
	})
}

func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
}
