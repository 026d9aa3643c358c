package gateway

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// Limits of the remembered resources that results linked to.
const (
	maxLinks       = 4096
	maxResultLinks = 64      // of one result
	maxLink        = 2 << 10 // bytes of a URI
)

// links are the resources that servers named in results and need not list, by the session that was given them.
type links struct {
	adding sync.Mutex
	of     *lru.Cache[linkedTo, []string] // servers, in the order in which they named it
}

type linkedTo struct{ session, uri string }

func newLinks() *links {
	of, _ := lru.New[linkedTo, []string](maxLinks) // the size is positive
	return &links{of: of}
}

// add remembers the resources that a server's result links to. Callers without a session cannot be told apart, so
// nothing is remembered for them.
func (l *links) add(session, server string, result json.RawMessage) {
	if session == "" || !bytes.Contains(result, []byte(`"resource`)) {
		return
	}
	l.adding.Lock()
	defer l.adding.Unlock()
	blocks, _ := rawjson.Items(rawjson.Get(result, "content"))
	n := 0
	for _, block := range blocks {
		uri := rawjson.GetText(block, "uri")
		if uri == "" {
			uri = rawjson.GetText(rawjson.Get(block, "resource"), "uri")
		}
		if n == maxResultLinks || uri == "" || len(uri) > maxLink {
			continue
		}
		n++
		at := linkedTo{session, uri}
		if servers, _ := l.of.Get(at); !slices.Contains(servers, server) {
			l.of.Add(at, append(slices.Clone(servers), server))
		}
	}
}

// servers returns the servers that named a resource to a session.
func (l *links) servers(session, uri string) []string {
	servers, _ := l.of.Get(linkedTo{session, uri})
	return servers
}

// authorityOf returns a URI up to its path ("https://docs.example", "note://"), or "" if it has no scheme.
func authorityOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme == "" {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}
