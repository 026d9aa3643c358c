// Package clienttest connects mcp-go's client to a server in tests, in either era of the protocol: with the handshake,
// or stateless.
package clienttest

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// HTTP returns a transport to the server at url. Its connections are not reused, so none outlives the test.
func HTTP(t testing.TB, url string, opts ...transport.StreamableHTTPCOption) transport.Interface {
	t.Helper()
	alone := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	tr, err := transport.NewStreamableHTTP(url, append([]transport.StreamableHTTPCOption{transport.WithHTTPBasicClient(alone)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// Connect returns an initialized client with a name; a modern one is of the stateless era. It is closed with the test.
func Connect(t testing.TB, tr transport.Interface, name string, modern bool) *client.Client {
	t.Helper()
	var opts []client.ClientOption
	var req mcp.InitializeRequest
	req.Params.ClientInfo = mcp.Implementation{Name: name, Version: "1"}
	if !modern {
		opts = append(opts, client.WithProtocolVersion(mcp.LATEST_LEGACY_PROTOCOL_VERSION))
		req.Params.ProtocolVersion = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	}
	c := client.NewClient(tr, opts...)
	if err := c.Start(context.Background()); err != nil { // not the test's own context, which ends before its cleanups
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if _, err := c.Initialize(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	return c
}

// Upstream returns the tools of upstream servers that a client is shown: server__tool.
func Upstream(t testing.TB, c *client.Client) (names []string) {
	t.Helper()
	res, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range res.Tools {
		if strings.Contains(tool.Name, "__") {
			names = append(names, tool.Name)
		}
	}
	return names
}
