package web

import (
	"context"
	"fmt"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Reader reads pages for one request: each page once, and no more than the rules allow.
// It is safe for concurrent use.
type Reader struct {
	client *Client

	mu    sync.Mutex
	pages map[string]*entry
	left  int
	cited map[string]bool
}

var _ catalog.Web = (*Reader)(nil)

// entry is a page that is being read or has been read.
type entry struct {
	done chan struct{}
	page *catalog.WebPage
	err  error
}

// Reader returns a reader for one request, or nil if nothing may be read.
func (c *Client) Reader() *Reader {
	if c == nil {
		return nil
	}
	return &Reader{client: c, pages: map[string]*entry{}, left: c.rules.pages, cited: map[string]bool{}}
}

// Starts implements catalog.Web.
func (r *Reader) Starts() []catalog.WebStart { return r.client.rules.startAddresses() }

// Named implements catalog.Web.
func (r *Reader) Named(text string) []string { return r.client.rules.findAddresses(text) }

// Link implements catalog.Web.
func (r *Reader) Link(page *catalog.WebPage, href string) string {
	return r.client.rules.resolveLink(page.URL, href)
}

// Left implements catalog.Web.
func (r *Reader) Left() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.left
}

// Get implements catalog.Web. A rejected address does not count as a page.
func (r *Reader) Get(ctx context.Context, address string) (*catalog.WebPage, error) {
	u, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	if err := r.client.rules.checkAddress(u); err != nil {
		return nil, err
	}
	e, mine, err := r.claimEntry(u.String())
	if err != nil {
		return nil, err
	}
	if mine {
		e.page, e.err = r.client.get(ctx, u)
		if e.page != nil {
			r.keepFinal(e)
		}
		close(e.done)
		return e.page, e.err
	}
	select {
	case <-e.done:
		return e.page, e.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// claimEntry returns the entry of an address. mine reports whether the caller has to read the page.
func (r *Reader) claimEntry(address string) (e *entry, mine bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.pages[address]; e != nil {
		return e, false, nil
	}
	if r.left == 0 {
		return nil, false, refusedError("%d pages are read for one call at most: see network.pages", r.client.rules.pages)
	}
	r.left--
	e = &entry{done: make(chan struct{})}
	r.pages[address] = e
	return e, true, nil
}

// keepFinal also registers a page under its final address.
func (r *Reader) keepFinal(e *entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pages[e.page.URL] == nil {
		r.pages[e.page.URL] = e
	}
}

// Cite implements catalog.Web.
func (r *Reader) Cite(page *catalog.WebPage, fragment string) string {
	ref := formatReference(page.URL, fragment)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pages[page.URL] != nil {
		r.cited[ref] = true
	}
	return ref
}

// Lines implements catalog.Web. A cited reference counts as one line, because
// references to pages have no line numbers.
func (r *Reader) Lines(_ context.Context, reference string) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.cited[reference] {
		return 0, fmt.Errorf("%s was not read", cleanText(reference))
	}
	return 1, nil
}
