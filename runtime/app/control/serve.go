package control

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/listen"
)

// ErrUnknown is returned if no server has the given name.
var ErrUnknown = errors.New("there is no such server")

// Serve answers on this process's socket in dir until ctx ends. The error says why it
// cannot; nothing else depends on this socket. Whoever can reach the socket can reach
// pages.
func Serve(ctx context.Context, dir string, about About, op Operator, pages Pages) error {
	path := socketIn(dir, os.Getpid())
	l, err := listen.Unix(ctx, path)
	if err != nil {
		return err
	}
	defer os.Remove(path + ".lock") // no other process uses a socket of this name
	srv := &http.Server{Handler: handler(about, op, pages), ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 1 << 14}
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() })
	defer stop()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func handler(about About, op Operator, pages Pages) http.Handler {
	mux := http.NewServeMux()
	if pages.Handler != nil {
		mux.Handle("GET /dashboard/", pages.Handler)
		mux.HandleFunc("GET /entrance", func(w http.ResponseWriter, _ *http.Request) { writeReply(w, pages.Entrance(), nil) })
	}
	mux.HandleFunc("GET /about", func(w http.ResponseWriter, _ *http.Request) { writeReply(w, about, nil) })
	mux.HandleFunc("GET /servers", func(w http.ResponseWriter, _ *http.Request) { writeReply(w, op.Servers(), nil) })
	mux.HandleFunc("GET /servers/{name}/log", func(w http.ResponseWriter, r *http.Request) {
		lines, err := op.Log(r.PathValue("name"))
		writeReply(w, lines, err)
	})
	mux.HandleFunc("POST /forget", func(w http.ResponseWriter, r *http.Request) { // was /relearn while it did not forget sessions
		before, err := time.Parse(time.RFC3339Nano, r.URL.Query().Get("before"))
		if err == nil {
			err = op.Relearn(r.Context(), before)
		}
		writeReply(w, struct{}{}, err)
	})
	mux.HandleFunc("POST /servers/{name}/restart", func(w http.ResponseWriter, r *http.Request) {
		writeReply(w, struct{}{}, op.Restart(r.Context(), r.PathValue("name")))
	})
	for path, on := range map[string]bool{"enable": true, "disable": false} {
		mux.HandleFunc("POST /servers/{name}/"+path, func(w http.ResponseWriter, r *http.Request) {
			writeReply(w, struct{}{}, op.Switch(r.Context(), r.PathValue("name"), on))
		})
	}
	return mux
}

// fault is the JSON form of an error.
type fault struct {
	Message string `json:"message"`
}

func writeReply(w http.ResponseWriter, v any, err error) {
	w.Header().Set("Content-Type", "application/json")
	switch {
	case errors.Is(err, ErrUnknown):
		w.WriteHeader(http.StatusNotFound)
		v = fault{err.Error()}
	case err != nil:
		w.WriteHeader(http.StatusBadGateway)
		v = fault{err.Error()}
	}
	_ = json.NewEncoder(w).Encode(v) // the client may have disconnected
}
