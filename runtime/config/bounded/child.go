package bounded

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// Command is the hidden command whose body is Evaluate.
const Command = "evaluate"

// Exit codes of a child.
const (
	exitDone   = 0
	exitBreach = 3
	exitAlone  = 4 // the parent is gone, or has said nothing sensible
)

const (
	look     = 5 * time.Millisecond // between two looks of the watchdog
	maxStack = 64 << 20
)

// Evaluate is the body of the child: it reads a request, lowers the limits of its
// own process, loads and writes the result. It returns the exit code. It ends the
// process itself at a limit, and when in comes to its end.
func Evaluate(in io.Reader, out io.Writer, defaults fs.FS) int {
	lines := bufio.NewReader(in)
	ask, err := lines.ReadBytes('\n')
	var req request
	if err != nil || json.Unmarshal(ask, &req) != nil {
		return exitAlone
	}
	say := &framer{out: out}
	debug.SetMaxStack(maxStack)
	debug.SetGCPercent(400) // most loads end before their first collection
	debug.SetMemoryLimit(req.Limits.Memory / 8 * 5)
	confine(req.Limits)
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		os.Exit(exitAlone)
	}()
	go watch(req.Limits, say)
	opt := req.Options
	opt.Defaults = defaults
	cfg, list, err := config.Load(config.WithSteps(context.Background(), say.step), opt)
	result, err := config.Loaded{Config: cfg, Diagnostics: list, Err: err}.Encode(defaults)
	switch {
	case errors.Is(err, config.ErrTooDeep):
		return breach(say, causeDeep)
	case errors.Is(err, config.ErrTooLarge), len(result) > maxResult:
		return breach(say, causeLarge)
	case err != nil:
		panic(err)
	}
	if say.write(frameResult, result) != nil {
		return exitAlone
	}
	return exitDone
}

func breach(say *framer, cause string) int {
	_ = say.write(frameBreach, []byte(cause))
	return exitBreach
}

// watch ends the process at its limits, with a word about which. The kernel's own
// limits lie a little higher: they hold where a goroutine is no longer run.
func watch(limits Limits, say *framer) {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(look) {
		metrics.Read(samples)
		switch used := int64(samples[0].Value.Uint64() - samples[1].Value.Uint64()); {
		case used > limits.Memory/8*6:
			os.Exit(breach(say, causeMemory))
		case spent() > limits.CPU:
			os.Exit(breach(say, causeCPU))
		}
	}
}
