package catalog

import "context"

// Web reads pages of the hosts that the user's configuration opens, on behalf of one
// request. runtime/world/web implements it. What a page says is written by strangers.
type Web interface {
	// Starts are the addresses that the configuration has questions begin with.
	Starts() []WebStart
	// Named are the addresses that a text names, in its order, in the form in which
	// pages are known: those too that may not be read, for which Get says why.
	Named(text string) []string
	// Left is how many further pages this request may read.
	Left() int
	// Get reads a page, or gives it again. The error says what was refused or failed.
	Get(ctx context.Context, address string) (*WebPage, error)
	// Link is the address that a link of a page leads to, "" where it is not one to
	// be followed.
	Link(page *WebPage, href string) string
	// Cite makes an address, one of a page that was read or of a place in it, one
	// that may be referred to, and gives it in the form of a reference.
	Cite(page *WebPage, fragment string) string
	// Lines makes what was cited a contract.Tree: what was not is not there.
	Lines(ctx context.Context, reference string) (int, error)
}

// WebStart is an address to begin with, and how many of its links are read too.
type WebStart struct {
	URL    string
	Follow int
}

// WebPage is a page as it came.
type WebPage struct {
	URL  string // where it was found in the end, without a fragment
	Type string // media type with its parameters
	Body []byte
	Cut  bool // Body is the beginning
}
