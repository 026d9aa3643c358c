// Package page makes text of a page: its title, its paragraphs under their headings,
// with the anchors that lead to them, and its links.
//
// HTML is read token by token, with golang.org/x/net/html and no tree. What a page
// nests, leaves open or closes twice costs nothing then, and the time is that of its
// bytes: parsers that build trees are of a higher order by the standard's own rules,
// and libraries that look for a page's article need one. What a reader does not see
// (scripts, comments, hidden elements) is left out, and so is what stands around the
// text of a page where it says which that is.
//
// It opens nothing: builtins/web has the page from runtime/world/web.
package page
