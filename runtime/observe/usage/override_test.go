package usage_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
)

// A mark holds for its profile and, where it names one, its client; it outlives the
// process and what is purged of sessions, until it is taken back.
func TestMarksOfTools(t *testing.T) {
	ctx, yes, no := context.Background(), new(bool), new(bool)
	*yes = true
	for _, clients := range []usage.Choice{usage.Hash, usage.Name} {
		file := filepath.Join(t.TempDir(), "u.db")
		tr, _ := tracking(t, file, usage.Settings{Clients: clients})
		told := 0
		tr.Marked(func() { told++ })
		for _, m := range []struct {
			profile, client, tool string
			relevant              *bool
		}{{"", "", "s/a", yes}, {"", "lm", "s/a", no}, {"", "", "s/b", no}, {"work", "", "s/c", yes}, {"", "", "s/d", yes}, {"", "", "s/d", nil}} {
			if err := tr.Override(ctx, m.profile, m.client, m.tool, m.relevant); err != nil {
				t.Fatal(err)
			}
		}
		if told != 6 {
			t.Errorf("told of %d changes", told)
		}
		if err := tr.Override(ctx, "", "", "s/a", yes); err != nil || told != 7 {
			t.Errorf("the time of a mark that is said again: told %d, %v", told, err)
		}
		check := func(tr *usage.Tracker) {
			t.Helper()
			for _, c := range []struct{ profile, client, want string }{
				{"", "", "map[s/a:true s/b:false]"}, {"", "lm", "map[s/a:false s/b:false]"}, {"", "other", "map[s/a:true s/b:false]"}, {"work", "lm", "map[s/c:true]"}, {"home", "", "map[]"},
			} {
				if got := fmt.Sprint(tr.Feedback(c.profile, c.client)); got != c.want {
					t.Errorf("%s: profile %q client %q: %s, want %s", clients, c.profile, c.client, got, c.want)
				}
			}
		}
		check(tr)
		_ = tr.Close()
		log, err := opener(file)(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := log.Purge(ctx, time.Now().Add(time.Hour), 0); err != nil {
			t.Fatal(err)
		}
		_ = log.Close()
		next, _ := tracking(t, file, usage.Settings{Clients: clients})
		_ = next.Read(ctx, time.Time{}, 1, func(usage.Session, []usage.Call) error { return nil })
		check(next)
		_ = next.Close()
	}
}

func TestMarksThatCannotBeKept(t *testing.T) {
	ctx, yes := context.Background(), true
	file := filepath.Join(t.TempDir(), "u.db")
	off, _ := tracking(t, file, usage.Settings{Off: true})
	if err := off.Override(ctx, "", "", "s/a", &yes); !errors.Is(err, usage.ErrNotKept) {
		t.Error(err)
	}
	nobody, _ := tracking(t, file, usage.Settings{Clients: usage.None})
	if err := nobody.Override(ctx, "", "lm", "s/a", &yes); !errors.Is(err, usage.ErrNoClient) {
		t.Error(err)
	}
	if err := nobody.Override(ctx, "", "", "s/a", &yes); err != nil {
		t.Error(err)
	}
}

// A running process hears within seconds of what another one has marked.
func TestAMarkOfAnotherProcess(t *testing.T) {
	ctx, yes := context.Background(), true
	file := filepath.Join(t.TempDir(), "u.db")
	var ahead atomic.Int64
	runs := usage.New(usage.Options{Open: opener(file), Settings: func() usage.Settings { return usage.Settings{} },
		Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }})
	t.Cleanup(func() { _ = runs.Close() })
	runs.Called(usage.Told{ID: "s"}, call("read"), nil)
	if err := runs.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	other, _ := tracking(t, file, usage.Settings{})
	if err := other.Override(ctx, "", "", "s/a", &yes); err != nil {
		t.Fatal(err)
	}
	ahead.Store(int64(time.Minute)) // some seconds later
	clocktest.Until(t, "the mark is heard of", func() bool { return runs.Feedback("", "")["s/a"] })
}
