package listen

import (
	"bufio"
	"net"
	"sync"
	"time"
)

// Split separates, by the first byte a client sends, the two protocols served on one unix socket: lines of JSON begin
// with a brace, HTTP with the letter of a method. Connections of the first kind are passed to lines, which owns them;
// the others come from the returned listener. A client that sends nothing within patience is disconnected.
func Split(l net.Listener, patience time.Duration, lines func(net.Conn)) *Splitter {
	s := &Splitter{Listener: l, http: make(chan net.Conn), closed: make(chan struct{}), patience: patience, lines: lines,
		pending: map[net.Conn]struct{}{}}
	s.tasks.Add(1)
	go s.accept()
	return s
}

// Splitter is the HTTP half of a split listener.
type Splitter struct {
	net.Listener
	patience time.Duration
	lines    func(net.Conn)
	http     chan net.Conn
	closed   chan struct{}
	once     sync.Once
	tasks    sync.WaitGroup
	err      error // why accepting ended; read after closed

	mu      sync.Mutex
	pending map[net.Conn]struct{} // connections that have sent nothing yet
}

func (s *Splitter) accept() {
	defer s.tasks.Done()
	for {
		conn, err := s.Listener.Accept()
		if err != nil {
			s.end(err)
			return
		}
		s.tasks.Add(1)
		go s.dispatchConn(conn)
	}
}

// dispatchConn waits for the first byte and passes the connection on.
func (s *Splitter) dispatchConn(conn net.Conn) {
	defer s.tasks.Done()
	if !s.addPending(conn) {
		conn.Close()
		return
	}
	peeked := &peeked{Conn: conn, buf: bufio.NewReaderSize(conn, 1)}
	conn.SetReadDeadline(time.Now().Add(s.patience))
	first, err := peeked.buf.Peek(1)
	conn.SetReadDeadline(time.Time{})
	s.mu.Lock()
	delete(s.pending, conn)
	s.mu.Unlock()
	if err != nil {
		conn.Close()
		return
	}
	if c := first[0]; c >= 'A' && c <= 'Z' {
		select {
		case s.http <- peeked:
		case <-s.closed:
			conn.Close()
		}
		return
	}
	s.lines(peeked)
}

// addPending registers a connection that has sent nothing, so that Close can end it.
func (s *Splitter) addPending(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.closed:
		return false
	default:
		s.pending[conn] = struct{}{}
		return true
	}
}

// Accept returns the next HTTP connection.
func (s *Splitter) Accept() (net.Conn, error) {
	select {
	case conn := <-s.http:
		return conn, nil
	case <-s.closed:
		return nil, s.err
	}
}

// Close stops listening. Connections that were passed on stay open.
func (s *Splitter) Close() error {
	err := s.Listener.Close()
	s.end(net.ErrClosed)
	return err
}

// Wait returns once all calls of lines have returned, after Close.
func (s *Splitter) Wait() { s.tasks.Wait() }

func (s *Splitter) end(err error) {
	s.once.Do(func() {
		s.err = err
		s.mu.Lock()
		close(s.closed)
		for conn := range s.pending {
			conn.Close()
		}
		s.mu.Unlock()
	})
}

// peeked first returns the bytes that were peeked at.
type peeked struct {
	net.Conn
	buf *bufio.Reader
}

func (p *peeked) Read(b []byte) (int, error) {
	if p.buf.Buffered() > 0 {
		return p.buf.Read(b)
	}
	return p.Conn.Read(b)
}
