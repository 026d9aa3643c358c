package store_test

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/notes"
	"github.com/compactor-mcp/compactor/runtime/world/store"
	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// filled is a store in files with records of every kind, more of some than fit one statement.
func filled(t *testing.T) string {
	t.Helper()
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "s.db")
	s := open(t, path)
	put(t, s, pins(150))
	if err := s.PutCatalog(ctx, store.Catalog{Server: "files", Key: "k", Fetched: time.UnixMilli(5), Body: []byte("a catalog")}); err != nil {
		t.Fatal(err)
	}
	s.Count("", "files", "a", false)
	if err := s.PutNote(ctx, aNote, 1, time.Time{}); err != nil {
		t.Fatal(err)
	}
	log := open(t, store.UsagePath(path)).Usage()
	if _, err := log.Salt(ctx); err != nil {
		t.Fatal(err)
	}
	if err := log.Append(ctx, batch("run", "x", time.Now(), "a", "b", "c")); err != nil {
		t.Fatal(err)
	}
	relevant := true
	if err := log.Mark(ctx, usage.Mark{Tool: "files/a", At: time.UnixMilli(7)}, &relevant); err != nil {
		t.Fatal(err)
	}
	shelf := open(t, store.TimelinePath(path)).Timeline()
	session, spans := sessionOf(1, "wörds \x00 and \xff bytes")
	spans[0].Tool = "a\x00b\xff"
	if err := shelf.Put(ctx, []timeline.Session{session}, spans); err != nil {
		t.Fatal(err)
	}
	for _, end := range []func() error{s.Close, log.Close, shelf.Close} {
		if err := end(); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// aNote is a pin with text that is not plain.
var aNote = notes.Pin{ID: "pin-1", Owner: notes.Owner{User: "me"}, URI: "guide/wörds.md", Version: "v", Section: []string{"a \" b"}, Start: 1, End: 4, Quote: "☃", Tags: []string{"x"}, At: time.UnixMilli(9).UTC()}

// migrated is what was moved: table read/written/there.
func migrated(t *testing.T, from, to string, dry bool) string {
	t.Helper()
	var out []string
	if err := store.Migrate(t.Context(), from, to, dry, func(m store.Moved) {
		out = append(out, fmt.Sprintf("%s %d/%d/%d", m.Table, m.Read, m.Written, m.There))
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}

const (
	whole = "pins 150/150/0 catalogs 1/1/0 uses 1/1/0 notes 1/1/0 usage_salts 1/1/0 usage_runs 1/1/0 usage_catalogs 1/1/0 usage_sessions 1/1/0 usage_calls 3/3/0 usage_marks 1/1/0 sessions 1/1/0 spans 1/1/0"
	again = "pins 150/0/150 catalogs 1/0/1 uses 1/0/1 notes 1/0/1 usage_salts 0/0/1 usage_runs 1/0/1 usage_catalogs 1/0/1 usage_sessions 1/0/1 usage_calls 3/0/3 usage_marks 1/0/1 sessions 1/0/1 spans 1/0/1"
)

func TestMigrateCopiesAllOnce(t *testing.T) {
	server := storetest.Shared(t)
	from, to := filled(t), server.URL()
	if got := migrated(t, from, to, true); got != whole {
		t.Errorf("dry: %s", got)
	}
	if n := server.Count(t, "SELECT count(*) FROM pg_namespace WHERE nspname = $1", storetest.Schema(to)); n != 0 {
		t.Error("a dry run made the schema")
	}
	if got := migrated(t, from, to, false); got != whole {
		t.Error(got)
	}
	for _, dry := range []bool{true, false} {
		if got := migrated(t, from, to, dry); got != again {
			t.Errorf("again, dry %v: %s", dry, got)
		}
	}
	for _, url := range []string{from, to} {
		s := open(t, url)
		if got := read(t, s, "files"); !reflect.DeepEqual(got, pins(150)) {
			t.Errorf("%s: %d pins", url, len(got))
		}
		if c, ok, err := s.Catalog(t.Context(), "files", "k"); err != nil || !ok || string(c.Body) != "a catalog" {
			t.Error(c, ok, err)
		}
		if list, err := s.Notes(t.Context(), aNote.Owner, time.Time{}); err != nil || len(list) != 1 || !reflect.DeepEqual(list[0], aNote) {
			t.Errorf("%s: %+v, %v", url, list, err)
		}
		if u := uses(t, s)["a"]; u.Count != 1 || u.Failed != 1 {
			t.Errorf("%+v", u)
		}
	}
	one, other := told(t, usageLog(t, store.UsagePath(from)), time.Time{}, 100), told(t, usageLog(t, to), time.Time{}, 100)
	if one != other || one == "" {
		t.Errorf("%s is %s", one, other)
	}
	if list, err := usageLog(t, to).Marks(t.Context()); err != nil || len(list) != 1 || !list[0].Relevant || list[0].Tool != "files/a" || list[0].At.UnixMilli() != 7 {
		t.Errorf("%+v, %v", list, err)
	}
	if _, spans, err := open(t, to).Timeline().Session(t.Context(), "s1"); err != nil || len(spans) != spansEach {
		t.Error(len(spans), err)
	}
	s := open(t, from) // what comes afterwards is taken by another run
	put(t, s, []store.Pin{{Server: "later", Tool: "x", State: "trusted"}})
	if got := migrated(t, from, to, false); !strings.HasPrefix(got, "pins 151/1/150 ") {
		t.Error(got)
	}
}

// A migration that ends early leaves nothing behind.
func TestMigrateIsAllOrNothing(t *testing.T) {
	server := storetest.Shared(t)
	from, to := filled(t), server.URL()
	open(t, to).Close()
	schema := storetest.Schema(to)
	server.Exec(t, "ALTER TABLE "+schema+".spans ADD CHECK (id <> '0')") // the last table refuses a row
	err := store.Migrate(t.Context(), from, to, false, func(store.Moved) {})
	if err == nil || !strings.Contains(err.Error(), "spans") || !strings.Contains(err.Error(), "nothing was copied") {
		t.Error(err)
	}
	if n := server.Count(t, "SELECT count(*) FROM "+schema+".pins"); n != 0 {
		t.Errorf("%d pins", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	server.Exec(t, "ALTER TABLE "+schema+".spans DROP CONSTRAINT spans_id_check")
	if err := store.Migrate(ctx, from, to, false, func(m store.Moved) {
		if m.Table == "usage_calls" {
			cancel()
		}
	}); err == nil {
		t.Error("it went on though nobody waits")
	}
	if n := server.Count(t, "SELECT count(*) FROM "+schema+".pins"); n != 0 {
		t.Errorf("%d pins", n)
	}
	if got := migrated(t, from, to, false); got != whole {
		t.Error(got)
	}
	for _, wrong := range [][2]string{{to, from}, {from, from}, {from + ".none", to}} {
		if err := store.Migrate(t.Context(), wrong[0], wrong[1], false, nil); err == nil || strings.Contains(err.Error(), storetest.Password) {
			t.Error(err)
		}
	}
}
