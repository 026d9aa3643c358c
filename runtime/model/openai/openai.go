package openai

import (
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// Endpoint is one model on one server. It is safe for concurrent use.
type Endpoint struct {
	name   string
	model  string // "" for the one that is loaded
	window int
	key    string
	base   *url.URL // normally ends in /v1
	origin *url.URL // base without /v1: the root of native paths
	client model.Doer

	finding, loading, embedding semaphore // each admits one caller at a time

	mu      sync.Mutex
	kind    kind                     // of server; "" until it is known
	chosen  map[model.Ability]string // names to use in requests
	refused map[string]bool          // fields that this server rejects
}

var (
	_ model.Endpoint = (*Endpoint)(nil)
	_ model.Lister   = (*Endpoint)(nil)
)

// New returns an endpoint; it sends nothing yet. An invalid URL is an *model.Error.
func New(o model.Options) (*Endpoint, error) {
	base, err := url.Parse(strings.TrimRight(strings.TrimSpace(o.URL), "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, &model.Error{
			Kind: model.Refused, Model: displayName(o), Err: err,
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
		name: displayName(o), model: o.Model, window: o.Window, key: o.Key,
		base: base, origin: &origin, client: o.Client,
		finding: newSemaphore(), loading: newSemaphore(), embedding: newSemaphore(),
		chosen: map[model.Ability]string{}, refused: map[string]bool{},
	}, nil
}

// displayName returns the model's name for messages.
func displayName(o model.Options) string {
	if o.Name != "" {
		return o.Name
	}
	return o.Model
}
