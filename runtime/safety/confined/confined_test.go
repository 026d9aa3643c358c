package confined_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/safety/confined"
)

// The test binary is also the child.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "work" {
		os.Exit(confined.Serve(os.Stdin, os.Stdout, work))
	}
	os.Exit(m.Run())
}

// work does what the request says.
func work(request json.RawMessage, data []byte, step func(string)) ([]byte, error) {
	var what string
	if err := json.Unmarshal(request, &what); err != nil {
		return nil, err
	}
	step("about to " + what)
	switch what {
	case "turn round":
		out := make([]byte, len(data))
		for i, c := range data {
			out[len(data)-1-i] = c
		}
		return out, nil
	case "spin":
		for n := 0; ; n++ {
			if n < 0 {
				return nil, nil
			}
		}
	case "sleep":
		select {}
	case "grow":
		var all [][]byte
		for {
			b := make([]byte, 1<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			if all = append(all, b); len(all) > 1<<20 {
				return all[0], nil
			}
		}
	case "recurse":
		return nil, fmt.Errorf("%d", recurse(0))
	case "give up":
		return nil, fmt.Errorf("wrapped: %w", confined.Breach("too odd"))
	case "crash":
		panic("it has fallen over")
	}
	return nil, errors.New("not known")
}

func recurse(n int) int {
	if n < 0 {
		return 0
	}
	return recurse(n+1) + 1
}

var generous = confined.Limits{CPU: time.Minute, Wall: time.Minute, Memory: 1 << 30}

// TestAnEndingSaysItsCause: each limit ends the child and nothing else.
func TestAnEndingSaysItsCause(t *testing.T) {
	for _, c := range []struct {
		what, cause string
		limits      confined.Limits
	}{
		{"spin", confined.CauseCPU, confined.Limits{CPU: 100 * time.Millisecond, Wall: time.Minute, Memory: 1 << 30}},
		{"sleep", confined.CauseWall, confined.Limits{CPU: time.Minute, Wall: 500 * time.Millisecond, Memory: 1 << 30}},
		{"grow", confined.CauseMemory, confined.Limits{CPU: time.Minute, Wall: time.Minute, Memory: 128 << 20}},
		{"recurse", confined.CauseStack, generous},
		{"give up", "too odd", generous},
		{"crash", confined.CauseCrash, generous},
	} {
		t.Run(c.what, func(t *testing.T) {
			if raced && c.what == "grow" {
				t.Skip("the race detector is refused memory of its own first, and ends the child")
			}
			child := confined.Child{Self: []string{os.Args[0], "work"}, Limits: c.limits}
			result, end, err := child.Run(t.Context(), c.what, nil)
			for end.Step == "" && child.Limits.Wall < 2*time.Minute { // it had not begun: a busy machine needs more
				child.Limits.CPU, child.Limits.Wall = 2*child.Limits.CPU, 2*child.Limits.Wall
				result, end, err = child.Run(t.Context(), c.what, nil)
			}
			if err != nil || result != nil || end.Cause != c.cause || end.Step != "about to "+c.what {
				t.Errorf("%q %+v %v; want %s", result, end, err, c.cause)
			}
			if c.what == "crash" && !strings.Contains(end.Said, "it has fallen over") {
				t.Errorf("%+v", end)
			}
		})
	}
}

// TestBytesGoThereAndBack: more than a pipe holds.
func TestBytesGoThereAndBack(t *testing.T) {
	data := []byte(strings.Repeat("abc\x00\n", 1<<20))
	child := confined.Child{Self: []string{os.Args[0], "work"}, Limits: generous}
	got, end, err := child.Run(t.Context(), "turn round", data)
	if err != nil || end.Cause != "" || len(got) != len(data) || got[0] != '\n' || got[len(got)-1] != 'a' {
		t.Errorf("%d bytes %+v %v", len(got), end, err)
	}
}

// TestAChildSeesNothingOfOurs: neither the environment nor files that we hold open.
func TestAChildSeesNothingOfOurs(t *testing.T) {
	t.Setenv("COMPACTOR_TEST_SECRET", "hunter2")
	var env []string
	for _, e := range confined.Environ(t.Context()) {
		env = append(env, strings.SplitN(e, "=", 2)[0])
	}
	for _, name := range env {
		if name != "GOMAXPROCS" && name != "GOTRACEBACK" && name != "SYSTEMROOT" {
			t.Errorf("%s is passed on", name)
		}
	}
}

// Without /proc, as in some containers, the error says so and what to do.
func TestWithoutProc(t *testing.T) {
	if err := confined.Located(nil); err != nil {
		t.Error(err)
	}
	err := confined.Located(os.ErrNotExist)
	if err == nil || runtime.GOOS == "linux" && (!strings.Contains(err.Error(), "/proc is not mounted") || !strings.Contains(err.Error(), "mount -t proc")) {
		t.Errorf("%v", err)
	}
}
