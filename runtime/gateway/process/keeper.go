package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"time"
)

const (
	guardStart = 10 * time.Second // until the guard must have reported that it is ready
	guardEnd   = 5 * time.Second  // until it must have ended when there is nothing to do
	guardYoung = time.Second      // a guard that ended this soon is not replaced
)

// errNoGuard is the reason why no program is started.
var errNoGuard = errors.New("the guard, which ends upstream programs when compactor is killed, does not run")

// keeper is our side of the guard and of the record on disk: both receive every group.
type keeper struct {
	self   []string
	id     string
	log    *slog.Logger
	record *record
	young  time.Duration

	mu     sync.Mutex
	trees  map[*tree]bool
	pipe   *os.File // nil while no guard runs
	ready  chan struct{}
	said   bool // ready was closed because the guard reported it
	ended  chan struct{}
	closed bool
}

func newKeeper(self []string, id, state string, log *slog.Logger) *keeper {
	return &keeper{self: self, id: id, log: log, record: newRecord(state, id), young: guardYoung, trees: map[*tree]bool{}}
}

// ensure starts a guard if none runs.
func (k *keeper) ensure() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.start()
}

func (k *keeper) start() error {
	if k.pipe != nil || !guarded {
		return nil
	}
	cmd, err := guardCommand(k.self)
	if err != nil {
		return fmt.Errorf("%w: %w", errNoGuard, err)
	}
	var ends [4]*os.File
	for i := 0; i < len(ends); i += 2 {
		if ends[i], ends[i+1], err = os.Pipe(); err != nil {
			closeAll(ends[:i])
			return fmt.Errorf("%w: %w", errNoGuard, err)
		}
	}
	cmd.Stdin, cmd.Stdout = ends[0], ends[3]
	err = cmd.Start()
	closeAll([]*os.File{ends[0], ends[3]})
	if err != nil {
		closeAll([]*os.File{ends[1], ends[2]})
		return fmt.Errorf("%w: %w", errNoGuard, err)
	}
	k.pipe, k.ready, k.ended, k.said = ends[1], make(chan struct{}), make(chan struct{}), false
	k.writeGuard(markLine(k.id))
	for t := range k.trees {
		k.writeGuard(t.addLine())
	}
	go k.watch(cmd, ends[2], k.ready, k.ended)
	return nil
}

// watch waits for the guard to report that it is ready, and for its end. A guard that someone ended is replaced while
// programs run, unless it ended so soon that the next one would as well.
func (k *keeper) watch(cmd *exec.Cmd, out *os.File, ready, ended chan struct{}) {
	began := time.Now()
	line, _ := bufio.NewReader(out).ReadString('\n')
	out.Close()
	k.mu.Lock()
	k.said = line == readyLine
	k.mu.Unlock()
	close(ready)
	_ = cmd.Wait()
	close(ended)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.pipe != nil {
		k.pipe.Close()
		k.pipe = nil
	}
	if k.closed {
		return
	}
	k.log.Warn("the guard of upstream programs was ended", "pid", cmd.Process.Pid)
	if len(k.trees) > 0 && time.Since(began) > k.young {
		if err := k.start(); err != nil {
			k.log.Error(err.Error())
		}
	}
}

// await waits until the guard is ready.
func (k *keeper) await(ctx context.Context) error {
	if !guarded {
		return ctx.Err()
	}
	k.mu.Lock()
	ready := k.ready
	k.mu.Unlock()
	select {
	case <-ready:
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(guardStart):
		return fmt.Errorf("%w: it was not ready within %v", errNoGuard, guardStart)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.said {
		return fmt.Errorf("%w: %q ended at once; run it by hand to see why", errNoGuard, k.self)
	}
	return ctx.Err()
}

func (k *keeper) add(t *tree) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trees[t] = true
	k.writeGuard(t.addLine())
	k.write()
}

func (k *keeper) del(t *tree) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.trees, t)
	k.writeGuard(t.delLine())
	k.write()
}

// writeGuard writes one line to the guard. A guard that does not read is as good as none; watch notices its end.
func (k *keeper) writeGuard(line string) {
	if k.pipe == nil {
		return
	}
	_ = k.pipe.SetWriteDeadline(time.Now().Add(time.Second))
	if _, err := k.pipe.WriteString(line); err != nil {
		k.log.Warn("the guard of upstream programs does not listen", "error", err)
	}
}

// write updates the record. It is the second safety net: without it there is still the guard.
func (k *keeper) write() {
	if err := k.record.write(k.trees); err != nil {
		k.log.Warn("the record of upstream programs was not written", "error", err)
	}
}

// close ends the guard.
func (k *keeper) close() error {
	k.mu.Lock()
	k.closed = true
	if len(k.trees) == 0 { // otherwise the next start tries again
		k.record.remove()
	}
	pipe, ended := k.pipe, k.ended
	if pipe == nil {
		k.mu.Unlock()
		if ended != nil {
			<-ended
		}
		return nil
	}
	k.writeGuard(doneLine)
	pipe.Close()
	k.pipe = nil
	k.mu.Unlock()
	select {
	case <-ended:
		return nil
	case <-time.After(guardEnd):
		return fmt.Errorf("the guard of upstream programs has not ended within %v", guardEnd)
	}
}
