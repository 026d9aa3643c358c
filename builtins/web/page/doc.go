// Package page extracts text from a page: its title, its paragraphs under their headings with the
// anchors that lead to them, and its links.
//
// HTML is read token by token, with golang.org/x/net/html and without a tree. So nesting, unclosed
// and doubly closed elements cost nothing, and the time is linear in the bytes: parsers that build
// trees are of a higher order by the rules of the standard itself, and libraries that look for a
// page's article need a tree. Invisible content (scripts, comments, hidden elements) is left out,
// and so is everything around the main text of a page that marks it.
//
// The package opens nothing: builtins/web gets the page from runtime/world/web.
package page
