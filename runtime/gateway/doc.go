// Package gateway puts upstream MCP servers behind a single MCP interface: it knows their tools, decides which of them
// are visible and may run, and runs them.
//
// A server is started when its tools are first needed and stopped after it has been idle for a while. Its tool list is
// cached (in memory for an hour, on disk across runs), so that a list or a search never waits for a program to start.
// Definitions pass as raw JSON, stripped of invisible characters and otherwise byte for byte; results are masked and
// otherwise unchanged.
//
// Three types share the work. registry has the servers, their connections and lists, and the views of them; what it does
// is the same for all profiles. Gateway is such a view, of a profile or of all servers: which tools there are, under which
// names, and which are allowed. caller uses a Gateway for one client, which a Caller describes: it runs tools and forwards
// requests. Decisions are taken from the records in approvals.
//
// Layout:
//
//	gateway.go, entry.go   the registry and the views of it; its state for one server
//	fetch.go, listing.go   asking a server for its tools, also when it announces a change; reading definitions
//	settle.go              waiting for servers about which nothing is known yet
//	announce.go, follow.go telling clients of changes; picking up decisions made in other processes
//	catalog.go, names.go   all known tools, and their names
//	renames.go             names that the configuration gives to tools
//	find.go                resolving a name to a tool
//	decide.go              rules and trust: which tools are visible and may run
//	call.go, arguments.go  running a tool for a caller
//	admit.go               holding a call until its server's tool list has been checked
//	mend.go                retrying with repaired arguments after a server refused them
//	bound.go               keeping results within a size
//	audit.go               calls as events, and in the session's conversation
//	mask.go, expand.go     secrets: out of results, into environments
//	forward.go, items.go   resources, prompts, completion; subscribe.go: subscriptions to resources
//	hooked.go, uses.go     the hook for results; how often tools are called
//	caches.go, probe.go    how fresh lists are; asking servers without starting the rest
//	errordata.go, logs.go  errors of servers in words; their log lines
//	profile.go             a profile's view of all this, over the same connections
//	digest.go              a short summary of the servers
//	health.go, operate.go  the health of a server; switching it off and on
//	approve.go             the user's decisions on changed tools
//	approvals.go           records of what was seen and decided
//	storage.go             the store, opened on first use
//	login.go               logins to servers that require one
//
// Packages below it: process starts programs, upstream talks to one server, oauth logs in to it, rules and trust decide
// on tools, pages cuts long results, mcpfile reads other programs' lists of servers. The gateway knows nothing of
// pipelines or of our own MCP interface; builtins reach it as catalog.Upstreams, and Options.Result passes results
// through hooks. It reports its activity to the stream of runtime/base/event.
package gateway
