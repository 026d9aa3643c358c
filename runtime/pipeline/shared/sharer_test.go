package shared_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
	"github.com/compactor-mcp/compactor/runtime/pipeline/shared"
	"github.com/compactor-mcp/compactor/runtime/world/store"
	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// onEach runs a test on each kind of store.
func onEach(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, filepath.Join(t.TempDir(), "s.db")) })
	t.Run("postgres", func(t *testing.T) { test(t, storetest.Shared(t).URL()) })
}

// process is what one compactor has of sessions.
type process struct {
	*shared.Sharer
	sessions *session.Store

	mu    sync.Mutex
	said  []string
	ended []string
}

// begin is a process whose clients wait until the shelf has answered.
func begin(t testing.TB, url, token string) *process {
	t.Helper()
	return beginWith(t, url, token, time.Minute)
}

func beginWith(t testing.TB, url, token string, wait time.Duration) *process {
	t.Helper()
	p := &process{sessions: session.NewStore()}
	p.Sharer = shared.New(shared.Options{
		Open: func(ctx context.Context) (shared.Shelf, error) {
			s, err := store.OpenLater(ctx, url)
			if err != nil {
				return nil, err
			}
			return s.Shared(), nil
		},
		Secret:   token,
		Settings: func() shared.Settings { return shared.Settings{Sessions: time.Hour, Results: time.Hour} },
		Sessions: p.sessions.Get,
		Ended:    func(id string) { p.mu.Lock(); p.ended = append(p.ended, id); p.mu.Unlock() },
		Say:      func(m string) { p.mu.Lock(); p.said = append(p.said, m); p.mu.Unlock() },
		Wait:     wait,
	})
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func (p *process) told() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.said, "\n")
}

// open begins a session.
func (p *process) open(id string) *session.Session {
	s := p.sessions.Open(session.Who{ID: id, Client: session.Client{Name: "chat", Version: "1"}, Era: session.Handshake, Profile: "work"})
	p.Begin(context.Background(), id, json.RawMessage(`{"level":"info"}`))
	return s
}

// resume goes on with one.
func (p *process) resume(id string) (s *session.Session, state string, err error) {
	raw, err := p.Resume(context.Background(), id, func(m session.Memory) (*session.Session, error) {
		s = p.sessions.Open(session.Who{ID: id})
		s.Merge(m)
		return s, nil
	})
	return s, string(raw), err
}

func call(s *session.Session, tool string) {
	s.Add(session.Call{Tool: tool, Server: "e", Outcome: session.OK, Arguments: json.RawMessage(`{"n":1}`), Tokens: 7})
}

func calls(s *session.Session) (out []string) {
	for _, c := range s.View(nil).Conversation {
		out = append(out, c.Tool)
	}
	return out
}

// A session goes on at another process with all that was written, and back.
func TestASessionGoesOnElsewhere(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		a, b := begin(t, url, "token"), begin(t, url, "token")
		id := rand.Text()
		one := a.open(id)
		if _, state, err := b.resume(id); err != nil || state != `{"level":"info"}` {
			t.Fatalf("at once: %s, %v", state, err)
		}
		two := b.sessions.Get(id)
		for i := range 3 {
			call(one, fmt.Sprint("a", i))
		}
		one.RecordQuestion("where?", json.RawMessage(`{"references":[],"answer":"here"}`), nil)
		one.SetListedTools([]string{"x", "y"}, true)
		a.Save(t.Context(), id)
		call(two, "b0") // what both did meanwhile is kept once
		for range 2 {
			if err := errors.Join(b.Flush(t.Context()), a.Flush(t.Context())); err != nil {
				t.Fatal(err)
			}
		}
		call(one, "a3")
		if err := errors.Join(a.Flush(t.Context())); err != nil {
			t.Fatal(err)
		}
		b.Refresh(t.Context(), id)
		want := []string{"a0", "a1", "a2", "b0", "a3"}
		for name, s := range map[string]*session.Session{"first": one, "second": two} {
			if name == "first" {
				a.Refresh(t.Context(), id)
			}
			v := s.View(nil)
			if got := calls(s); !slices.Equal(got, want) || v.Used["b0"] != 1 || v.Used["a0"] != 1 {
				t.Errorf("the %s knows %v %v", name, got, v.Used)
			}
			if !slices.Equal(v.Shown, []string{"x", "y"}) || v.Client.Name != "chat" || v.Profile != "work" || len(v.Questions) != 1 || s.Fresh().Is() {
				t.Errorf("the %s: %+v", name, v)
			}
		}
		if !two.RecordQuestion("where?", json.RawMessage(`{"references":[],"answer":"here"}`), nil) {
			t.Error("the same question is not known again")
		}
		b.End(t.Context(), id)
		if _, _, err := begin(t, url, "token").resume(id); !errors.Is(err, shared.ErrUnknown) {
			t.Errorf("after its end: %v", err)
		}
		call(one, "late")
		if err := a.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		clocktest.Until(t, "the other is told of the end", func() bool {
			a.mu.Lock()
			defer a.mu.Unlock()
			return len(a.ended) == 1
		})
		if a.told()+b.told() != "" {
			t.Error(a.told(), b.told())
		}
	})
}

