// Package query takes the filters out of a question that was typed as into a search
// field: path:guide/**, section:"getting started", kind:markdown, collection:manual,
// after:2026-01-31, before:2026-02-28, "a phrase" and -word.
//
// What is no filter stays in the text: an unknown key, an unclosed quote, a date that is
// none. The package looks nothing up; runtime/retrieval/docs/library applies what was read.
package query
