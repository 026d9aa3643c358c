// Package ollama speaks with models that Ollama serves, through its own API:
// only there can the context window be chosen, and a prompt that does not fit
// be refused instead of cut in silence.
//
// It is the one home of github.com/ollama/ollama. Retries, queues and
// judgements of what was said do not come in: they are its callers', see
// runtime/model. Beside it are the adapters for other protocols.
package ollama

import (
	"net/http"
	"net/url"

	"github.com/ollama/ollama/api"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// Endpoint is one model of one Ollama.
type Endpoint struct {
	name   string // in the configuration
	model  string // asked for, canonical; "" for the one that is loaded
	window int    // tokens; 0 takes what is loaded
	base   *url.URL
	client *api.Client

	lock   chan struct{} // one slot, taken to touch what follows
	chosen string        // where model is "": the last one found
	known  map[string]facts
}

var (
	_ model.Endpoint = (*Endpoint)(nil)
	_ model.Lister   = (*Endpoint)(nil)
)

// New is the endpoint of one model. It connects to nothing. The only error is
// a URL that is none.
func New(o model.Options) (*Endpoint, error) {
	base, err := parseBase(o.URL)
	if err != nil {
		return nil, &model.Error{Kind: model.Refused, Model: o.Name, Message: err.Error(),
			Do: "write it as " + DefaultURL, Err: err}
	}
	do := o.Client
	if do == nil {
		do = model.NewClient()
	}
	return &Endpoint{
		name: o.Name, model: canonical(o.Model), window: o.Window, base: base,
		client: newAPI(&transport{do: do, base: base, key: o.Key}),
		lock:   make(chan struct{}, 1),
		known:  map[string]facts{},
	}, nil
}

// newAPI gives the library a host of no meaning: it signs what goes to
// ollama.com with a private key of the user's home, which nobody declared
// here. The transport knows the real host.
func newAPI(t *transport) *api.Client {
	placeholder := &url.URL{Scheme: "http", Host: "ollama.invalid", Path: t.base.Path}
	return api.NewClient(placeholder, &http.Client{
		Transport:     t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	})
}
