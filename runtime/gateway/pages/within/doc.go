// Package within looks inside what a tool gave: by a range of lines or items, by
// words, and by a JSON path. Small models write what they look for in many ways;
// what can only mean one thing is read as that, and anything else is answered with
// the forms there are.
//
// A path is a subset of RFC 9535: names, indexes, slices, wildcards and "..name",
// with or without "$", and JSON pointers. It is walked over the text as it was
// written, so that numbers keep their spelling and members their order, which
// libraries that walk decoded values lose. Filters are left out: words find
// records better than a small model's expressions do.
//
// Work is linear in the text and what is given is bounded. It keeps nothing.
package within
