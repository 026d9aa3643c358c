package web

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/builtins/web/page"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// source is a page that was read, with its text.
type source struct {
	page *catalog.WebPage
	doc  page.Document
}

// atOnce is how many pages are read concurrently.
const atOnce = 4

// maxWord bounds how many bytes are dropped at the end of a truncated page: some texts have no
// spaces.
const maxWord = 1 << 10

// readPages reads the pages that the question names, else the start pages and those of their links that
// match it best. It also returns notes on pages that could not be read.
func readPages(ctx context.Context, env *catalog.Env, in AnswerInput, q question, mask func(string) string) ([]*source, []string, error) {
	if named := slices.Concat(in.URLs, env.Web.Named(in.Question)); len(named) > 0 {
		return fetchAll(ctx, env, uniqueTrimmed(named), mask)
	}
	starts := env.Web.Starts()
	if len(starts) == 0 {
		return nil, []string{"the question names no address, and no host of network.hosts has one to start with"}, nil
	}
	var first []string
	for _, s := range starts {
		first = append(first, s.URL)
	}
	pages, said, err := fetchAll(ctx, env, uniqueTrimmed(first), mask)
	if err != nil {
		return nil, nil, err
	}
	var next []string
	for _, p := range pages {
		for _, s := range starts {
			if s.URL == p.page.URL {
				next = append(next, q.bestLinks(env, p, s.Follow)...)
			}
		}
	}
	next = slices.DeleteFunc(uniqueTrimmed(next), func(at string) bool { return slices.Contains(first, at) })
	more, also, err := fetchAll(ctx, env, next[:min(len(next), env.Web.Left())], mask)
	return append(pages, more...), append(said, also...), err
}

// fetchAll reads pages, some concurrently, and returns those that could be read in the requested
// order.
func fetchAll(ctx context.Context, env *catalog.Env, list []string, mask func(string) string) ([]*source, []string, error) {
	var said []string
	if left := env.Web.Left(); len(list) > left { // otherwise timing would decide which are refused
		said = append(said, fmt.Sprintf("%d of %d addresses were not read: see network.pages", len(list)-left, len(list)))
		list = list[:left]
	}
	pages, errs := make([]*source, len(list)), make([]error, len(list))
	var wg sync.WaitGroup
	turns := make(chan struct{}, atOnce)
	for i, at := range list {
		wg.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			pages[i], errs[i] = fetchPage(ctx, env, at, mask)
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	var out []*source
	for i, p := range pages {
		if errs[i] != nil {
			said = append(said, errs[i].Error())
			continue
		}
		if slices.ContainsFunc(out, func(o *source) bool { return o.page.URL == p.page.URL }) {
			continue
		}
		if err := env.Ledger.Read(p.page.URL, int64(p.size())); err != nil {
			said = append(said, "further pages are left out: "+err.Error())
			break
		}
		if p.page.Cut {
			said = append(said, "of "+p.page.URL+" the beginning was read")
		}
		out = append(out, p)
	}
	return out, said, nil
}

// fetchPage reads one page and extracts its text, with secrets masked.
func fetchPage(ctx context.Context, env *catalog.Env, at string, mask func(string) string) (*source, error) {
	p, err := env.Web.Get(ctx, at)
	if err != nil {
		return nil, err
	}
	body := p.Body
	if p.Cut { // its last word may be half a secret
		if at := bytes.LastIndexAny(body, " \t\r\n>") + 1; len(body)-at <= maxWord {
			body = body[:at]
		}
	}
	return &source{page: p, doc: page.Read(body, p.Type, mask)}, nil
}

func (s *source) size() (n int) {
	for _, b := range s.doc.Blocks {
		n += len(b.Text)
	}
	return n
}

func uniqueTrimmed(list []string) []string {
	var out []string
	for _, s := range list {
		if s = strings.TrimSpace(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
