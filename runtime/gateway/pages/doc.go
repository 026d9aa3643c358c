// Package pages limits how much of a tool's result is given to a model at once, and keeps the rest for a while, to be
// read page by page.
//
// A result within its limit passes byte for byte. Otherwise the texts of its content are cut into pages at the ends of
// lines; images, sounds and links stay on their page. The first page replaces the result, with a note that says how
// much there is and how to read the next page. Results are masked before they arrive here, and kept in memory: for the
// session that made the call, up to a number of bytes and for a limited time. A Shelf, if there is one, shares them
// with other processes that serve the session.
//
// The package knows no servers or tools: runtime/gateway passes it results and limits.
package pages
