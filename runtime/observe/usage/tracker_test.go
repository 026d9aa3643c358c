package usage_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
)

// tracking is a tracker on a file, and what it said.
func tracking(t *testing.T, file string, set usage.Settings) (*usage.Tracker, *strings.Builder) {
	t.Helper()
	var mu sync.Mutex
	said := &strings.Builder{}
	tr := usage.New(usage.Options{Open: opener(file), Settings: func() usage.Settings { return set }, Say: func(s string) {
		mu.Lock()
		defer mu.Unlock()
		said.WriteString(s + "\n")
	}})
	t.Cleanup(func() { _ = tr.Close() })
	return tr, said
}

func call(tool string) usage.Call {
	return usage.Call{Server: "files", Tool: tool, At: time.Now(), Elapsed: time.Millisecond, OK: true}
}

// kept reads a file as the next process does.
func kept(t *testing.T, file string) (sessions []usage.Session, calls [][]usage.Call) {
	t.Helper()
	log, err := opener(file)(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if err := log.Sessions(context.Background(), time.Time{}, 1_000_000, func(s usage.Session, c []usage.Call) error {
		sessions, calls = append(sessions, s), append(calls, c)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return sessions, calls
}

func TestWhatIsKeptOfASession(t *testing.T) {
	for _, c := range []struct {
		name            string
		set             usage.Settings
		client          func(string) bool
		argumentsDigest bool
	}{
		{"as it comes", usage.Settings{}, func(s string) bool { return len(s) == 24 }, true},
		{"names of clients", usage.Settings{Clients: usage.Name}, func(s string) bool { return s == "a client's name" }, true},
		{"neither", usage.Settings{Clients: usage.None, Arguments: usage.None}, func(s string) bool { return s == "" }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "u.db")
			tr, _ := tracking(t, file, c.set)
			who := usage.Told{ID: "id-that-is-a-key", Profile: "work", Client: "a client's name", Version: "7.1", Era: "handshake"}
			tr.Called(who, call("early"), nil)
			tr.Shown(who, []string{"files/read", "files/list"}, numbered(40))
			for range 2 {
				tr.Called(who, call("read"), []byte(`{"path":"notes/letter.txt"}`))
			}
			tr.Called(who, call("write"), []byte(`{"path":"other"}`))
			if err := tr.Close(); err != nil {
				t.Fatal(err)
			}
			sessions, calls := kept(t, file)
			if len(sessions) != 1 || !c.client(sessions[0].Client) || sessions[0].Profile != "work" || sessions[0].Offered != 40 || len(sessions[0].Shown) != 2 {
				t.Fatalf("%+v", sessions)
			}
			if want := map[bool]string{true: "", false: "7.1"}[c.set.Clients == usage.None]; sessions[0].Version != want {
				t.Errorf("version %q, want %q", sessions[0].Version, want)
			}
			got := calls[0]
			hidden := fmt.Sprint(got[0].Hidden, got[1].Hidden, got[3].Hidden)
			if len(got) != 4 || got[3].Number != 4 || hidden != "false false true" {
				t.Errorf("%+v", got)
			}
			if c.argumentsDigest != (got[1].Arguments != "" && got[1].Arguments == got[2].Arguments && got[1].Arguments != got[3].Arguments) {
				t.Errorf("digests %q", []string{got[1].Arguments, got[2].Arguments, got[3].Arguments})
			}
			for _, secret := range []string{"id-that-is-a-key", "notes/letter.txt"} {
				if raw, _ := os.ReadFile(file); bytes.Contains(raw, []byte(secret)) {
					t.Errorf("the file holds %q", secret)
				}
			}
		})
	}
}

// numbered are tools that there are.
func numbered(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint("files/t", i)
	}
	return out
}

