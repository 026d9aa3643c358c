package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/world/store"
)

func open(t *testing.T, url string) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func pins(n int) []store.Pin {
	var out []store.Pin
	for i := range n {
		out = append(out, store.Pin{Server: "files", Tool: fmt.Sprintf("tool_%03d", i), Hash: fmt.Sprintf("%064x", i),
			State: "trusted", Seen: time.UnixMilli(1).UTC(), Definition: fmt.Appendf(nil, `{"name":"tool_%03d","n":%d}`, i, i*i)})
	}
	return out
}

func put(t *testing.T, s *store.Store, pins []store.Pin) {
	t.Helper()
	if err := s.PutPins(context.Background(), pins); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, s *store.Store, server string) []store.Pin {
	t.Helper()
	got, err := s.Pins(context.Background(), server)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestRecordsOutliveTheProcess(t *testing.T) { onEach(t, recordsOutliveTheProcess) }

func recordsOutliveTheProcess(t *testing.T, fresh string) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "a b", "c?d#e%20", "s.db")
	if runtime.GOOS == "windows" {
		path = filepath.Join(t.TempDir(), "a b", "c#e%20", "s.db")
	}
	first := "sqlite:" + path
	if store.OnServer(fresh) {
		first, path = fresh, fresh
	}
	s := open(t, first)
	want := pins(3)
	want[1].State, want[1].Decided = "quarantined", time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC)
	want[1].Offered, want[1].OfferedHash = []byte(`{"name":"\u0000"}`), "ff"
	want[2].Seen, want[2].Definition = time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC), nil
	put(t, s, want)
	put(t, s, []store.Pin{{Server: "other", Tool: "tool_000", State: "pending"}})
	body := strings.Repeat("a catalog ", 100_000)
	if err := s.PutCatalog(ctx, store.Catalog{Server: "files", Key: "k", Fetched: time.UnixMilli(5), Body: []byte(body)}); err != nil {
		t.Fatal(err)
	}
	s.Count("", "files", "tool_000", true)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s = open(t, path)
	if got := read(t, s, "files"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if got := read(t, s, "other"); len(got) != 1 || !got[0].Seen.IsZero() {
		t.Errorf("%+v", got)
	}
	c, ok, err := s.Catalog(ctx, "files", "k")
	if err != nil || !ok || string(c.Body) != body || c.Fetched.UnixMilli() != 5 {
		t.Errorf("catalog: %v %v, %d bytes", ok, err, len(c.Body))
	}
	if uses, err := s.Uses(ctx); err != nil || len(uses) != 1 || uses[0].Count != 1 {
		t.Errorf("%+v, %v", uses, err)
	}
	if info, err := os.Stat(path); !store.OnServer(fresh) && (err != nil || info.Size() > int64(len(body)/2)) {
		t.Errorf("the catalog is not packed: %v, %v", info, err)
	}
}

func TestOnlyTheOwnerCanRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are inherited there")
	}
	dir := filepath.Join(t.TempDir(), "new", "compactor")
	s := open(t, filepath.Join(dir, "s.db"))
	put(t, s, pins(1))
	for name, mode := range map[string]os.FileMode{".": 0o700, "..": 0o700, "s.db": 0o600, "s.db-wal": 0o600, "s.db-shm": 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v; want %o", name, info.Mode().Perm(), err, mode)
		}
	}
}

func TestURLs(t *testing.T) {
	dir := t.TempDir()
	for _, url := range []string{":memory:", "sqlite::memory:", "sqlite:" + dir + "/a.db", "SQLite://" + filepath.ToSlash("/"+dir) + "/b.db", dir + "/c:d.db"} {
		if runtime.GOOS == "windows" && strings.Contains(url, "//") {
			continue
		}
		put(t, open(t, url), pins(1))
	}
	for url, says := range map[string]string{
		"mysql://me:secret@host/db":                               "there are: postgres, postgresql, sqlite",
		"postgres://me:secret %zz@host/db":                        "cannot be read",
		"postgres://me:secret@127.0.0.1:1/db?sslmode=secret":      "is not understood",
		"postgres://me:secret@127.0.0.1:1/db?search_path=Se-cret": "names one schema",
		"postgres://me:secret@127.0.0.1:1/db":                     "postgres://me@127.0.0.1:1/db: the database server does not answer",
		"sqlite:":                                                 "names no file",
		"":                                                        "names no file",
		dir:                                                       "is a directory",
	} {
		if _, err := store.Open(context.Background(), url); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v; want an error that says %q", url, err, says)
		}
	}
}

