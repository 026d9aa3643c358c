// Package pages bounds what the result of one tool call puts before a model, and
// keeps the rest for a while, to be read page by page.
//
// A result that fits its bound passes byte for byte. Of any other, the texts of
// its content are cut into pages at the ends of lines; pictures, sounds and links
// stay with the page that they stand in. The first page leaves in the place of the
// result, with a note that says how much there is and how the next page is read.
// What it is given is masked before, and what it keeps is in memory: for the session
// that made the call, within a bound in bytes and for a time. A Shelf, where there is
// one, has it found by other processes that serve the session.
//
// It knows no server and no tool: runtime/gateway hands it results and bounds.
package pages
