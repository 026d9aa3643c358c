package store_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// refused holds that a path is not opened, that what stands there stays as it was, and that trust is withheld.
func refused(t *testing.T, path string, want error, says string) {
	t.Helper()
	before := tree(t, existing(path))
	for range 2 {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			s, err := store.Open(context.Background(), path)
			if s != nil || !errors.Is(err, want) || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, want %v that says %q", path, err, want, says)
			}
			if !store.Withholds(err) {
				t.Errorf("%s: nothing is withheld", path)
			}
		}()
		select {
		case <-ended:
		case <-time.After(2 * time.Minute):
			t.Fatalf("%s hangs", path)
		}
	}
	if s, moved, err := store.Renew(context.Background(), path); err == nil || moved != "" {
		s.Close()
		t.Errorf("%s: renewed, moved to %q", path, moved)
	}
	if after := tree(t, existing(path)); after != before {
		t.Errorf("%s: what stands there was\n%s\nand is\n%s", path, before, after)
	}
}

// existing is the nearest directory above a path that is there.
func existing(path string) string {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
	}
}

// tree is what stands below a directory: names, modes and texts.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		b.WriteString(path + " " + info.Mode().String())
		if info.Mode().IsRegular() {
			data, _ := os.ReadFile(path)
			fmt.Fprintf(&b, " %d bytes %x", len(data), sha256.Sum256(data))
		}
		b.WriteString("\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A file that is not a store is not written to, replaced or moved away, whoever named it.
func TestNoFileOfAnotherIsTouched(t *testing.T) {
	for name, text := range map[string]string{
		"bashrc":          "export PATH=$PATH:~/bin\nalias ll='ls -l'\n" + strings.Repeat("# more\n", 40),
		"one byte":        "x",
		"only the magic":  "SQLite format 3\x00",
		"cut in the head": "SQLite format 3\x00" + strings.Repeat("\x01", 60),
		"a header alone":  "SQLite format 3\x00" + strings.Repeat("\x01", 84),
		"an image":        "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\xff", 200),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			refused(t, path, store.ErrForeign, path)
		})
	}
}

// The database of another program is recognised before SQLite opens it: that would run the journal which its program
// left behind.
func TestTheJournalOfAnotherProgramIsNotRun(t *testing.T) {
	dir := t.TempDir()
	live := filepath.Join(dir, "live")
	sqlExec(t, live, "PRAGMA journal_mode = WAL", "CREATE TABLE moz_places (url TEXT)", "INSERT INTO moz_places VALUES ('a')")
	path := filepath.Join(dir, "x", "places.sqlite")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(live)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(path, data, 0o600), os.WriteFile(path+"-journal", []byte("left by a crash"), 0o600),
		os.WriteFile(path+"-wal", []byte("left by a crash"), 0o600)); err != nil {
		t.Fatal(err)
	}
	refused(t, path, store.ErrForeign, "application id")
}

// A store that is damaged can be begun anew, a file of somebody else's making cannot.
func TestOnlyAStoreIsRenewed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "compactor.db")
	open(t, path).Close()
	data, _ := os.ReadFile(path)
	for what, break_ := range map[string]func([]byte){
		"the magic":  func(b []byte) { b[0] = 'X' },
		"all zeroes": func(b []byte) { clear(b) },
		"all of it":  func(b []byte) { copy(b, strings.Repeat("no store ", len(b)/9)) },
	} {
		bad := append([]byte(nil), data...)
		break_(bad)
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		s, moved, err := store.Renew(context.Background(), path)
		if err != nil || moved == "" {
			t.Fatalf("%s: %q, %v", what, moved, err)
		}
		s.Close()
	}
}

func TestLeftoversAreSwept(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.db")
	open(t, path).Close()
	data, _ := os.ReadFile(path)
	old, now, ahead := time.Now().Add(-2*time.Hour), time.Now(), time.Now().Add(48*time.Hour)
	for _, f := range []struct {
		name string
		text []byte
		at   time.Time
		mode os.FileMode
		goes bool
	}{
		{".new-123.db", data, old, 0o600, true},
		{".new-123.db-wal", []byte("wal"), old, 0o600, true},
		{".new-123.db-shm", []byte("shm"), old, 0o600, true},
		{".new-4.db", nil, old, 0o600, true},
		{".new-5.db-wal", []byte("alone"), old, 0o600, true},
		{".new-6.db", data, ahead, 0o600, true}, // made before the clock was set back
		{".new-7.db", data, now, 0o600, false},  // somebody works on it
		{".new-8.db", []byte("my notes on a new database, which are longer than any header of a hundred bytes could ever be, or so I think"), old, 0o600, false},
		{".new-8.db-wal", []byte("of somebody else"), old, 0o600, false},
		{".new-x.db", data, old, 0o600, false},
		{"new-9.db", data, old, 0o600, false},
		{".new-10.db.bak", data, old, 0o600, false},
	} {
		at := filepath.Join(dir, f.name)
		if err := errors.Join(os.WriteFile(at, f.text, f.mode), os.Chtimes(at, f.at, f.at)); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if _, err := os.Lstat(at); f.goes != os.IsNotExist(err) {
				t.Errorf("%s: gone %v, want %v", f.name, os.IsNotExist(err), f.goes)
			}
		}()
	}
	open(t, path).Close()
}

// Who only ever indexes opens no store.
func TestLeftoversOfCollectionsAreSwept(t *testing.T) {
	dir := t.TempDir()
	left, old := filepath.Join(dir, ".new-4.db"), time.Now().Add(-2*time.Hour)
	if err := errors.Join(os.Chmod(dir, 0o700), os.WriteFile(left, nil, 0o600), os.Chtimes(left, old, old)); err != nil {
		t.Fatal(err)
	}
	s, err := store.OpenLibrary(t.Context(), filepath.Join(dir, "guide.db"))
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	if _, err := os.Lstat(left); !os.IsNotExist(err) {
		t.Errorf("%s stays: %v", left, err)
	}
}

func TestWhatIsNoStoreWithholdsTrust(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{"postgres://host/db", "", "sqlite:", filepath.Join(dir, "file", "below.db")} {
		if _, err := store.Open(context.Background(), url); err == nil || !store.Withholds(err) {
			t.Errorf("%q: %v withholds nothing", url, err)
		}
	}
	if store.Withholds(nil) {
		t.Error("no error withholds")
	}
}
