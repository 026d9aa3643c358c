package store_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/world/store"
	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// changed is an address with something in it replaced.
func changed(t *testing.T, address string, change func(*url.URL)) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	change(u)
	return u.String()
}

// What can be wrong with a server is said with the way out, and never with the password.
func TestWhatIsWrongWithAServer(t *testing.T) {
	server := storetest.Shared(t)
	newer, foreign := server.URL(), server.URL()
	open(t, newer).Close()
	server.Exec(t, "INSERT INTO "+storetest.Schema(newer)+".compactor_schema VALUES (99)",
		"CREATE SCHEMA "+storetest.Schema(foreign), "CREATE TABLE "+storetest.Schema(foreign)+".orders (id int)",
		"DROP ROLE IF EXISTS visitor, crowd", // of a run before on the same server
		"CREATE ROLE visitor LOGIN PASSWORD 'visit'", "CREATE ROLE crowd LOGIN PASSWORD 'crowd' CONNECTION LIMIT 0")
	as := func(user, password string) string {
		return changed(t, server.URL(), func(u *url.URL) { u.User = url.UserPassword(user, password) })
	}
	for name, c := range map[string]struct {
		url  string
		want error
		says string
	}{
		"refused":       {server.Address(1, "s"), store.ErrAway, "start it, or mend host and port"},
		"no host":       {changed(t, server.URL(), func(u *url.URL) { u.Host = "no-such-host.invalid" }), store.ErrAway, "no-such-host"},
		"wrong login":   {as(storetest.User, "wr0ng-Pa55"), store.ErrLogin, "mend user and password"},
		"no such user":  {as("nobody_here", "wr0ng-Pa55"), store.ErrLogin, "mend user and password"},
		"no database":   {changed(t, server.URL(), func(u *url.URL) { u.Path = "/missing" }), store.ErrNoDatabase, "createdb"},
		"no rights":     {as("visitor", "visit"), store.ErrDenied, "CREATE SCHEMA"},
		"crowded":       {as("crowd", "crowd"), store.ErrCrowded, "max_connections"},
		"no encryption": {changed(t, server.URL(), func(u *url.URL) { u.RawQuery = "sslmode=require" }), store.ErrUnsafe, "certificate"},
		"newer":         {newer, store.ErrNewer, "update compactor"},
		"foreign":       {foreign, store.ErrForeign, "search_path=NAME"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			s, err := store.Open(t.Context(), c.url)
			if s != nil || !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || !store.Withholds(err) {
				t.Fatalf("%v; want %v", err, c.want)
			}
			later, err := store.OpenLater(t.Context(), c.url)
			if err != nil {
				t.Fatal(err)
			}
			defer later.Close()
			_, err = later.Pins(t.Context(), "files")
			if !errors.Is(err, c.want) {
				t.Errorf("later: %v", err)
			}
			for _, secret := range []string{storetest.Password, url.QueryEscape(storetest.Password), "wr0ng-Pa55", "visit:", "crowd:"} {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("it shows the password: %v", err)
				}
			}
		})
	}
	if n := server.Count(t, "SELECT count(*) FROM pg_tables WHERE schemaname = $1", storetest.Schema(foreign)); n != 1 {
		t.Errorf("%d tables in another program's schema", n)
	}
}

