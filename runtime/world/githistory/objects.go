package githistory

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// Objects reads objects through one long-running git process. It is not safe for concurrent use.
type Objects struct {
	ctx  context.Context
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	said *tail
	over *watch // watches the time since the last request
}

// Objects starts a reader, which ends with the context or on Close.
func (r *Repo) Objects(ctx context.Context) (*Objects, error) {
	cmd := r.git.command(ctx, "cat-file", "--batch")
	o := &Objects{ctx: ctx, cmd: cmd, said: &tail{}}
	cmd.Stderr = o.said
	var err error
	if o.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	o.out = bufio.NewReaderSize(out, 1<<16)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	o.over = newWatch(func() { _ = cmd.Process.Kill() })
	o.over.stopTimer()
	return o, nil
}

// Close ends the git process.
func (o *Objects) Close() {
	o.over.stopTimer()
	_ = o.in.Close()
	_ = o.cmd.Process.Kill()
	_ = o.cmd.Wait()
}

// atOnce is the number of objects requested before answers are read. So few names fit
// into the pipe buffer of any system, so neither side can block the other.
const atOnce = 48

// each reads objects in order; a missing object has the kind "missing". fn need not
// read r to its end, and must not keep it.
func (o *Objects) each(names []string, fn func(i int, kind string, size int64, r io.Reader) error) error {
	defer o.over.stopTimer()
	for start := 0; start < len(names); start += atOnce {
		part := names[start:min(start+atOnce, len(names))]
		o.over.startTimer()
		if _, err := io.WriteString(o.in, strings.Join(part, "\n")+"\n"); err != nil {
			return o.explainBroken(err)
		}
		for i := range part {
			if err := o.readOne(start+i, fn); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o *Objects) readOne(i int, fn func(i int, kind string, size int64, r io.Reader) error) error {
	o.over.startTimer()
	head, err := o.out.ReadString('\n')
	if err != nil {
		return o.explainBroken(err)
	}
	f := strings.Fields(head)
	if len(f) != 3 {
		return fn(i, "missing", 0, strings.NewReader(""))
	}
	size, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil || size < 0 {
		return o.explainBroken(errors.New("an answer without a size"))
	}
	body := &io.LimitedReader{R: o.out, N: size}
	if err := fn(i, f[1], size, body); err != nil {
		return err
	}
	if _, err := io.CopyN(io.Discard, o.out, body.N+1); err != nil { // the rest, and the line end after it
		return o.explainBroken(err)
	}
	return nil
}

func (o *Objects) explainBroken(err error) error {
	if o.over.over.Load() {
		return timeoutError("cat-file")
	}
	return gitError(o.ctx, "cat-file", o.said, err)
}

// Blob returns the content of a file object. It is empty if the object is missing, is
// not a file, or has more than max bytes.
func (o *Objects) Blob(id string, max int64) ([]byte, error) {
	var text []byte
	if !isName(id) {
		return nil, nil
	}
	err := o.each([]string{id}, func(_ int, kind string, size int64, r io.Reader) error {
		if kind != "blob" || size > max {
			return nil
		}
		var err error
		text, err = io.ReadAll(r)
		return err
	})
	return text, err
}
