package confined

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Exit codes of a child process.
const (
	exitDone   = 0
	exitBreach = 3
	exitAlone  = 4 // the parent is gone, or sent nothing usable
)

const (
	look     = 5 * time.Millisecond // between two checks of the watchdog
	maxStack = 64 << 20
)

// Breach is the error of work that stops for a reason of its own, such as a limit that only the work knows.
type Breach string

func (b Breach) Error() string { return string(b) }

// Work handles one request and its bytes in a child, and reports its progress by calling step. If its error is a
// Breach, that text becomes the Ending's Cause; any other error ends the child as a crash does.
type Work func(request json.RawMessage, data []byte, step func(string)) (result []byte, err error)

// Serve runs the child: it reads a request, lowers the limits of its own process, calls work, writes the result and
// returns the exit code. At a limit, or when in reaches EOF because the parent died, it exits the process itself.
func Serve(in io.Reader, out io.Writer, work Work) int {
	lines := bufio.NewReader(in)
	line, err := lines.ReadBytes('\n')
	var ask asked
	if err != nil || json.Unmarshal(line, &ask) != nil || ask.Bytes < 0 {
		return exitAlone
	}
	debug.SetMaxStack(maxStack)
	debug.SetGCPercent(400) // most work ends before its first collection
	debug.SetMemoryLimit(ask.Limits.Memory / 8 * 5)
	limitProcess(ask.Limits)
	say := &framer{out: out}
	go watch(ask.Limits, say)
	data := make([]byte, ask.Bytes)
	if _, err := io.ReadFull(lines, data); err != nil {
		return exitAlone
	}
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		os.Exit(exitAlone)
	}()
	result, err := work(ask.Request, data, say.writeStep)
	var b Breach
	switch {
	case errors.As(err, &b):
		return reportBreach(say, string(b))
	case err != nil:
		panic(err)
	}
	if say.write(frameResult, result) != nil {
		return exitAlone
	}
	return exitDone
}

func reportBreach(say *framer, cause string) int {
	_ = say.write(frameBreach, []byte(cause))
	return exitBreach
}

// watch ends the process when it reaches a limit, after reporting which one. The kernel's own limits are a little
// higher: they apply when this goroutine no longer gets to run.
func watch(limits Limits, say *framer) {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(look) {
		metrics.Read(samples)
		switch used := int64(samples[0].Value.Uint64() - samples[1].Value.Uint64()); {
		case used > limits.Memory/8*6:
			os.Exit(reportBreach(say, CauseMemory))
		case cpuTime() > limits.CPU:
			os.Exit(reportBreach(say, CauseCPU))
		}
	}
}
