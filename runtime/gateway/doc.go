// Package gateway puts upstream MCP servers behind one MCP face: it knows their
// tools, decides which of them can be seen and run, and runs them.
//
// A server is started when its tools are first needed and stopped when it was
// unused for a while. What it offers is kept (in memory for an hour, on disk
// across runs), so that a list or a search never waits for a program to start.
// Definitions pass as raw JSON, cleaned of what cannot be seen and otherwise
// byte for byte; results pass masked and otherwise as they came.
//
// How it is cut:
//
//	gateway.go, entry.go   the gateway and what it holds of one server
//	fetch.go, listing.go   asking a server what it offers; reading definitions
//	settle.go              who waits for a server of which nothing is known
//	announce.go, follow.go telling of changes; taking up what people decide elsewhere
//	catalog.go, names.go   all tools that are known, and what they are called
//	renames.go             names that the configuration gives tools
//	find.go                the tool that a name means
//	decide.go              rules and trust: which tools can be seen and run
//	call.go, arguments.go  running a tool
//	admit.go               holding a call until its server's list was judged
//	mend.go                once more, where its server refused the arguments
//	bound.go               results within a size
//	audit.go               calls as events, and in the session's conversation
//	mask.go, expand.go     secrets: out of results, into environments
//	forward.go, items.go   resources, prompts, completion
//	profile.go             what a profile has of all this, over the same connections
//	digest.go              what is behind us, in a few words
//	health.go, operate.go  how a server is; switching it off and on
//	approve.go             what people decide on changed tools
//	approvals.go           what was seen and decided, recorded
//	storage.go             the store, opened when first needed
//	login.go               logins to servers that want one
//
// Below it: process starts programs, upstream speaks with one server, oauth logs
// in to it, rules and trust judge, pages cuts long results, mcpfile reads other
// programs' lists of servers. It knows nothing of pipelines or of our own MCP face;
// builtins reach it as catalog.Upstreams, and Options.Result takes results through
// hooks. What it does goes to the stream of runtime/base/event.
package gateway
