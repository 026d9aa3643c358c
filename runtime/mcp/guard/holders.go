package guard

import (
	"context"
	"net/http"
)

// Holders are who is let in by tokens of their own, beside who has Options.Token. Both methods are asked for each request.
type Holders interface {
	// Holder says whose token it is. It must take as long for a token that is nearly right as for any other.
	Holder(token string) (name string, is bool)
	// Any reports whether somebody has one. Then nobody is let in without a token.
	Any() bool
}

type holderKey struct{}

// HolderOf says by whose token a request was let in; false where by Options.Token, or where none is needed.
func HolderOf(ctx context.Context) (name string, is bool) {
	name, is = ctx.Value(holderKey{}).(string)
	return name, is
}

// held is the request with whose token it has, nil where it is not to be let in. Who has a token of his own has no more
// by that of all being the same.
func (g *guard) held(r *http.Request) *http.Request {
	if h := g.opt.Holders; h != nil && h.Any() {
		token, is := bearer(r)
		if !is {
			return nil
		}
		if name, is := h.Holder(token); is {
			return r.WithContext(context.WithValue(r.Context(), holderKey{}, name))
		}
		if g.opt.Token == "" {
			return nil
		}
	}
	if !g.tokenOK(r) {
		return nil
	}
	return r
}
