// Package dashboard shows what happens in the sessions of clients, on pages for a
// browser: the sessions and what summaries saved, the timeline of each, tools and
// the health of what is behind them, lists of tools and what sessions made of them, and
// the configuration.
//
// The pages are made here and are whole without script; a small one keeps them
// fresh and makes the keyboard quicker. Everything is embedded, nothing is fetched
// from elsewhere, and nothing can be changed by them: they answer GET alone.
//
// What is shown is foreign text: each is masked, made visible and cut before it
// meets a template, which escapes it.
//
// It knows the timeline and its Source, and no server, gateway or store. Who may
// see the pages is decided before, by runtime/mcp/guard.
package dashboard
