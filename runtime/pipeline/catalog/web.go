package catalog

import "context"

// Web reads pages of the hosts that the user's configuration opens, on behalf of one
// request. runtime/world/web implements it. The text of a page is written by strangers.
type Web interface {
	// Starts returns the addresses at which the configuration has questions begin.
	Starts() []WebStart
	// Named returns the addresses that a text names, in order and normalized as page
	// addresses are. They include those that may not be read; Get says why.
	Named(text string) []string
	// Left returns the number of further pages that this request may read.
	Left() int
	// Get returns a page, reading it at most once. The error says what was refused or failed.
	Get(ctx context.Context, address string) (*WebPage, error)
	// Link resolves a link of a page to an address, or "" if it must not be followed.
	Link(page *WebPage, href string) string
	// Cite allows an address to be referred to, that of a page that was read or of a
	// place in it, and returns it in the form of a reference.
	Cite(page *WebPage, fragment string) string
	// Lines makes the cited addresses a contract.Tree: any other address does not exist.
	Lines(ctx context.Context, reference string) (int, error)
}

// WebStart is an address to begin with, and the number of its links that are read too.
type WebStart struct {
	URL    string
	Follow int
}

// WebPage is a page as received.
type WebPage struct {
	URL  string // the final address after redirects, without a fragment
	Type string // media type with its parameters
	Body []byte
	Cut  bool // Body is only the beginning
}