// A session says which tools there were for it. Those that are alike in whatever order are kept once, also where they come
// again after a purge; of too many the number is kept alone.
func TestCatalogs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "u.db")
	tr, _ := tracking(t, file, usage.Settings{})
	all := numbered(300)
	turned := slices.Clone(all)
	slices.Reverse(turned)
	list := func(id string, tools []string) {
		tr.Shown(usage.Told{ID: id}, all[:2], tools)
		tr.Called(usage.Told{ID: id}, call("read"), nil)
	}
	list("one", all)
	list("two", turned)
	list("more", numbered(301))
	list("many", numbered(5000))
	tr.Called(usage.Told{ID: "none"}, call("read"), nil)
	if err := tr.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	log, err := opener(file)(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if err := log.Purge(t.Context(), time.Now().Add(time.Hour), 0); err != nil {
		t.Fatal(err)
	}
	list("one", all)
	list("more", numbered(301))
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	sessions, _ := kept(t, file)
	got := map[int]string{}
	for _, s := range sessions {
		tools, err := log.Catalog(t.Context(), s.Catalog)
		if err != nil || len(tools) != s.Offered || !slices.IsSorted(tools) {
			t.Errorf("%d of %d tools, %v", len(tools), s.Offered, err)
		}
		got[s.Offered] = s.Catalog
	}
	if len(got) != 2 || got[300] == got[301] || got[300] == "" {
		t.Errorf("%v", got)
	}
}

func TestNothingIsKeptWhereItIsTurnedOff(t *testing.T) {
	file := filepath.Join(t.TempDir(), "u.db")
	tr, _ := tracking(t, file, usage.Settings{Off: true})
	tr.Shown(usage.Told{ID: "s"}, []string{"files/read"}, numbered(3))
	tr.Called(usage.Told{ID: "s"}, call("read"), nil)
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a file was made")
	}
}

func TestManySessionsAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "u.db")
	tr, _ := tracking(t, file, usage.Settings{})
	var wg sync.WaitGroup
	const sessions, each = 40, 50
	for i := range sessions {
		wg.Go(func() {
			for n := range each {
				tr.Called(usage.Told{ID: fmt.Sprint(i)}, call(fmt.Sprint("t", n)), nil)
				if n%17 == 0 {
					_ = tr.Flush(context.Background())
				}
			}
			tr.End(fmt.Sprint(i))
		})
	}
	wg.Wait()
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	list, calls := kept(t, file)
	if len(list) != sessions {
		t.Fatalf("%d sessions", len(list))
	}
	for i, of := range calls {
		if len(of) != each || of[each-1].Number != each || of[each-1].Tool != fmt.Sprint("t", each-1) {
			t.Errorf("session %d has %d calls", i, len(of))
		}
	}
}

func TestAFileThatCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tr, said := tracking(t, filepath.Join(dir, "u.db"), usage.Settings{})
	for range 20_000 {
		tr.Called(usage.Told{ID: "s"}, call("read"), nil)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if strings.Count(said.String(), "the use of tools is not kept") != 1 {
		t.Errorf("said %q", said)
	}
}

// The disk is away for a while: calls wait, as many as there is room for, and what was
// lost is counted and said.
func TestCallsWaitForALogThatComesBack(t *testing.T) {
	file := filepath.Join(t.TempDir(), "u.db")
	var failing atomic.Bool
	failing.Store(true)
	var said strings.Builder
	tr := usage.New(usage.Options{Settings: func() usage.Settings { return usage.Settings{} }, Say: func(s string) { said.WriteString(s + "\n") },
		Open: func(ctx context.Context) (usage.Log, error) {
			log, err := opener(file)(ctx)
			return faulty{log, &failing, func() {}}, err
		}})
	const room = 8192
	for n := range room + 10 {
		tr.Called(usage.Told{ID: "s"}, call(fmt.Sprint("t", n)), nil)
	}
	for range 3 {
		if tr.Flush(context.Background()) == nil {
			t.Fatal("it was written")
		}
	}
	failing.Store(false)
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if _, calls := kept(t, file); len(calls) != 1 || len(calls[0]) != room || tr.Lost() != 10 {
		t.Errorf("%d sessions, %d lost", len(calls), tr.Lost())
	}
	if text := said.String(); strings.Count(text, "cannot be kept for now") != 1 || !strings.Contains(text, "more came than could wait: 10 calls, of 20") {
		t.Errorf("said %q", text)
	}
}

