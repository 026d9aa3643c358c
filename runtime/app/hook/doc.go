// Package hook runs the pipelines that a configuration puts on the traffic of
// upstream servers: tools_list, which chooses what a session is listed, and
// tool_result, which may shorten what a tool gave. It turns what passes into the
// inputs of a pipeline and what the pipeline gives into what passes on, and counts
// the hooks that were skipped. A hook never breaks what it stands on: one that
// fails, is late or gives something else is skipped, and all passes as it is.
//
// It neither loads a configuration nor masks: results come masked, and runtime/gateway
// masks what leaves once more. Neighbours: runtime/app/service gives it the configuration
// in force, runtime/pipeline/engine runs the pipelines, runtime/pipeline/session is what they see of
// the client.
package hook