// Processes that all serve one session at once lose no call of it, and keep none twice.
func TestManyServeOneSession(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		const each = 12
		first := begin(t, url, "")
		id := rand.Text()
		first.open(id)
		var all sync.WaitGroup
		for p := range 4 {
			at := begin(t, url, "")
			s, _, err := at.resume(id)
			if err != nil {
				t.Fatal(err)
			}
			all.Go(func() {
				for i := range each {
					call(s, fmt.Sprintf("p%d-%d", p, i))
					if i%3 == 0 {
						_ = at.Flush(context.Background())
					} else if i%5 == 0 {
						at.Refresh(context.Background(), id)
					}
				}
				for s.Fresh().Is() {
					if err := at.Flush(context.Background()); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		s, _, err := begin(t, url, "").resume(id)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, c := range calls(s) {
			got[c]++
		}
		for p := range 4 {
			for i := range each {
				if n := got[fmt.Sprintf("p%d-%d", p, i)]; n != 1 {
					t.Errorf("call %d of process %d is there %d times", i, p, n)
				}
			}
		}
	})
}

// fetched waits until another finds a result.
func fetched(t *testing.T, p *process, session, id string) string {
	t.Helper()
	var text []byte
	clocktest.Until(t, "result "+id+" is there", func() (ok bool) {
		_, text, ok = p.Result(t.Context(), session, id)
		return ok
	})
	return string(text)
}

// shelved is all that a store has of what is shared.
func shelved(t *testing.T, url string) (all bytes.Buffer) {
	t.Helper()
	driver, tables := "sqlite", ""
	if store.OnServer(url) {
		driver, tables = "pgx", storetest.Schema(url)+"."
		url = strings.Split(url, "?")[0] + "?sslmode=disable"
	}
	db, err := sql.Open(driver, url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, query := range []string{"SELECT id, '', body FROM " + tables + "shared_sessions", "SELECT id, session, body FROM " + tables + "shared_results"} {
		rows, err := db.Query(query)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var id, session string
			var body []byte
			if err := rows.Scan(&id, &session, &body); err != nil {
				t.Fatal(err)
			}
			all.WriteString(id + session + string(body))
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// A result is read by the session that made it alone, with the token that it had, wherever; and the store tells nothing.
func TestAResultIsItsSessionsOwn(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		a, b, stranger := begin(t, url, "token"), begin(t, url, "token"), begin(t, url, "another")
		mine, other := rand.Text(), rand.Text()
		a.open(mine)
		a.open(other)
		text := strings.Repeat("a long result of MINE\n", 4000)
		a.PutResult(mine, "abcd2345", []byte(`{"Tool":"log"}`), []byte(text))
		a.PutResult("", "stateless", nil, []byte("of nobody"))
		a.PutResult("a connection", "notshared", nil, []byte("x"))
		for _, id := range []string{mine, other} {
			if _, _, err := b.resume(id); err != nil {
				t.Fatal(err)
			}
			if _, _, err := stranger.resume(id); !errors.Is(err, shared.ErrUnknown) {
				t.Errorf("with another token: %v", err)
			}
		}
		if got := fetched(t, b, mine, "abcd2345"); got != text {
			t.Errorf("%d bytes of %d", len(got), len(text))
		}
		if head, _, _ := b.Result(t.Context(), mine, "abcd2345"); string(head) != `{"Tool":"log"}` {
			t.Errorf("%s", head)
		}
		if got := fetched(t, b, "", "stateless"); got != "of nobody" {
			t.Errorf("%q", got)
		}
		var reads sync.WaitGroup
		for name, c := range map[string]struct {
			p           *process
			session, id string
		}{"another session": {b, other, "abcd2345"}, "no session": {b, "", "abcd2345"}, "where it was made": {a, other, "abcd2345"}, "another token": {stranger, "", "stateless"},
			"unknown session": {b, rand.Text(), "abcd2345"}, "a connection": {b, "", "notshared"}, "no id": {b, mine, ""}, "a long one": {b, mine, strings.Repeat("x", 1000)}} {
			reads.Go(func() { // what is not there is waited for
				if _, got, ok := c.p.Result(t.Context(), c.session, c.id); ok {
					t.Errorf("%s reads %q", name, got)
				}
			})
		}
		reads.Wait()
		all := shelved(t, url)
		for _, secret := range []string{mine, other, "MINE", "abcd2345", "token", "chat"} {
			if bytes.Contains(all.Bytes(), []byte(secret)) {
				t.Errorf("the store shows %q", secret)
			}
		}
		if all.Len() < 100 || all.Len() > len(text)/4 {
			t.Errorf("%d bytes are kept", all.Len())
		}
	})
}

// Where the server is away sessions go on here, nobody waits long, and what waited is written when it is back.
func TestSessionsGoOnWithoutTheServer(t *testing.T) {
	server := storetest.Shared(t)
	wire := storetest.NewWire(t, server)
	url := server.Address(wire.Port, storetest.Schema(server.URL()))
	a := beginWith(t, url, "", 0)
	id := rand.Text()
	s := a.open(id)
	for name, away := range map[string]func(){"silent": wire.Hold, "cut off": wire.Cut} {
		away()
		before := wire.Taken()
		for i := range 30 {
			call(s, fmt.Sprint(name, i))
			a.Save(t.Context(), id)
			a.Refresh(t.Context(), id)
			a.open(rand.Text())
			if _, _, err := a.resume(rand.Text()); err == nil || errors.Is(err, shared.ErrUnknown) {
				t.Fatalf("%s: what cannot be known is unknown: %v", name, err)
			}
		}
		if tries := wire.Taken() - before; tries > 30 { // of 120: one a second may try again
			t.Errorf("%s: %d waited", name, tries)
		}
		for i := range 80 { // more than may wait
			a.PutResult(id, fmt.Sprint("big", i), nil, make([]byte, 1<<20))
		}
		a.PutResult(id, "kept"+name[:3], nil, []byte("a result"))
		if a.Dropped() < 40 {
			t.Errorf("%s: %d are dropped", name, a.Dropped())
		}
		wire.Mend()
		clocktest.Until(t, name+": what waited is written when it is back", func() bool { return a.Flush(t.Context()) == nil && !s.Fresh().Is() })
		b := begin(t, url, "")
		again, _, err := b.resume(id)
		if err != nil || !slices.Contains(calls(again), name+"29") {
			t.Errorf("%s: %v %v", name, err, calls(again))
		}
		fetched(t, b, id, "kept"+name[:3])
	}
	said := a.told()
	for _, want := range []string{"cannot be shared for now", "are shared again", "long results came faster"} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing is said of %q: %s", want, said)
		}
	}
	if strings.Contains(said, storetest.Password) || strings.Count(said, "cannot be shared for now") > 8 {
		t.Error(said)
	}
}

// What a person deletes is not written again.
func TestWhatIsDeletedStaysDeleted(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		a := begin(t, url, "")
		id := rand.Text()
		s := a.open(id)
		call(s, "before")
		s.SetListedTools([]string{"x"}, true)
		if err := a.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		db, err := store.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := db.Shared().Forget(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		call(s, "after")
		for s.Fresh().Is() {
			if err := a.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			call(s, "later")
			_ = a.Flush(t.Context())
		}
		again, _, err := begin(t, url, "").resume(id)
		if err != nil {
			t.Fatal(err)
		}
		if got := calls(again); slices.Contains(got, "before") || !slices.Contains(got, "later") || !slices.Equal(again.Listed(), []string{"x"}) {
			t.Errorf("%v, shown %v", got, again.Listed())
		}
	})
}
