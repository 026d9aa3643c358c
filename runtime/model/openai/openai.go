// Package openai speaks with servers that take OpenAI's protocol: LM Studio,
// llama.cpp's server, vLLM and others. It is a thin client of its own because
// what needs care is what a general client hides: an error that comes with
// status 200, an answer that comes as reasoning, a stream that just ends,
// another model than the one that was asked.
//
// Nothing is retried, with one exception that generates nothing twice: a field
// that a server refuses is left out, now and from then on. No answer is judged
// here, and nothing is cached but the kind of server and, where the
// configuration leaves it open, the model.
package openai

import (
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// Endpoint is one model at one server. It is safe for concurrent use.
type Endpoint struct {
	name   string
	model  string // "" for the one that is loaded
	window int
	key    string
	base   *url.URL // ends in /v1, normally
	origin *url.URL // base without that: where native paths hang
	client model.Doer

	finding, loading, embedding semaphore // one at a time each

	mu      sync.Mutex
	kind    kind                     // of server; "" before it is known
	chosen  map[model.Ability]string // names to ask by
	refused map[string]bool          // fields that this server does not take
}

var (
	_ model.Endpoint = (*Endpoint)(nil)
	_ model.Lister   = (*Endpoint)(nil)
)

// New makes an endpoint; it sends nothing yet. A URL that is none is an
// *model.Error.
func New(o model.Options) (*Endpoint, error) {
	base, err := url.Parse(strings.TrimRight(strings.TrimSpace(o.URL), "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, &model.Error{
			Kind: model.Refused, Model: named(o), Err: err,
			Message: fmt.Sprintf("its url %q is not the address of a server", o.URL),
			Do:      "write it like http://localhost:1234/v1",
		}
	}
	if o.Client == nil {
		o.Client = model.NewClient()
	}
	origin := *base
	origin.Path = strings.TrimSuffix(base.Path, "/v1")
	return &Endpoint{
		name: named(o), model: o.Model, window: o.Window, key: o.Key,
		base: base, origin: &origin, client: o.Client,
		finding: newSemaphore(), loading: newSemaphore(), embedding: newSemaphore(),
		chosen: map[model.Ability]string{}, refused: map[string]bool{},
	}, nil
}

// named is what messages call the model.
func named(o model.Options) string {
	if o.Name != "" {
		return o.Name
	}
	return o.Model
}
