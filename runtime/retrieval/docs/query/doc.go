// Package query parses the filters in a question that was typed like in a search field:
// path:guide/**, section:"getting started", kind:markdown, collection:manual, after:2026-01-31,
// before:2026-02-28, "a phrase" and -word.
//
// Anything that is not a filter stays in the text: an unknown key, an unclosed quote, an invalid
// date. The package looks nothing up; runtime/retrieval/docs/library applies the filters.
package query
