package server

import (
	"net/http"

	"github.com/compactor-mcp/compactor/runtime/mcp/guard"
)

// Tokener is a Profiler some of whose profiles have access tokens of their own: over HTTP such a token decides the
// profile. See guard.Holders.
type Tokener interface{ guard.Holders }

// Asked is what a client asks to be served with.
type Asked struct {
	Profile string
	Token   bool // it came with a token of that profile, which is no wish but a bound
}

// holders are who has tokens; nil for nobody.
func (s *Server) holders() guard.Holders {
	t, _ := s.backend.(Tokener)
	return t
}

// shut are holders none of whom is let in: where there are any, and no token for all, nobody is.
type shut struct{ guard.Holders }

func (shut) Holder(string) (name string, is bool) { return "", false }

// others are who is let in beside the protocol, which tells of all profiles and runs tools of all: nobody by a token of a
// profile, and nobody without a token where profiles have some.
func (s *Server) others() guard.Holders {
	if h := s.holders(); h != nil {
		return shut{h}
	}
	return nil
}

// pages are those for browsers, which say what is amiss where only profiles have tokens.
func (s *Server) pages(pages http.Handler, token string) http.Handler {
	h := s.holders()
	if h == nil || token != "" {
		return pages
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.Any() {
			refuse(w, http.StatusUnauthorized, "these pages tell of all profiles, and only profiles have access tokens here: start the server with one for all, by COMPACTOR_TOKEN")
			return
		}
		pages.ServeHTTP(w, r)
	})
}
