package oauth

import (
	"net/http"
	"strings"
)

// challenge is what a server sends with a refusal (RFC 6750, RFC 9728).
type challenge struct {
	bearer   bool
	metadata string // location of the resource's metadata; "" if not given
	scope    string
}

// challengeIn reads the first challenge for bearer tokens.
func challengeIn(h http.Header) challenge {
	for _, line := range h.Values("WWW-Authenticate") {
		for _, c := range challengesOf(line) {
			if strings.EqualFold(c.scheme, "Bearer") {
				return challenge{bearer: true, metadata: c.params["resource_metadata"], scope: c.params["scope"]}
			}
		}
	}
	return challenge{}
}

type schemeParams struct {
	scheme string
	params map[string]string
}

// challengesOf parses one header: schemes, each followed by name=value pairs. It skips what it cannot parse.
func challengesOf(line string) []schemeParams {
	var out []schemeParams
	s := &scanner{rest: line}
	for {
		s.skip(" \t,")
		word := s.token()
		if word == "" {
			return out
		}
		s.skip(" \t")
		if !strings.HasPrefix(s.rest, "=") || len(out) == 0 {
			out = append(out, schemeParams{word, map[string]string{}})
			continue
		}
		s.rest = s.rest[1:]
		s.skip(" \t")
		of := out[len(out)-1].params
		if _, twice := of[strings.ToLower(word)]; !twice {
			of[strings.ToLower(word)] = s.value()
		} else {
			s.value()
		}
	}
}

type scanner struct{ rest string }

func (s *scanner) skip(set string) { s.rest = strings.TrimLeft(s.rest, set) }

func (s *scanner) token() string {
	end := strings.IndexAny(s.rest, " \t,=\"")
	if end < 0 {
		end = len(s.rest)
	}
	word := s.rest[:end]
	s.rest = s.rest[end:]
	return word
}

// value reads a token or a quoted string.
func (s *scanner) value() string {
	if !strings.HasPrefix(s.rest, `"`) {
		end := strings.IndexAny(s.rest, " \t,")
		if end < 0 {
			end = len(s.rest)
		}
		word := s.rest[:end]
		s.rest = s.rest[end:]
		return word
	}
	var b strings.Builder
	for i := 1; i < len(s.rest); i++ {
		switch s.rest[i] {
		case '"':
			s.rest = s.rest[i+1:]
			return b.String()
		case '\\':
			if i++; i < len(s.rest) {
				b.WriteByte(s.rest[i])
			}
		default:
			b.WriteByte(s.rest[i])
		}
	}
	s.rest = ""
	return ""
}
