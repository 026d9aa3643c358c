// Package host answers what a client asks of compactor itself: whether it is running, and which
// roots it may read. It reads no file.
package host

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// PingIn has no fields.
type PingIn struct{}

// PingOut is the reply to a ping.
type PingOut struct {
	Reply string `json:"reply" doc:"always pong"`
}

// Ping returns host.ping, a sign of life that touches nothing.
func Ping() catalog.Builtin {
	return catalog.New("host.ping", "Say pong, to show that the server is there", 0,
		func(context.Context, *catalog.Env, PingIn) (PingOut, error) {
			return PingOut{Reply: "pong"}, nil
		}).Immediate()
}

// RootsIn has no fields.
type RootsIn struct{}

// RootsOut lists the roots in the order of the configuration.
type RootsOut struct {
	Roots []Root `json:"roots" doc:"directories that may be searched, in the order of the configuration"`
}

// Root is one directory that the request may see.
type Root struct {
	Name string `json:"name" doc:"what the root is called; with several roots each path begins with it"`
	Path string `json:"path" doc:"absolute path of the directory on this machine"`
}

// Roots returns host.roots, which lists the roots of the request.
func Roots() catalog.Builtin {
	return catalog.New("host.roots", "List the directories that may be searched", catalog.Roots|catalog.AllKinds,
		func(_ context.Context, env *catalog.Env, _ RootsIn) (RootsOut, error) {
			out := RootsOut{Roots: []Root{}}
			for _, r := range env.Roots.Roots() {
				out.Roots = append(out.Roots, Root{Name: r.Name(), Path: r.Path()})
			}
			return out, nil
		}).Immediate()
}
