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

// Bounds of the resources that are remembered since results named them.
const (
	maxLinks       = 4096
	maxResultLinks = 64      // of one result
	maxLink        = 2 << 10 // bytes of an address
)

// links are the resources that servers named in results and need not list, by the session that was given them.
type links struct {
	adding sync.Mutex
	of     *lru.Cache[linkedTo, []string] // servers, the first that named it first
}

type linkedTo struct{ session, uri string }

func newLinks() *links {
	of, _ := lru.New[linkedTo, []string](maxLinks) // the size is positive
	return &links{of: of}
}

// add remembers what a server's result links to. Callers without a session are not told from one another: nothing is
// remembered of theirs.
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

// servers returns those that named a resource to a session.
func (l *links) servers(session, uri string) []string {
	servers, _ := l.of.Get(linkedTo{session, uri})
	return servers
}

// authorityOf returns what an address begins with up to its path: "https://docs.example", "note://"; "" of none.
func authorityOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme == "" {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}
