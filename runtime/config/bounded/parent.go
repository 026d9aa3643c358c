package bounded

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// request is what a child is told on its standard input.
type request struct {
	Limits  Limits
	Options config.Options // without Defaults, which the child has
}

// killed is how long a child may take to be gone once it was killed.
const killed = 2 * time.Second

// run starts a child, gives it the request and waits until it has ended.
func (l Loader) run(parent context.Context, opt config.Options) (loaded config.Loaded, end ending, err error) {
	ctx, cancel := context.WithTimeout(parent, l.Limits.Wall)
	defer cancel()
	defaults := opt.Defaults
	opt.Defaults = nil
	ask, err := json.Marshal(request{l.Limits, opt})
	if err != nil {
		return loaded, end, err
	}
	cmd, err := command(ctx, l.Self)
	if err != nil {
		return loaded, end, err
	}
	stderr := &head{}
	cmd.Stderr = stderr
	in, err := cmd.StdinPipe() // held open: its end tells the child that we are gone
	if err != nil {
		return loaded, end, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return loaded, end, err
	}
	if err := cmd.Start(); err != nil {
		return loaded, end, err
	}
	_, _ = in.Write(append(ask, '\n')) // what went wrong here shows in how it ends
	said, bad := hear(out)
	if bad != nil {
		cancel()
	}
	ended := cmd.Wait()
	if end = endingOf(ctx, said, cmd.ProcessState, stderr.String(), l.Limits); end.cause != "" {
		return loaded, end, nil
	}
	if err := errors.Join(bad, ended); err != nil {
		return loaded, end, err
	}
	loaded, err = config.Decode(said.result, defaults)
	return loaded, end, err
}

// endingOf tells why there is no result, if there is none.
func endingOf(ctx context.Context, said heard, state *os.ProcessState, stderr string, limits Limits) ending {
	end := ending{cause: said.cause, step: said.step}
	switch {
	case end.cause != "" || said.result != nil && state.Success():
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		end.cause = causeWall
	case state.UserTime()+state.SystemTime() >= limits.CPU:
		end.cause = causeCPU
	case wasKilled(state): // by a system without memory: our own kill comes with the deadline
		end.cause = causeMemory
	default:
		end.cause, end.said = causeOf(stderr)
	}
	return end
}

// errNoProc says why nothing but the built-in configuration can be loaded.
var errNoProc = errors.New("it cannot be loaded here, for /proc is not mounted: a second compactor evaluates it, within limits, and only /proc says where " +
	"the program lies; mount it (mount -t proc proc /proc), or start compactor where it is mounted")

// located is why the program is not known where it was looked for.
func located(err error) error {
	if err != nil && runtime.GOOS == "linux" {
		return errNoProc
	}
	return err
}

// command is the child's command line: no environment that could hold a secret,
// and none of our files.
func command(ctx context.Context, self []string) (*exec.Cmd, error) {
	own, err := os.Executable()
	if len(self) == 0 {
		if err := located(err); err != nil {
			return nil, err
		}
		self = []string{own, Command}
	}
	path, abs := filepath.Abs(self[0])
	if abs != nil {
		return nil, abs
	}
	cmd := exec.CommandContext(ctx, path, self[1:]...)
	if own == path && runtime.GOOS == "linux" {
		cmd.Path = "/proc/self/exe" // also there when the file was replaced by a newer version
	}
	cmd.Env = append([]string{"GOMAXPROCS=2", "GOTRACEBACK=none"}, needed()...)
	cmd.WaitDelay = killed
	apart(cmd)
	return cmd, nil
}

// head keeps the beginning of what is written.
type head struct{ bytes.Buffer }

func (h *head) Write(p []byte) (int, error) {
	const most = 4 << 10
	_, _ = h.Buffer.Write(p[:min(len(p), most-h.Len())])
	return len(p), nil
}
