package supervise

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/process"
)

// program is a program that ends when it is told to.
type program struct {
	out    *io.PipeReader
	in     *io.PipeWriter
	done   chan struct{}
	once   sync.Once
	exit   string
	stderr []string
	stop   error
}

func newProgram() *program {
	p := &program{done: make(chan struct{})}
	p.out, p.in = io.Pipe()
	return p
}

func (p *program) end(why string) {
	p.once.Do(func() {
		p.exit = why
		p.in.Close()
		close(p.done)
	})
}

func (p *program) Stdout() io.Reader     { return p.out }
func (p *program) Stderr() []string      { return p.stderr }
func (p *program) Done() <-chan struct{} { return p.done }
func (p *program) Exit() string          { return p.exit }
func (p *program) Succeeded() bool       { return p.exit == "it exited with status 0" }
func (p *program) PID() int              { return 7 }
func (p *program) Stop(time.Duration) error {
	p.end("it was stopped")
	return p.stop
}

// announceSoon has a program announce itself after a while.
func (p *program) announceSoon(after time.Duration) *program {
	return p.saySoon(after, `SERVER_READY {"transport": "http", "addr": "127.0.0.1:8080"}`)
}

// saySoon has a program write a line after a while.
func (p *program) saySoon(after time.Duration, line string) *program {
	time.AfterFunc(after, func() { fmt.Fprintln(p.in, line) })
	return p
}

// endSoon has a program end after a while.
func (p *program) endSoon(after time.Duration, why string) *program {
	time.AfterFunc(after, func() { p.end(why) })
	return p
}

// world runs a supervisor of programs that a test provides, and notes what happens.
type world struct {
	mu     sync.Mutex
	began  time.Time
	events []string // name state@seconds
	lines  []string
	s      *Supervisor
}

func dependency(name string, maxRestarts int, needs ...string) config.Dependency {
	return config.Dependency{Program: config.Server{Name: name}, MaxRestarts: maxRestarts, Needs: needs}
}

func newWorld(list []config.Dependency, start func(name string) (*program, error)) *world {
	w := &world{began: time.Now()}
	all := map[string]config.Dependency{}
	for _, d := range list {
		d.Program.Command = "program"
		if d.Start == 0 {
			d.Start = 30 * time.Second
		}
		all[d.Program.Name] = d
	}
	w.s = New(Options{
		Dependencies: all,
		Variable:     func(config.Server, string) (string, bool) { return "", false },
		Start: func(ctx context.Context, c process.Command) (Program, error) {
			p, err := start(c.Name)
			if err != nil {
				return nil, err
			}
			return p, nil
		},
		Changed: func(st Status) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.events = append(w.events, fmt.Sprintf("%s %s@%g", st.Name, st.State, time.Since(w.began).Seconds()))
		},
		Print: func(name, line string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.lines = append(w.lines, name+": "+line)
		},
	})
	return w
}

func (w *world) check(t *testing.T, want ...string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Equal(w.events, want) {
		t.Errorf("events:\n%s\nwant:\n%s", strings.Join(w.events, "\n"), strings.Join(want, "\n"))
	}
}

// Each starts when those that it needs are ready, and stops before them.
func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld([]config.Dependency{dependency("front", 0, "db", "model"), dependency("db", 0), dependency("model", 0, "db")},
			func(string) (*program, error) { return newProgram().announceSoon(time.Second), nil })
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		if err := w.s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		w.mu.Lock()
		w.events = slices.DeleteFunc(w.events, func(e string) bool { return strings.HasSuffix(e, "waiting@0") })
		w.mu.Unlock()
		w.check(t, "db starting@0", "db ready@1", "model starting@1", "model ready@2", "front starting@2", "front ready@3",
			"front stopping@60", "front stopped@60", "model stopping@60", "model stopped@60", "db stopping@60", "db stopped@60")
	})
}

