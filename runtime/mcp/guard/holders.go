package guard

import (
	"context"
	"net/http"
)

// Holders are clients with tokens of their own, in addition to Options.Token. Both methods are called for each request.
type Holders interface {
	// Holder returns whose token it is. It must take as long for a token that is nearly right as for any other.
	Holder(token string) (name string, is bool)
	// Any reports whether anyone has a token. Then nobody is let in without one.
	Any() bool
}

type holderKey struct{}

// HolderOf returns whose token let a request in; false if it was Options.Token, or no token is needed.
func HolderOf(ctx context.Context) (name string, is bool) {
	name, is = ctx.Value(holderKey{}).(string)
	return name, is
}

// authenticate returns the request with the holder of its token, or nil if it must be rejected. If a holder's token equals
// Options.Token, the request counts as the holder's.
func (g *guard) authenticate(r *http.Request) *http.Request {
	if h := g.opt.Holders; h != nil && h.Any() {
		token, is := bearerToken(r)
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
