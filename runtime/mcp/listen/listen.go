// Package listen opens the sockets of this program and rejects those that would admit more clients than the user
// intended: a TCP address beyond loopback without explicit permission and a token, a unix socket in a directory that
// others can enter, a socket that another process serves.
//
// It implements no protocol. Neighbours: runtime/mcp/server serves the connections, runtime/mcp/guard checks requests.
package listen

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"sync"
)

// Error is a refusal to listen. Its code is stable.
type Error struct {
	What string // one line
	Do   string // one line: what to do
	Err  error  // cause, may be nil
}

// Error returns the refusal and what to do.
func (e *Error) Error() string {
	what := e.What
	if e.Err != nil {
		what += ": " + e.Err.Error()
	}
	return what + "; " + e.Do
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Code returns the stable code of a refusal to listen.
func (e *Error) Code() string { return "LISTEN_REFUSED" }

// Hint returns what to do.
func (e *Error) Hint() string { return e.Do }

// TCP listens on addr ("127.0.0.1:7717", "localhost:0", ":7717"). An address beyond loopback needs both remote and a
// token. The address is resolved once, so the address that was checked is the one listened on.
func TCP(ctx context.Context, addr string, remote, token bool) (net.Listener, error) {
	tcp, err := resolveTCP(ctx, addr)
	if err != nil {
		return nil, err
	}
	if !tcp.IP.IsLoopback() {
		switch {
		case !remote:
			return nil, &Error{What: fmt.Sprintf("%s can be reached from other machines", addr),
				Do: "listen on 127.0.0.1, or allow remote clients explicitly (--remote) and set a token (--token)"}
		case !token:
			return nil, &Error{What: fmt.Sprintf("%s can be reached from other machines and no token is set", addr),
				Do: "set an access token of at least 16 bytes (--token)"}
		}
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", tcp.String())
	if err != nil {
		return nil, &Error{What: "cannot listen on " + addr, Err: err, Do: "choose another port, or stop what uses this one"}
	}
	return l, nil
}

func resolveTCP(ctx context.Context, addr string) (*net.TCPAddr, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, &Error{What: "listen address " + strconv.Quote(addr), Err: err, Do: "write it as HOST:PORT, such as 127.0.0.1:7717"}
	}
	number, err := net.DefaultResolver.LookupPort(ctx, "tcp", port)
	if err != nil {
		return nil, &Error{What: "listen address " + strconv.Quote(addr), Err: err, Do: "write it as HOST:PORT, such as 127.0.0.1:7717"}
	}
	if host == "" {
		return &net.TCPAddr{Port: number}, nil
	}
	ips, err := net.DefaultResolver.LookupIPAddr(ctx, host)
	if err != nil || len(ips) == 0 {
		return nil, &Error{What: "listen address " + strconv.Quote(addr), Err: err, Do: "write an IP address of this machine, such as 127.0.0.1"}
	}
	chosen := ips[0]
	for _, ip := range ips {
		if ip.IP.To4() != nil { // clients try 127.0.0.1 first for "localhost"
			chosen = ip
			break
		}
	}
	return &net.TCPAddr{IP: chosen.IP, Zone: chosen.Zone, Port: number}, nil
}

// Limit keeps at most n connections of l open at once; more wait in the kernel's queue.
func Limit(l net.Listener, n int) net.Listener {
	return &limited{Listener: l, slots: make(chan struct{}, n), closed: make(chan struct{})}
}

type limited struct {
	net.Listener
	slots  chan struct{}
	closed chan struct{}
	once   sync.Once
}

func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.slots <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.slots
		return nil, err
	}
	return &counted{Conn: conn, free: sync.OnceFunc(func() { <-l.slots })}, nil
}

func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// counted releases its slot once, however often it is closed.
type counted struct {
	net.Conn
	free func()
}

func (c *counted) Close() error {
	defer c.free()
	return c.Conn.Close()
}
