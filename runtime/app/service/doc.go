// Package service combines the other packages into a callable service: it loads and
// compiles a configuration, opens the roots, runs requests through the engine, and
// sends replies through runtime/safety/egress. The command line and the MCP server are
// both built on it.
//
// It has no logic of its own beyond order and lifetime.
//
// Files:
//
//	service.go, invoke.go                  running one call of a tool, up to the masked reply
//	input.go, limits.go, roots.go          what a call's arguments may set: inputs, limits, roots
//	snapshot.go, models.go                 loading and opening a configuration; model endpoints and their fallbacks
//	held.go                                what a project's configuration may do only after the user has allowed it
//	reload.go, lease.go, renew.go          changing the configuration while calls run; reopening roots replaced on disk
//	backend.go, runner.go                  what MCP clients see; how to call a tool that is not listed
//	profile*.go                            which profile a client is served with, and what it contains
//	session.go, share.go, standing.go      sessions, also of other processes; lists of clients without a session
//	hooks.go, summarize.go                 hooks: choosing the tools of a list, shortening results
//	track.go, override.go, listing.go      recording tool usage; people's marks on tools; how a list has changed
//	progress.go, sampling.go, offers.go    progress that only increases; the client's own model; its capabilities
//	upstreams.go, forward.go               setting up the gateway; values of ${VAR}; passing on resources and prompts
//	operate.go, look.go                    switching, restarting and inspecting servers at a person's request
//	*check.go                              mistakes in settings that their types do not rule out
//	collections.go, vectors.go, notes.go   which documents a caller may search; vectors and reranking; pins
//	indexing.go, following.go              indexing in the background; noticing changed documents
//	control*.go, configure.go              answers of the control API; the configuration file that it writes
//	dashboard.go, lists.go                 data for the dashboard
//	storage.go, cache.go, history.go       where the store is; the cache between calls; past commits of roots
//	network.go, wall.go                    which pages may be read; confining this process (Landlock)
package service