func TestStateDir(t *testing.T) {
	for _, c := range []struct{ system, env, want string }{
		{"linux", "XDG_STATE_HOME=/state HOME=/home/me", "/state"},
		{"linux", "XDG_STATE_HOME=state HOME=/home/me", "/home/me/.local/state"},
		{"linux", "HOME=/home/me", "/home/me/.local/state"},
		{"linux", "", ""},
		{"darwin", "HOME=/Users/me XDG_STATE_HOME=/state", "/Users/me/Library/Application Support"},
		{"windows", `LOCALAPPDATA=C:\Local`, `C:\Local`},
		{"windows", `USERPROFILE=C:\Me`, `C:\Me/AppData/Local`},
	} {
		env := map[string]string{}
		for _, pair := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(pair, "=")
			env[name] = value
		}
		if got := store.StateDir(c.system, func(name string) string { return env[name] }); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.system, c.env, got, c.want)
		}
	}
	if got := store.DefaultPath(func(string) string { return "" }); got != "" {
		t.Errorf("without a home: %q", got)
	}
}

func TestPinsAreKeptTogetherOrNotAtAll(t *testing.T) { onEach(t, pinsAreKeptTogetherOrNotAtAll) }

func pinsAreKeptTogetherOrNotAtAll(t *testing.T, fresh string) {
	s := open(t, fresh)
	put(t, s, pins(2))
	bad := append(pins(4), store.Pin{Server: "files"})
	bad[0].Hash = "changed"
	if err := s.PutPins(context.Background(), bad); err == nil {
		t.Error("a pin without a tool is recorded")
	}
	if got := read(t, s, "files"); !reflect.DeepEqual(got, pins(2)) {
		t.Errorf("%+v", got)
	}
}

func TestChangePins(t *testing.T) { onEach(t, changePins) }

func changePins(t *testing.T, fresh string) {
	ctx := context.Background()
	s := open(t, fresh)
	put(t, s, pins(4))
	err := s.ChangePins(ctx, "files", func(old []store.Pin) ([]store.Pin, error) {
		old[1].State = "quarantined"
		return old[1:2], nil
	})
	if got := read(t, s, "files"); err != nil || len(got) != 4 || got[1].State != "quarantined" {
		t.Errorf("%v %+v", err, got)
	}
	mine := errors.New("mine")
	if err := s.ChangePins(ctx, "files", func([]store.Pin) ([]store.Pin, error) { return nil, mine }); err != mine {
		t.Error(err)
	}
}

func TestCatalogOfAnotherSpecificationIsNone(t *testing.T) {
	onEach(t, catalogOfAnotherSpecificationIsNone)
}