// A session that ends while it cannot be written is written later, as one that goes on is.
func TestASessionEndsWhileItCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "u.db")
	var failing atomic.Bool
	failing.Store(true)
	var tr *usage.Tracker
	tr = usage.New(usage.Options{Settings: func() usage.Settings { return usage.Settings{} }, Open: func(ctx context.Context) (usage.Log, error) {
		log, err := opener(file)(ctx)
		return faulty{log, &failing, func() { tr.End("s") }}, err
	}})
	tr.Called(usage.Told{ID: "s"}, call("read"), nil)
	if tr.Flush(context.Background()) == nil {
		t.Fatal("it was written")
	}
	failing.Store(false)
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if sessions, _ := kept(t, file); len(sessions) != 1 {
		t.Errorf("%d sessions are kept", len(sessions))
	}
}

// faulty is a real log whose writes fail for a while.
type faulty struct {
	usage.Log
	failing *atomic.Bool
	fails   func() // is called when a write fails
}

func (f faulty) Append(ctx context.Context, b usage.Batch) error {
	if f.failing.Load() {
		f.fails()
		return fmt.Errorf("no space left on device")
	}
	return f.Log.Append(ctx, b)
}

// A process that is killed loses the batch that it had not written, and nothing else; no
// call is there twice, and the next process says at once which was the last one.
// COMPACTOR_LONG=1 kills 200 times.
func TestKilledAtAnyMoment(t *testing.T) {
	rounds := 6
	if os.Getenv("COMPACTOR_LONG") != "" {
		rounds = 200
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	for round := range rounds {
		file := filepath.Join(t.TempDir(), "u.db")
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), writerOf+"="+file)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		in := bufio.NewScanner(out)
		done := map[string]int{}
		for done["kept"] == 0 && in.Scan() {
			take(done, in.Text())
		}
		time.AfterFunc(time.Duration(rand.IntN(80))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		for in.Scan() {
			take(done, in.Text())
		}
		_ = cmd.Wait()
		_, calls := kept(t, file)
		if len(calls) != 1 || len(calls[0]) < done["kept"] || len(calls[0]) < done["called"]-batched {
			t.Fatalf("round %d: %d were called and %d kept, %d sessions are there", round, done["called"], done["kept"], len(calls))
		}
		most = max(most, done["called"]-len(calls[0]))
		for i, c := range calls[0] {
			if c.Number != i+1 {
				t.Fatalf("round %d: call %d has number %d", round, i+1, c.Number)
			}
		}
		next, said := tracking(t, file, usage.Settings{})
		next.Called(usage.Told{ID: "next"}, call("read"), nil)
		if err := next.Close(); err != nil {
			t.Fatal(err)
		}
		last := calls[0][len(calls[0])-1]
		if want := fmt.Sprintf("%s call %d (%s)", last.Session, last.Number, last.Name()); !strings.Contains(said.String(), want) {
			t.Fatalf("round %d: said %q, not %q", round, said, want)
		}
	}
	t.Logf("killed %d times: %d calls were lost at most", rounds, most)
}

func take(done map[string]int, line string) {
	what, n, _ := strings.Cut(line, " ")
	done[what], _ = strconv.Atoi(n)
}

