// Package within searches the result of a tool: by a range of lines or items, by words, and by a JSON path. Small
// models write their requests in many ways; whatever has only one possible meaning is accepted, and anything else is
// answered with the supported forms.
//
// A path is a subset of RFC 9535: names, indexes, slices, wildcards and "..name", with or without "$", and JSON
// pointers. It is evaluated on the text as written, so that numbers keep their spelling and members their order, which
// libraries that walk decoded values lose. Filters are not supported: words find records better than a small model's
// expressions do.
//
// The work is linear in the text and the output is limited. The package keeps no state.
package within