func catalogOfAnotherSpecificationIsNone(t *testing.T, fresh string) {
	ctx := context.Background()
	s := open(t, fresh)
	for _, key := range []string{"old", "new"} {
		if err := s.PutCatalog(ctx, store.Catalog{Server: "a", Key: key, Body: []byte(key)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok, err := s.Catalog(ctx, "a", "old"); ok || err != nil {
		t.Error("the catalog of before is still there", err)
	}
	if c, ok, err := s.Catalog(ctx, "a", "new"); !ok || err != nil || string(c.Body) != "new" {
		t.Error(c, ok, err)
	}
}

func TestCatalogsOfOneMillisecondHaveOtherDates(t *testing.T) { onEach(t, catalogsOfOneMillisecond) }

func catalogsOfOneMillisecond(t *testing.T, fresh string) {
	ctx := context.Background()
	s := open(t, fresh)
	first, later := time.UnixMilli(1_700_000_000_000).UTC(), time.UnixMilli(1_700_000_000_005).UTC()
	for _, c := range []struct {
		body          string
		fetched, want time.Time
	}{{"mine", first, first}, {"theirs", first, first.Add(time.Millisecond)}, {"later", later, later}} {
		if err := s.PutCatalog(ctx, store.Catalog{Server: "a", Key: "k", Fetched: c.fetched, Body: []byte(c.body)}); err != nil {
			t.Fatal(err)
		}
		if list, err := s.Catalogs(ctx); err != nil || len(list) != 1 || !list[0].Fetched.Equal(c.want) {
			t.Errorf("%s: %v %v, want %v", c.body, list, err, c.want)
		}
	}
}

// sqlExec runs statements on a database file, as another program would.
func sqlExec(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range statements {
		if _, err := db.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
}

// laterTables drop what came with the versions after the third.
var laterTables = []string{"DROP TABLE sessions", "DROP TABLE spans", "DROP TABLE usage_runs", "DROP TABLE usage_sessions", "DROP TABLE usage_calls", "DROP TABLE usage_salts", "DROP TABLE usage_marks", "DROP TABLE usage_catalogs",
	"DROP TABLE library", "DROP TABLE library_contents", "DROP TABLE library_documents", "DROP TABLE library_segments", "DROP TABLE library_parts", "DROP TABLE library_space", "DROP TABLE library_jobs",
	"DROP TABLE library_vectors", "DROP TABLE notes", "DROP TABLE shared_sessions", "DROP TABLE shared_results"}

// A file of the first version gets what it lacks and keeps its approvals.
func TestMigrationKeepsApprovals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := open(t, path)
	put(t, s, pins(5))
	s.Close()
	sqlExec(t, path, slices.Concat([]string{"DROP TABLE catalogs", "DROP TABLE uses"}, laterTables, []string{"PRAGMA user_version = 1"})...)
	s = open(t, path)
	if got := read(t, s, "files"); !reflect.DeepEqual(got, pins(5)) {
		t.Errorf("%+v", got)
	}
	s.Count("", "files", "a", true)
	if uses, err := s.Uses(context.Background()); err != nil || len(uses) != 1 {
		t.Errorf("%+v, %v", uses, err)
	}
}

// Calls that were counted before there were profiles are of none, and count on.
func TestMigrationKeepsCounts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	statements := []string{}
	scripts, err := filepath.Glob("migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		if filepath.Base(script) < "0011" {
			text, err := os.ReadFile(script)
			if err != nil {
				t.Fatal(err)
			}
			statements = append(statements, string(text))
		}
	}
	version := len(statements)
	sqlExec(t, path, append(statements, "INSERT INTO uses VALUES ('files', 'a', 7, 2, 5), ('files', 'b', 1, 0, 6)",
		fmt.Sprint("PRAGMA user_version = ", version), fmt.Sprint("PRAGMA application_id = ", 0x636d7072))...)
	s := open(t, path)
	s.Count("", "files", "a", true)
	s.Count("work", "files", "a", false)
	list, err := s.Uses(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, u := range list {
		got += fmt.Sprintf("%s:%s/%s=%d-%d ", u.Profile, u.Server, u.Tool, u.Count, u.Failed)
	}
	if got != ":files/a=8-2 :files/b=1-0 work:files/a=1-1 " {
		t.Error(got)
	}
}

// A migration that fails in the middle leaves the file at the version it had.
func TestMigrationIsAllOrNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	open(t, path).Close()
	sqlExec(t, path, "DROP TABLE catalogs", "PRAGMA user_version = 1") // "uses", of a later one, is in the way
	if _, err := store.Open(context.Background(), path); !errors.Is(err, store.ErrDamaged) {
		t.Error(err)
	}
	sqlExec(t, path, append([]string{"DROP TABLE uses"}, laterTables...)...)
	open(t, path)
}

func TestFilesThatAreNotOurs(t *testing.T) {
	dir := t.TempDir()
	newer, foreign, text := filepath.Join(dir, "newer.db"), filepath.Join(dir, "foreign.db"), filepath.Join(dir, "text.db")
	open(t, newer).Close()
	sqlExec(t, newer, "PRAGMA user_version = 99")
	sqlExec(t, foreign, "CREATE TABLE moz_places (url TEXT)")
	if err := os.WriteFile(text, []byte(strings.Repeat("not a database\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{newer: store.ErrNewer, foreign: store.ErrForeign, text: store.ErrForeign} {
		before, _ := os.ReadFile(path)
		s, err := store.Open(context.Background(), path)
		if s != nil || !errors.Is(err, want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Errorf("%s was changed", path)
		}
		if _, moved, err := store.Renew(context.Background(), path); want != store.ErrDamaged && (moved != "" || !errors.Is(err, want)) {
			t.Errorf("%s: Renew moves it to %q, %v", path, moved, err)
		}
	}
}

func TestRenew(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "s.db")
	for n := 1; n <= 2; n++ {
		open(t, path).Close()
		damage := fmt.Sprintf("damage %d", n)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		copy(whole, damage) // over the start of the header
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		s, moved, err := store.Renew(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		put(t, s, pins(1))
		s.Close()
		if old, err := os.ReadFile(moved); err != nil || !strings.HasPrefix(string(old), damage) {
			t.Errorf("%s: %v", moved, err)
		}
	}
	s, moved, err := store.Renew(ctx, path)
	if err != nil || moved != "" {
		t.Fatal(moved, err)
	}
	defer s.Close()
	if len(read(t, s, "files")) != 1 {
		t.Error("a sound store was begun anew")
	}
}
