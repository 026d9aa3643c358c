package service

import (
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// listing is a list of tools for a client.
type listing struct {
	proxies  bool // upstream tools may be listed
	names    []string
	upstream []string       // those of names that are upstream tools, as "server/tool"
	all      []string       // all upstream tools, as "server/tool"
	tokens   map[string]int // of upstream tools, by name
}

// bytesOfToken is the approximate size of a token in a definition.
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

// asEvent returns the list as an event. Tool definitions are at the beginning of a prompt,
// so from the first changed tool on, the model has to read everything again.
func (l listing) asEvent(last []string, behind int) event.Listed {
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
