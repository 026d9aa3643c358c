package server

import (
	"context"
	"net"
)

// ServeOn is Serve for HTTP on a listener of a test.
func (s *Server) ServeOn(ctx context.Context, l net.Listener, t Transport) error {
	return s.serveHTTP(ctx, l, t)
}
