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
package dashboard
