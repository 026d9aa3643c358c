package process_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/gateway/process"
)

func TestProgramAnswersAndStopsAtTheEndOfItsInput(t *testing.T) {
	p := start(t, newLauncher(t), self("echo", "echo"))
	if _, err := io.WriteString(p.Stdin(), "hello\n"); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(p.Stdout())
	if line, err := out.ReadString('\n'); line != "HELLO\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if p.Exit() != "" {
		t.Errorf("it runs, but Exit says %q", p.Exit())
	}
	if err := p.Stop(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(out); err != nil || string(rest) != "last words\n" {
		t.Errorf("what it wrote last: %q, %v", rest, err)
	}
	if want := "it was stopped: its input was closed"; p.Exit() != want {
		t.Errorf("Exit says %q, not %q", p.Exit(), want)
	}
}

func TestStopGoesAsFarAsItMust(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no SIGTERM")
	}
	l := newLauncher(t)
	for how, want := range map[string]string{
		"polite": "it was stopped with SIGTERM",
		"deaf":   "it was killed: it did not end when asked to",
	} {
		grace := 300 * time.Millisecond
		if how == "polite" {
			grace = 2 * time.Second // it has to get to its end
		}
		p := start(t, l, self(how, how))
		if line, _ := bufio.NewReader(p.Stdout()).ReadString('\n'); line != how+"\n" {
			t.Fatalf("%q", line)
		}
		for range 2 { // a second time returns at once
			if err := p.Stop(grace); err != nil {
				t.Error(err)
			}
		}
		if p.Exit() != want {
			t.Errorf("%s: Exit says %q, not %q", how, p.Exit(), want)
		}
	}
}

func TestStopFromManySides(t *testing.T) {
	p := start(t, newLauncher(t), self("deaf", "deaf"))
	errs := make(chan error)
	for range 8 {
		go func() { errs <- p.Stop(100 * time.Millisecond) }()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestProgramThatExitsAtOnce(t *testing.T) {
	p := start(t, newLauncher(t), self("exit", "exit", "3", "no token given"))
	ended(t, p)
	if p.Exit() != "it exited with status 3" {
		t.Errorf("Exit says %q", p.Exit())
	}
	// Writing to it is an error, and not SIGPIPE for us.
	var err error
	for range 100 {
		if _, err = p.Stdin().Write(make([]byte, 1<<20)); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "no longer reads") {
		t.Errorf("writing to it: %v", err)
	}
	if rest, err := io.ReadAll(p.Stdout()); err != nil || len(rest) != 0 {
		t.Errorf("%q, %v", rest, err)
	}
	if err := p.Stop(time.Second); err != nil {
		t.Error(err)
	}
	if p.Exit() != "it exited with status 3" {
		t.Errorf("after Stop, Exit says %q", p.Exit())
	}
	if said := p.Stderr(); len(said) != 1 || said[0] != "no token given" {
		t.Errorf("stderr %q", said)
	}
}

func TestStderrFloodIsBounded(t *testing.T) {
	l := newLauncher(t)
	for name, end := range map[string]string{"lines": "\n", "one line": "."} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		p := start(t, l, self("flood", "flood", end))
		ended(t, p)
		if err := p.Stop(0); err != nil { // all it wrote has been read then
			t.Error(err)
		}
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 8<<20 {
			t.Errorf("%s: %d bytes were allocated for 100 MB of stderr", name, grown)
		}
		said := p.Stderr()
		if len(said) == 0 || said[len(said)-1] != "the end" {
			t.Errorf("%s: the last line is missing", name)
		}
		if size := len(strings.Join(said, "\n")); size > 16<<10 {
			t.Errorf("%s: %d bytes were kept", name, size)
		}
	}
}

func TestStderrIsSafeToShow(t *testing.T) {
	c := self("tell", "tell", "\x1b[31mred\x1b[0m \x1b]52;c;ZXZpbA==\x07bell\u202e\r\nbad token s3cr3t-s3cr3t-longer, s3cr3t-s3cr3t, in debug\n")
	c.Env = map[string]string{"TOKEN": "s3cr3t-s3cr3t", "LONGER": "s3cr3t-s3cr3t-longer", "MODE": "debug"}
	p := start(t, newLauncher(t), c)
	if line, _ := bufio.NewReader(p.Stdout()).ReadString('\n'); line != "told\n" {
		t.Fatalf("%q", line)
	}
	if err := p.Stop(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	want := "red bell|bad token [LONGER], [TOKEN], in debug"
	if got := strings.Join(p.Stderr(), "|"); got != want {
		t.Errorf("stderr is %q, not %q", got, want)
	}
}

func TestWhatCannotBeStarted(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if runtime.GOOS == "windows" {
		t.Skip("modes and first lines are of Unix")
	}
	l := newLauncher(t)
	own := self("").Path
	for _, c := range []struct {
		name string
		cmd  process.Command
		want string
	}{
		{"missing", process.Command{Path: filepath.Join(dir, "absent")}, "is not there"},
		{"directory", process.Command{Path: dir}, "is a directory"},
		{"not executable", process.Command{Path: write("plain", "#!/bin/sh\n", 0o644)}, "is not executable; chmod +x"},
		{"no interpreter", process.Command{Path: write("script", "#!/nowhere/sh\n", 0o755)}, "first line (#!) names is not there"},
		{"no program", process.Command{Path: write("text", "hello\n", 0o755)}, "neither a program for this system nor a script"},
		{"no command", process.Command{}, "names no program"},
		{"bad variable", process.Command{Path: own, Env: map[string]string{"A=B": "c"}}, `"A=B"`},
		{"NUL", process.Command{Path: own, Env: map[string]string{"A": "c\x00"}}, "NUL"},
		{"no directory", process.Command{Path: own, Dir: filepath.Join(dir, "gone")}, "working directory"},
	} {
		c.cmd.Name = "github"
		p, err := l.Start(t.Context(), c.cmd)
		if err == nil {
			t.Errorf("%s: it was started", c.name)
			_ = p.Stop(0)
			continue
		}
		if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), `"github"`) {
			t.Errorf("%s: %q does not say %q of server github", c.name, err, c.want)
		}
	}
}

func TestStartIsCancelled(t *testing.T) {
	l := newLauncher(t)
	for d := time.Duration(0); d < 40*time.Millisecond; d += 2 * time.Millisecond {
		ctx, cancel := context.WithTimeout(t.Context(), d)
		p, err := l.Start(ctx, self("deaf", "deaf"))
		cancel()
		if err == nil {
			err = p.Stop(0)
		} else if errors.Is(err, context.DeadlineExceeded) {
			err = nil
		}
		if err != nil {
			t.Error(err)
		}
	}
}

func TestNothingStartsWithoutAGuard(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no guard")
	}
	for name, command := range map[string][]string{
		"missing":      {"/nowhere/compactor", "guard"},
		"another one":  {"/bin/sh", "-c", "echo usage"},
		"not a word":   {"/bin/true"},
		"ends at once": {self("").Path, "program", "exit", "1", ""},
	} {
		l := newLauncher(t, func(o *process.Options) { o.Self = command })
		if _, err := l.Start(timeout(t), self("echo", "echo")); err == nil || !strings.Contains(err.Error(), "guard") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestClosedLauncherStartsNothing(t *testing.T) {
	l := newLauncher(t)
	p := start(t, l, self("polite", "polite"))
	for range 2 {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if p.Exit() == "" {
		t.Error("the program still runs")
	}
	if _, err := l.Start(t.Context(), self("late", "echo")); err == nil || !strings.Contains(err.Error(), `"late"`) {
		t.Errorf("%v", err)
	}
}
