package install

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestLasting(t *testing.T) {
	home, temp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	t.Setenv("GOCACHE", filepath.Join(home, "cache"))
	for path, lasts := range map[string]bool{
		filepath.Join(home, "go", "bin", "compactor"):                           true,
		filepath.Join(home, "src", "go-builder", "compactor"):                   true,
		filepath.Join(home, "go-build-tools", "compactor"):                      true,
		filepath.Join(home, ".cache", "go-build", "ab", "abc-d", "compactor"):   false,
		filepath.Join(home, "x", "go-build123", "b001", "exe", "compactor"):     false,
		filepath.Join(home, "cache", "ab", "abc-d", "compactor"):                false,
		filepath.Join(temp, "compactor"):                                        false,
		filepath.Join(temp, "work", "bin", "compactor"):                         false,
		filepath.Join(filepath.Dir(temp), filepath.Base(temp)+"x", "compactor"): true,
	} {
		if err := Lasting(path); (err == nil) != lasts || err != nil && !errors.Is(err, ErrPassing) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// This test itself runs from a build cache.
func TestCommandOfABuildCache(t *testing.T) {
	if path, err := Command(os.Args[0]); !errors.Is(err, ErrPassing) {
		t.Errorf("%s: %v", path, err)
	}
}

// An update replaces what a link leads to, so the link is what lasts.
func TestCommandIsTheLink(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin, temp := t.TempDir(), t.TempDir()
	link := filepath.Join(bin, "compactor")
	if runtime.GOOS == "windows" {
		link += ".exe"
	}
	if err := os.Symlink(self, link); err != nil {
		t.Skip(err)
	}
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	t.Setenv("PATH", bin)
	for _, arg0 := range []string{"compactor", link} {
		if got, err := Command(arg0); err != nil || got != link {
			t.Errorf("%s: %s, %v", arg0, got, err)
		}
	}
}

func TestProgram(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, filepath.Join(dir, "none"), dir} {
		if got, err := Program(path); err == nil {
			t.Errorf("%s: %s", path, got)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Dir(self))
	if got, err := Program("." + string(filepath.Separator) + filepath.Base(self)); err != nil || !sameFile(got, self) || !filepath.IsAbs(got) {
		t.Errorf("%s, %v", got, err)
	}
}
