package server

import (
	"io"
	"net/http"
	"time"
)

// idleTime is the longest pause between two requests of a connection.
const idleTime = 90 * time.Second

// bodyTimeout gives each request's body until limit to arrive, even if next rejects the request without reading:
// net/http then reads the rest on its own, and a client that sends a byte per second would hold the connection.
func bodyTimeout(next http.Handler, limit time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rc := http.NewResponseController(w)
		_ = rc.SetWriteDeadline(time.Time{}) // clear the deadline of an earlier response on this connection
		if r.Body != nil && r.Body != http.NoBody {
			_ = rc.SetReadDeadline(time.Now().Add(limit))
			r.Body = &timedBody{r.Body, rc}
		}
		next.ServeHTTP(w, r)
	})
}

// timedBody lifts the deadline at the end of the body: the server reads on to notice that the client disconnects, and
// would mistake the deadline for that.
type timedBody struct {
	io.ReadCloser
	rc *http.ResponseController
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.rc.SetReadDeadline(time.Time{})
	}
	return n, err
}
