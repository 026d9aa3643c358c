// Package discover looks for model servers on the default ports of this machine, and
// asks which models they have. It loads nothing and sends nothing else.
package discover

import (
	"context"
	"net"
	"net/url"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/ollama"
	"github.com/compactor-mcp/compactor/runtime/model/openai"
)

// Place is a possible address of a server.
type Place struct {
	Name     string // of the program that listens there by default
	Provider string // as a configuration names it
	URL      string
}

// Places are the default addresses of the usual programs.
var Places = []Place{
	{"LM Studio", "openai", "http://localhost:1234/v1"},
	{"Ollama", "ollama", "http://localhost:11434"},
	{"llama.cpp", "openai", "http://localhost:8080/v1"},
	{"vLLM", "openai", "http://localhost:8000/v1"},
	{"Jan", "openai", "http://localhost:1337/v1"},
	{"KoboldCpp", "openai", "http://localhost:5001/v1"},
	{"GPT4All", "openai", "http://localhost:4891/v1"},
}

// Found is a server that answers.
type Found struct {
	Place
	Models []model.Info
}

// A running program accepts a connection at once and lists its models in well under
// these times.
const (
	knock = 300 * time.Millisecond
	ask   = 3 * time.Second
)

// Servers queries all places concurrently and returns those that answer like a model
// server, in the order of places.
func Servers(ctx context.Context, places []Place) []Found {
	all := make([]*Found, len(places))
	var wg sync.WaitGroup
	for i, p := range places {
		wg.Go(func() { all[i] = queryPlace(ctx, p) })
	}
	wg.Wait()
	var out []Found
	for _, f := range all {
		if f != nil {
			out = append(out, *f)
		}
	}
	return out
}

func queryPlace(ctx context.Context, p Place) *Found {
	u, err := url.Parse(p.URL)
	if err != nil {
		return nil
	}
	d := net.Dialer{Timeout: knock}
	conn, err := d.DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return nil
	}
	_ = conn.Close()
	ctx, cancel := context.WithTimeout(ctx, ask)
	defer cancel()
	l, err := newLister(p)
	if err != nil {
		return nil
	}
	list, err := l.List(ctx)
	if err != nil { // something else listens there
		return nil
	}
	return &Found{Place: p, Models: list}
}

func newLister(p Place) (model.Lister, error) {
	o := model.Options{Name: p.Name, URL: p.URL}
	if p.Provider == "ollama" {
		return ollama.New(o)
	}
	return openai.New(o)
}
