package service

import (
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// listing is what a client was listed.
type listing struct {
	proxies  bool // tools of upstream servers may be on it
	names    []string
	upstream []string       // of these, "server/tool"
	all      []string       // tools of upstream servers that there are, "server/tool"
	tokens   map[string]int // of those, by name
}

// bytesOfToken is what a token of a definition has, about.
const bytesOfToken = 4

func (s *Service) listing(profile string, names []string, proxies bool) listing {
	l := listing{proxies: proxies, names: names, upstream: []string{}}
	if !proxies {
		return l
	}
	all := s.gatewayOf(profile).Listed()
	own := make(map[string]string, len(all))
	l.all, l.tokens = make([]string, 0, len(all)), make(map[string]int, len(all))
	for _, t := range all {
		id := t.Server + "/" + t.Tool
		l.all = append(l.all, id)
		own[t.Name], l.tokens[t.Name] = id, len(t.Definition)/bytesOfToken
	}
	for _, name := range names {
		if tool, is := own[name]; is {
			l.upstream = append(l.upstream, tool)
		}
	}
	return l
}

// told is the list as events have it. Tools stand at the beginning of a prompt: from the
// first that is another on, a model reads again what it had read.
func (l listing) told(last []string, behind int) event.Listed {
	out := event.Listed{Tools: l.names, Names: len(l.upstream), Hidden: max(len(l.all)-len(l.upstream), 0), Change: event.First}
	if last == nil {
		return out
	}
	same := 0
	for same < min(len(last), len(l.names)) && last[same] == l.names[same] {
		same++
	}
	switch {
	case slices.Equal(last, l.names):
		out.Change = event.None
		return out
	case same == len(last):
		out.Change = event.Appended
	default:
		out.Change = event.Renewed
	}
	out.Again = behind
	for _, name := range l.names[same:min(len(last), len(l.names))] {
		out.Again += l.tokens[name]
	}
	return out
}