func TestTheNextRunSaysThatOneWasKilled(t *testing.T) {
	file := filepath.Join(t.TempDir(), "u.db")
	log, err := opener(file)(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	if err := log.Append(context.Background(), usage.Batch{Run: usage.Run{ID: "old", Started: at, Written: at}}); err != nil {
		t.Fatal(err)
	}
	_ = log.Close()
	for _, want := range []int{1, 0} {
		tr, said := tracking(t, file, usage.Settings{})
		tr.Called(usage.Told{ID: "s"}, call("read"), nil)
		if err := tr.Close(); err != nil {
			t.Fatal(err)
		}
		if strings.Count(said.String(), "until 2026-03-01 12:00:00") != want {
			t.Errorf("said %q, want it %d times", said, want)
		}
	}
}

func BenchmarkCalled(b *testing.B) {
	file := filepath.Join(b.TempDir(), "u.db")
	tr := usage.New(usage.Options{Open: opener(file), Settings: func() usage.Settings { return usage.Settings{} }})
	defer tr.Close()
	arguments := []byte(`{"path":"a/b/c","limit":10}`)
	for b.Loop() {
		tr.Called(usage.Told{ID: "s"}, call("read"), arguments)
	}
}

// A list may be longer than what is kept of it.
func TestNothingOfALongListIsHidden(t *testing.T) {
	file := filepath.Join(t.TempDir(), "u.db")
	tr, _ := tracking(t, file, usage.Settings{})
	var names []string
	for n := range 2000 {
		names = append(names, fmt.Sprint("files/t", n))
	}
	tr.Shown(usage.Told{ID: "s"}, names, numbered(2001))
	for _, tool := range []string{"t3", "t1999", "t2000"} {
		tr.Called(usage.Told{ID: "s"}, call(tool), nil)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if _, calls := kept(t, file); len(calls) != 1 || calls[0][0].Hidden || calls[0][1].Hidden || !calls[0][2].Hidden {
		t.Errorf("%+v", calls)
	}
}

func TestMoreSessionsAtOnceThanAreKeptOpen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "u.db")
	tr, _ := tracking(t, file, usage.Settings{})
	for n := range 1100 {
		tr.Called(usage.Told{ID: fmt.Sprint(n)}, call("read"), nil)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if sessions, _ := kept(t, file); len(sessions) != 1100 {
		t.Errorf("%d sessions", len(sessions))
	}
}

// Who learns may ask before anything is to be kept, where nothing is, and may be gone
// before it is answered.
func TestReading(t *testing.T) {
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name   string
		ctx    context.Context
		off    bool
		called bool
		runs   int
	}{
		{"nothing is kept", context.Background(), true, false, 0},
		{"nothing came yet", context.Background(), false, false, 0},
		{"who asks is gone", gone, false, true, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "u.db")
			open, closed := 0, 0
			tr := usage.New(usage.Options{Settings: func() usage.Settings { return usage.Settings{Off: c.off} },
				Say: func(s string) { t.Errorf("said %q", s) },
				Open: func(ctx context.Context) (usage.Log, error) {
					if err := ctx.Err(); err != nil {
						return nil, err
					}
					log, err := opener(file)(ctx)
					open++
					return counting{log, &closed}, err
				}})
			_ = tr.Read(c.ctx, time.Time{}, 10, func(usage.Session, []usage.Call) error { return nil })
			if c.called {
				tr.Called(usage.Told{ID: "s"}, call("read"), nil)
			}
			if err := tr.Close(); err != nil {
				t.Fatal(err)
			}
			if open != closed {
				t.Errorf("opened %d times, closed %d times", open, closed)
			}
			if c.off {
				if _, err := os.Stat(file); err == nil {
					t.Error("a file was made")
				}
				return
			}
			if sessions, _ := kept(t, file); len(sessions) != c.runs {
				t.Errorf("%d sessions", len(sessions))
			}
			log, err := opener(file)(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			defer log.Close()
			if runs, err := log.Unended(context.Background(), func(usage.Run) bool { return true }); err != nil || len(runs) != 0 {
				t.Errorf("a run that was closed ended without a word: %+v, %v", runs, err)
			}
		})
	}
}

// counting is a real log that counts how often it is closed.
type counting struct {
	usage.Log
	closed *int
}

func (c counting) Close() error {
	*c.closed++
	return c.Log.Close()
}