// Several that start at once make the tables once, and each can use them.
func TestManyStartAtOnce(t *testing.T) {
	server := storetest.Shared(t)
	url := server.URL()
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			s, err := store.Open(context.Background(), url)
			if err == nil {
				err = s.PutPins(context.Background(), []store.Pin{{Server: "files", Tool: fmt.Sprint(i)}})
				_ = s.Close()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := read(t, open(t, url), "files"); len(got) != 12 {
		t.Errorf("%d pins", len(got))
	}
	if n := server.Count(t, "SELECT count(*) FROM "+storetest.Schema(url)+".compactor_schema WHERE version = 1"); n != 1 {
		t.Errorf("the first script was run %d times", n)
	}
}

// A server that is silent costs one caller its patience, and the others nothing. What was counted meanwhile is there
// afterwards, once.
func TestAServerThatIsSilent(t *testing.T) {
	server := storetest.Shared(t)
	wire := storetest.NewWire(t, server)
	url := server.Address(wire.Port, storetest.Schema(server.URL()))
	s := open(t, url)
	s.Count("", "files", "a", true)
	uses(t, s)
	for _, away := range []func(){wire.Hold, wire.Cut} {
		away()
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		if _, err := s.Pins(ctx, "files"); !errors.Is(err, store.ErrAway) {
			t.Error(err)
		}
		cancel()
		before := wire.Taken()
		for range 100 {
			if _, err := s.Pins(t.Context(), "files"); err == nil {
				t.Error("it answers")
			}
		}
		if tries := wire.Taken() - before; tries > 20 { // one a second may try again
			t.Errorf("of 100 callers %d waited", tries)
		}
		for range 1000 {
			s.Count("", "files", "a", true)
		}
		wire.Mend()
		var err error
		clocktest.Until(t, "it answers again", func() bool { _, err = s.Uses(t.Context()); return err == nil }, func() any { return err })
	}
	if got := uses(t, s)["a"]; got.Count != 2001 {
		t.Errorf("%+v", got)
	}
}

// Who waited for one of our own connections in vain says so, and the others do not take the server for one that is away.
func TestCallersThatCrowd(t *testing.T) {
	s := open(t, storetest.Shared(t).URL())
	end := s.Crowd()
	late, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	if _, err := s.Pins(late, "files"); !errors.Is(err, store.ErrSlow) || errors.Is(err, store.ErrAway) || !strings.Contains(err.Error(), "look at the load") {
		t.Error(err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := s.Pins(gone, "files"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	end()
	if _, err := s.Pins(t.Context(), "files"); err != nil {
		t.Error(err)
	}
}

// An answer that is lost is no second count: of batches that were cut off at each moment, from the first greeting on,
// each is there once.
func TestALostAnswerCountsOnce(t *testing.T) {
	server := storetest.Shared(t)
	wire := storetest.NewWire(t, server)
	s := open(t, server.Address(wire.Port, storetest.Schema(server.URL())))
	wire.Cut() // each round makes a connection of its own
	most, failed := 0, 0
	for pieces := 1; failed == most; pieces++ {
		wire.Mend()
		wire.CutAfter(pieces)
		s.Knock()
		s.Count("", "files", "a", true)
		most++
		if _, err := s.Uses(t.Context()); err != nil {
			failed++
		}
	}
	if failed < 10 {
		t.Errorf("cut off %d times", failed)
	}
	wire.Mend()
	var list []store.Use
	var err error
	clocktest.Until(t, "it answers again", func() bool { list, err = s.Uses(t.Context()); return err == nil }, func() any { return err })
	if len(list) != 1 || list[0].Count != most {
		t.Errorf("of %d: %+v", most, list)
	}
}

// Counts of many tools are written within the seconds that a change has, though each trip to the server takes a while.
func TestManyCountsTakeFewTrips(t *testing.T) {
	server := storetest.Shared(t)
	wire := storetest.NewWire(t, server)
	s := open(t, server.Address(wire.Port, storetest.Schema(server.URL())))
	const tools = 5000
	for n := range tools {
		s.Count("", "files", "tool"+strconv.Itoa(n), true)
	}
	wire.CutAfter(tools / 2) // a trip for each would be twice as many pieces as there are tools
	list, err := s.Uses(t.Context())
	if err != nil || len(list) != tools {
		t.Errorf("%d are kept: %v", len(list), err)
	}
}

// The server stops in the middle and comes back: what was tracked meanwhile is written, and what found no room is told.
func TestTheServerComesBack(t *testing.T) {
	server := storetest.New(t)
	url := server.URL()
	server.Stop()
	said := &sayings{}
	tracker := usage.New(usage.Options{
		Open: func(ctx context.Context) (usage.Log, error) {
			s, err := store.OpenLater(ctx, url)
			if err != nil {
				return nil, err
			}
			return s.Usage(), nil
		},
		Settings: func() usage.Settings { return usage.Settings{} }, Say: said.say,
	})
	call := func(n int) {
		for range n {
			tracker.Called(usage.Told{ID: "one"}, usage.Call{Server: "files", Tool: "a", At: time.Now(), OK: true}, nil)
		}
	}
	kept := func() int {
		s, err := store.Open(context.Background(), url)
		if err != nil {
			return -1
		}
		defer s.Close()
		sum, _ := s.Usage().Totals(context.Background())
		return sum.Calls
	}
	call(10)
	said.await(t, "cannot be kept for now", 1)
	server.Start(t)
	said.await(t, "is kept again", 1)
	if n := kept(); n != 10 {
		t.Errorf("%d calls of 10", n)
	}
	server.Stop()
	call(9000) // more than waits
	said.await(t, "cannot be kept for now", 2)
	server.Start(t)
	said.await(t, "is kept again", 2)
	said.await(t, "more came than could wait: 8", 1)
	if err := tracker.Close(); err != nil {
		t.Error(err)
	}
	if n, lost := kept(), tracker.Lost(); lost == 0 || n != 9010-lost {
		t.Errorf("%d calls are kept, %d were lost", n, lost)
	}
	shelf := open(t, url).Timeline()
	for range 2 { // what was thought lost comes again
		session, spans := sessionOf(1, "words")
		if err := shelf.Put(t.Context(), []timeline.Session{session}, spans); err != nil {
			t.Fatal(err)
		}
	}
	if _, spans, err := shelf.Session(t.Context(), "s1"); err != nil || len(spans) != spansEach {
		t.Errorf("%d spans, %v", len(spans), err)
	}
}

type sayings struct {
	mu   sync.Mutex
	text []string
}

func (s *sayings) say(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = append(s.text, text)
}

// await waits until something was said so many times.
func (s *sayings) await(t *testing.T, part string, times int) {
	t.Helper()
	heard := func() string {
		s.mu.Lock()
		defer s.mu.Unlock()
		return strings.Join(s.text, "; ")
	}
	clocktest.Until(t, fmt.Sprintf("%q is said %d times", part, times), func() bool { return strings.Count(heard(), part) == times }, func() any { return heard() })
}

// A process that is killed while it writes to a server loses nothing that was acknowledged, and the others go on.
func TestKilledBesideOthers(t *testing.T) {
	url := storetest.Shared(t).URL()
	open(t, url).Close()
	var all []*exec.Cmd
	for _, name := range []string{"a", "b", "killed"} {
		cmd := child(t, "share", url, name)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	s := open(t, url)
	clocktest.Until(t, "it has written", func() bool {
		return slices.ContainsFunc(read(t, s, "files"), func(p store.Pin) bool { return p.Hash == "killed" })
	})
	_ = all[2].Process.Kill()
	_ = all[2].Wait()
	for _, cmd := range all[:2] {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	written := map[string]int{}
	for _, p := range read(t, s, "files") {
		written[p.Hash]++
	}
	if written["a"] != perProcess || written["b"] != perProcess {
		t.Errorf("%v", written)
	}
}
