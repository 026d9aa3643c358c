// Package ollama talks to models that Ollama serves, through its own API: only there
// can a client choose the context window, and have a prompt that does not fit refused
// instead of silently cut.
//
// No other package imports github.com/ollama/ollama. Retries, queues and evaluation of
// replies are left to the callers, see runtime/model. Adapters for other protocols are
// in sibling packages.
package ollama

import (
	"net/http"
	"net/url"

	"github.com/ollama/ollama/api"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// Endpoint is one model of one Ollama server.
type Endpoint struct {
	name   string // in the configuration
	model  string // requested model, canonical; "" for the one that is loaded
	window int    // tokens; 0 uses the loaded one
	base   *url.URL
	client *api.Client

	lock   chan struct{} // one slot, held while the fields below are used
	chosen string        // if model is "": the last one found
	known  map[string]facts
}

var (
	_ model.Endpoint = (*Endpoint)(nil)
	_ model.Lister   = (*Endpoint)(nil)
)

// New returns an endpoint for one model. It connects to nothing. The only error is an
// invalid URL.
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
		name: o.Name, model: canonicalName(o.Model), window: o.Window, base: base,
		client: newAPI(&transport{do: do, base: base, key: o.Key}),
		lock:   make(chan struct{}, 1),
		known:  map[string]facts{},
	}, nil
}

// newAPI gives the library a meaningless host: it signs requests to ollama.com with a
// private key from the user's home directory, which no configuration declared. The
// transport knows the real host.
func newAPI(t *transport) *api.Client {
	placeholder := &url.URL{Scheme: "http", Host: "ollama.invalid", Path: t.base.Path}
	return api.NewClient(placeholder, &http.Client{
		Transport:     t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	})
}