// The wait before a restart doubles until the dependency was ready for a minute, and after max_restarts in a row the
// dependency is given up and all others are stopped.
func TestRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lives := []time.Duration{3 * time.Second, 3 * time.Second, 2 * time.Minute, time.Second, time.Second, time.Second, time.Second}
		started := 0
		w := newWorld([]config.Dependency{dependency("db", 3), dependency("other", 0)}, func(name string) (*program, error) {
			p := newProgram().announceSoon(0)
			if name == "db" {
				p.endSoon(lives[started], "it exited with status 1")
				p.stderr = []string{"out of memory"}
				started++
			}
			return p, nil
		})
		err := w.s.Run(t.Context())
		if want := "dependency db: it exited with status 1; it wrote: out of memory"; err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
		w.mu.Lock()
		w.events = slices.DeleteFunc(w.events, func(e string) bool {
			return strings.HasPrefix(e, "other st") && strings.HasSuffix(e, "@0") || strings.HasPrefix(e, "other ready")
		})
		w.mu.Unlock()
		w.check(t, "db starting@0", "db ready@0", "db restarting@3", "db starting@3.5", "db ready@3.5", "db restarting@6.5",
			"db starting@7.5", "db ready@7.5", "db restarting@127.5", "db starting@128", "db ready@128", "db restarting@129",
			"db starting@130", "db ready@130", "db restarting@131", "db starting@133", "db ready@133", "db failed@134",
			"other stopping@134", "other stopped@134")
	})
}

func TestDelayAfter(t *testing.T) {
	for n, want := range map[int]time.Duration{1: 500 * time.Millisecond, 2: time.Second, 6: 16 * time.Second, 7: 30 * time.Second, 1000: 30 * time.Second} {
		if got := delayAfter(n); got != want {
			t.Errorf("after %d failures: %s, want %s", n, got, want)
		}
	}
}

// What is wrong at first is said at once; later it may pass.
func TestSetupErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld([]config.Dependency{dependency("db", 5)}, func(string) (*program, error) { return nil, errors.New("no such program") })
		if err := w.s.Run(t.Context()); err == nil || err.Error() != "dependency db: no such program" {
			t.Error(err)
		}
		w.check(t, "db starting@0", "db failed@0")
	})
	synctest.Test(t, func(t *testing.T) {
		n := 0
		w := newWorld([]config.Dependency{dependency("db", 5)}, func(string) (*program, error) {
			if n++; n == 2 {
				return nil, errors.New("text file busy")
			}
			p := newProgram().announceSoon(0)
			if n == 1 {
				p.endSoon(time.Second, "it exited with status 1")
			}
			return p, nil
		})
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		if err := w.s.Run(ctx); err != nil {
			t.Error(err)
		}
		w.check(t, "db starting@0", "db ready@0", "db restarting@1", "db starting@1.5", "db restarting@1.5", "db starting@2.5", "db ready@2.5",
			"db stopping@60", "db stopped@60")
	})
}

// A start ends in one of these ways; in each of them nothing runs on, and the error says what to do.
func TestNotReady(t *testing.T) {
	for name, c := range map[string]struct {
		start func() *program
		want  string
	}{
		"ends":                {func() *program { return newProgram().endSoon(time.Second, "it exited with status 3") }, "before it was ready, it exited with status 3"},
		"says nothing":        {newProgram, "did not print SERVER_READY in time"},
		"elsewhere":           {func() *program { return newProgram().saySoon(0, `SERVER_READY {"addr": "192.0.2.1:80"}`) }, "not on this machine"},
		"garbled":             {func() *program { return newProgram().saySoon(0, `SERVER_READY {"addr": 80}`) }, "cannot be read"},
		"ends as it is ready": {func() *program { return newProgram().announceSoon(time.Second).endSoon(time.Second, "gone") }, "gone"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var p *program
				w := newWorld([]config.Dependency{dependency("db", 0)}, func(string) (*program, error) { p = c.start(); return p, nil })
				if err := w.s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("error %v, want %q in it", err, c.want)
				}
				select {
				case <-p.done:
				default:
					t.Error("it still runs")
				}
			})
		})
	}
}

