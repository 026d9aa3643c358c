package storetest

import (
	"io"
	"net"
	"sync"
	"testing"
)

// Wire forwards connections to a server, and can be paused or cut.
type Wire struct {
	Port int

	to string
	l  net.Listener
	wg sync.WaitGroup

	mu    sync.Mutex
	open  *sync.Cond
	held  bool
	cut   bool
	taken int // connections accepted
	left  int // pieces to forward before it is cut; 0: no limit
	conns map[net.Conn]bool
}

// NewWire returns a wire to a server that exists until the test ends.
func NewWire(t testing.TB, s *Server) *Wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := *(l.Addr().(*net.TCPAddr))
	at.Port = s.Port
	w := &Wire{Port: l.Addr().(*net.TCPAddr).Port, to: at.String(), l: l, conns: map[net.Conn]bool{}}
	w.open = sync.NewCond(&w.mu)
	w.wg.Go(w.accept)
	t.Cleanup(func() {
		_ = l.Close()
		w.Mend()
		w.drop()
		w.wg.Wait()
	})
	return w
}

// Hold pauses both directions: the server seems reachable but silent.
func (w *Wire) Hold() { w.set(true, false) }

// Cut closes all connections and accepts none.
func (w *Wire) Cut() {
	w.set(false, true)
	w.drop()
}

// Taken returns the number of connections made to the wire, including paused and cut
// ones: each is an attempt to reach the server.
func (w *Wire) Taken() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.taken
}

// Mend resumes normal forwarding.
func (w *Wire) Mend() { w.set(false, false) }

func (w *Wire) set(held, cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held, w.cut, w.left = held, cut, 0
	w.open.Broadcast()
}

// CutAfter cuts the wire after the given number of further pieces in either direction.
func (w *Wire) CutAfter(pieces int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left = pieces
}

// countPiece counts a forwarded piece.
func (w *Wire) countPiece() {
	w.mu.Lock()
	last := w.left == 1
	w.left = max(0, w.left-1)
	w.mu.Unlock()
	if last {
		w.Cut()
	}
}

func (w *Wire) drop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.conns {
		_ = c.Close()
	}
}

func (w *Wire) accept() {
	for {
		in, err := w.l.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", w.to)
		w.mu.Lock()
		w.taken++
		if err != nil || w.cut {
			w.mu.Unlock()
			_ = in.Close()
			if err == nil {
				_ = out.Close()
			}
			continue
		}
		w.conns[in], w.conns[out] = true, true
		w.mu.Unlock()
		w.wg.Go(func() { w.pass(in, out) })
		w.wg.Go(func() { w.pass(out, in) })
	}
}

func (w *Wire) pass(from, to net.Conn) {
	defer func() {
		_, _ = from.Close(), to.Close()
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.conns, from)
		delete(w.conns, to)
	}()
	_, _ = io.Copy(held{w, to}, from)
}

// held is a writer that waits while the wire is paused.
type held struct {
	w  *Wire
	to io.Writer
}

func (h held) Write(p []byte) (int, error) {
	h.w.mu.Lock()
	for h.w.held {
		h.w.open.Wait()
	}
	h.w.mu.Unlock()
	n, err := h.to.Write(p)
	h.w.countPiece()
	return n, err
}
