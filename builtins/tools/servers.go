package tools

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// ServersIn has no fields.
type ServersIn struct{}

// ServersOut lists the servers by name.
type ServersOut struct {
	Servers []Server `json:"servers" doc:"by name"`
}

// Server is one upstream server.
type Server struct {
	Name    string `json:"name" doc:"of the server"`
	About   string `json:"about,omitempty" doc:"what it is for"`
	Tools   int    `json:"tools" doc:"that can be run"`
	Hidden  int    `json:"hidden,omitempty" doc:"further ones, which cannot"`
	Status  string `json:"status" doc:"connected, disconnected (it is started when needed) or error"`
	Problem string `json:"problem,omitempty" doc:"what is wrong with it"`
}

// Servers returns tools.servers, which lists the upstream servers.
func Servers() catalog.Builtin {
	return catalog.New("tools.servers", "List the upstream servers, how many tools each has and how it is", catalog.Upstream,
		func(ctx context.Context, env *catalog.Env, _ ServersIn) (ServersOut, error) {
			up, err := requireUpstreams(env)
			if err != nil {
				return ServersOut{}, err
			}
			up.Tools(ctx) // queries the servers that were never queried
			out := ServersOut{Servers: []Server{}}
			for _, s := range up.Servers() {
				out.Servers = append(out.Servers, Server{s.Name, s.Description, s.Tools, s.Hidden, s.Status(), s.Problem})
			}
			return out, nil
		})
}