// Whenever supervising ends, it ends, and nothing runs on.
func TestStopAtAnyTime(t *testing.T) {
	for at := range 40 {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			running := map[*program]bool{}
			w := newWorld([]config.Dependency{dependency("a", 9), dependency("b", 0, "a"), dependency("c", 0, "a", "b")}, func(name string) (*program, error) {
				p := newProgram().announceSoon(time.Second)
				if name == "a" {
					p.endSoon(2500*time.Millisecond, "it crashed")
				}
				mu.Lock()
				defer mu.Unlock()
				running[p] = true
				return p, nil
			})
			ctx, stop := context.WithTimeout(t.Context(), time.Duration(at)*250*time.Millisecond)
			defer stop()
			if err := w.s.Run(ctx); err != nil {
				t.Error(err)
			}
			for p := range running {
				select {
				case <-p.done:
				default:
					t.Error("a program runs on")
				}
			}
			for _, st := range w.s.Statuses() {
				if st.State != Stopped || st.PID != 0 || st.Addr != "" {
					t.Errorf("%+v", st)
				}
			}
		})
	}
}

// What cannot be stopped is an error.
func TestNotStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld([]config.Dependency{dependency("db", 0)}, func(string) (*program, error) {
			p := newProgram().announceSoon(0)
			p.stop = errors.New("process 7 could not be ended")
			return p, nil
		})
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if err := w.s.Run(ctx); err == nil || !strings.Contains(err.Error(), "process 7") {
			t.Error(err)
		}
	})
}

// A program gets the addresses of those that are ready, a project's only if it is of the project itself.
func TestVariables(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := map[string][]string{}
		var mu sync.Mutex
		w := newWorld([]config.Dependency{dependency("db", 0), {Program: config.Server{Name: "app", Args: []string{"--db", "${DB_ADDR}"}, Env: map[string]string{"DB": "${DB_ADDR}"}}, Needs: []string{"db"}}}, nil)
		w.s.opt.Start = func(_ context.Context, c process.Command) (Program, error) {
			mu.Lock()
			defer mu.Unlock()
			got[c.Name] = append(slices.Clone(c.Args), slices.Collect(maps.Values(c.Env))...)
			return newProgram().announceSoon(0), nil
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if err := w.s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if want := []string{"--db", "127.0.0.1:8080", "127.0.0.1:8080"}; !slices.Equal(got["app"], want) {
			t.Errorf("got %q", got["app"])
		}
	})
	list := []Status{{Name: "db", State: Ready, Addr: "127.0.0.1:1", Project: true}, {Name: "own", State: Ready, Addr: "127.0.0.1:2"}, {Name: "late", State: Starting, Addr: "127.0.0.1:3"}}
	for _, c := range []struct {
		variable string
		project  bool
		want     string
	}{{"DB_ADDR", true, "127.0.0.1:1"}, {"DB_ADDR", false, ""}, {"OWN_ADDR", true, "127.0.0.1:2"}, {"OWN_ADDR", false, "127.0.0.1:2"}, {"LATE_ADDR", true, ""}, {"NONE_ADDR", true, ""}} {
		if got, _ := Value(list, c.variable, c.project); got != c.want {
			t.Errorf("%s for project %t: %q, want %q", c.variable, c.project, got, c.want)
		}
	}
}

// Output is passed on by lines, with secrets masked, whatever it consists of.
func TestOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld([]config.Dependency{{Program: config.Server{Name: "db", Env: map[string]string{"API_KEY": "hunter2hunter2"}}}}, func(string) (*program, error) {
			p := newProgram().announceSoon(time.Second)
			time.AfterFunc(0, func() {
				fmt.Fprintf(p.in, "key hunter2hunter2\r\n\n\x1b[31mred\x1b[0m\n%s\nlast", strings.Repeat("x", maxLine+10))
			})
			return p, nil
		})
		ctx, stop := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer stop()
		_ = w.s.Run(ctx)
		if len(w.lines) != 5 || w.lines[0] != "db: key [REDACTED:API_KEY]" || strings.Contains(w.lines[1], "\x1b") || len(w.lines[2]) != maxLine+4 || w.lines[3] != "db: "+strings.Repeat("x", 10) || w.lines[4] != "db: last" {
			t.Errorf("%.60q", w.lines)
		}
	})
}
