package server

import (
	"net/http"

	"github.com/compactor-mcp/compactor/runtime/mcp/guard"
)

// Asked is a client's request for a profile.
type Asked struct {
	Profile string
	Token   bool // it came with a token of that profile, which is binding
}

// shut are holders whose tokens are all rejected: if there are any, and no common token, nobody gets in.
type shut struct{ guard.Holders }

func (shut) Holder(string) (name string, is bool) { return "", false }

// otherHolders returns the holders for paths other than the protocol, which reveal all profiles and run tools of all. Tokens
// of profiles are not accepted there, and if profiles have tokens, neither are requests without one.
func (s *Server) otherHolders() guard.Holders {
	if h := s.backend.Holders(); h != nil {
		return shut{h}
	}
	return nil
}

// guardPages returns the pages for browsers, which report what is wrong if only profiles have tokens.
func (s *Server) guardPages(pages http.Handler, token string) http.Handler {
	h := s.backend.Holders()
	if h == nil || token != "" {
		return pages
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.Any() {
			refuseHTTP(w, http.StatusUnauthorized, "these pages tell of all profiles, and only profiles have access tokens here: start the server with one for all, by COMPACTOR_TOKEN")
			return
		}
		pages.ServeHTTP(w, r)
	})
}
