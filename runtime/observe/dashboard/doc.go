// Package dashboard shows what happens in the sessions of clients, on pages for a
// browser: the sessions and what summaries saved, the timeline of each, tools and the
// health of the servers and models behind them, lists of tools and how sessions used
// them, and the configuration.
//
// The pages are rendered here and complete without script; a small script keeps them up
// to date and adds keyboard shortcuts. Everything is embedded, nothing is fetched from
// elsewhere, and nothing can be changed through the pages: they answer only GET.
//
// The texts shown are foreign: each is masked, made visible and cut before it is passed
// to a template, which escapes it.
//
// The package knows the timeline and its Source, and no server, gateway or store. Access
// to the pages is checked earlier, by runtime/mcp/guard.
//
// Files:
//
//	dashboard.go             routes, headers, embedded files, error pages
//	source.go                what the pages show besides the timeline
//	overview.go, plot.go     the list of sessions; the plot of what summaries saved
//	session.go, tree.go      the timeline of a session: pages and filters; grouping steps by request and cause
//	detail.go                everything known about one step
//	used.go                  which tools a session was shown, and which it called
//	answers.go               answers from documents
//	state.go, lists.go       the page of servers and tools; the page of lists of tools
//	settings.go              the configuration page
//	result.go                a summary next to its original
//	live.go                  updating open pages
//	export.go                a session as JSON
//	pages/*.html, assets/*   templates; style sheet, script and icon
//	words.go                 making foreign texts safe to show; numbers and times
package dashboard
