package confined

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// asked is the JSON line that a child reads first from its standard input. The bytes follow it.
type asked struct {
	Limits  Limits
	Request json.RawMessage
	Bytes   int64
}

// Child starts children for one kind of work.
type Child struct {
	Self    []string // the child's command line; nil means this program with Command
	Command string   // the hidden command that calls Serve
	Limits  Limits
}

// killed bounds how long a child may take to disappear after it was killed.
const killed = 2 * time.Second

// Run starts a child, sends it the request and the bytes, and waits until it has ended. A child that ends without a
// result is reported in the Ending; err is for a child that could not be started or broke the protocol, and for the
// context.
func (c Child) Run(parent context.Context, request any, data []byte) (result []byte, end Ending, err error) {
	ctx, cancel := context.WithTimeout(parent, c.Limits.Wall)
	defer cancel()
	asks, err := json.Marshal(request)
	if err != nil {
		return nil, end, err
	}
	line, err := json.Marshal(asked{c.Limits, asks, int64(len(data))})
	if err != nil {
		return nil, end, err
	}
	cmd, err := c.buildCommand(ctx)
	if err != nil {
		return nil, end, err
	}
	stderr := &head{}
	cmd.Stderr = stderr
	in, err := cmd.StdinPipe() // stays open: EOF tells the child that we are gone
	if err != nil {
		return nil, end, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, end, err
	}
	if err := cmd.Start(); err != nil {
		if parent.Err() == nil && errors.Is(err, context.DeadlineExceeded) { // the deadline passed before the start
			return nil, Ending{Cause: CauseWall}, nil
		}
		return nil, end, err
	}
	wrote := make(chan struct{})
	go func() { // a failed write shows in how the child ends
		defer close(wrote)
		_, _ = in.Write(append(line, '\n'))
		_, _ = in.Write(data)
	}()
	said, bad := readFrames(out)
	if bad != nil {
		cancel()
	}
	ended := cmd.Wait() // closes the pipe on which a write may hang
	<-wrote
	if end = endingOf(ctx, said, cmd.ProcessState, stderr.String(), c.Limits); end.Cause != "" && parent.Err() == nil {
		return nil, end, nil
	}
	return said.result, end, errors.Join(context.Cause(parent), bad, ended)
}

// endingOf determines why the child gave no result, and leaves Cause empty if it did.
func endingOf(ctx context.Context, said heard, state *os.ProcessState, stderr string, limits Limits) Ending {
	end := Ending{Cause: said.cause, Step: said.step}
	switch {
	case end.Cause != "" || said.result != nil && state.Success():
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		end.Cause = CauseWall
	case state.UserTime()+state.SystemTime() >= limits.CPU:
		end.Cause = CauseCPU
	case wasKilled(state): // our own kill comes with the deadline, checked above
		end.Cause, end.Said = CauseMemory, "the process was killed, as systems do that run out of memory"
	default:
		end.Cause, end.Said = causeOf(stderr)
	}
	return end
}

// causeOf derives the cause of a crash from the standard error of a Go program. It also returns its most telling
// line.
func causeOf(stderr string) (cause, line string) {
	if strings.Contains(stderr, "SIGSEGV") && strings.Contains(stderr, "goroutine 0 ") {
		return CauseMemory, "" // the garbage collector itself crashed because it was refused memory
	}
	for l := range strings.Lines(stderr) {
		l = strings.TrimSpace(l)
		switch {
		case strings.Contains(l, "out of memory"), strings.Contains(l, "cannot allocate memory"), strings.Contains(l, "cannot map pages"),
			strings.Contains(l, "cannot reserve"), strings.Contains(l, "address space"):
			return CauseMemory, ""
		case strings.Contains(l, "stack overflow"), strings.Contains(l, "stack exceeds"):
			return CauseStack, l
		case line == "" && (strings.HasPrefix(l, "panic:") || strings.HasPrefix(l, "fatal error:")):
			line = l
		}
	}
	return CauseCrash, line
}

// ErrNoProc explains why no child can be started.
var ErrNoProc = errors.New("it cannot be loaded here, for /proc is not mounted: a second compactor reads it, within limits, and only /proc says where " +
	"the program lies; mount it (mount -t proc proc /proc), or start compactor where it is mounted")

// explainLocation explains, for the error of os.Executable, why our own program was not found.
func explainLocation(err error) error {
	if err != nil && runtime.GOOS == "linux" {
		return ErrNoProc
	}
	return err
}

// buildCommand builds the child's command line. The child gets no environment that could hold a secret, and none of our
// files.
func (c Child) buildCommand(ctx context.Context) (*exec.Cmd, error) {
	own, err := os.Executable()
	self := c.Self
	if len(self) == 0 {
		if err := explainLocation(err); err != nil {
			return nil, err
		}
		self = []string{own, c.Command}
	}
	path, abs := filepath.Abs(self[0])
	if abs != nil {
		return nil, abs
	}
	cmd := exec.CommandContext(ctx, path, self[1:]...)
	if own == path && runtime.GOOS == "linux" {
		cmd.Path = "/proc/self/exe" // works even if the file was replaced by a newer version
	}
	cmd.Env = append([]string{"GOMAXPROCS=2", "GOTRACEBACK=none"}, requiredEnv()...)
	cmd.WaitDelay = killed
	isolateProcess(cmd)
	return cmd, nil
}

// head keeps only the first 4 KiB that are written to it.
type head struct{ bytes.Buffer }

func (h *head) Write(p []byte) (int, error) {
	const most = 4 << 10
	_, _ = h.Buffer.Write(p[:min(len(p), most-h.Len())])
	return len(p), nil
}
