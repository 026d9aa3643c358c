package upstream

import (
	"context"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

func init() {
	programs["mcp-go"] = func() { _ = server.ServeStdio(goServer()) }
}

// goServer is a server of somebody else: built with mcp-go's server, which speaks both eras.
func goServer() *server.MCPServer {
	s := server.NewMCPServer("other", "3.2.1", server.WithToolCapabilities(true), server.WithInstructions("Ask."), server.WithResourceCapabilities(true, true))
	s.AddTool(mcp.NewToolWithRawSchema("echo", "Says it again.", []byte(`{"type":"object","properties":{"n":{"type":"number"}},"oneOf":[{"required":["n"]}]}`)),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(string(r.Params.RawArguments)), nil
		})
	s.AddTool(mcp.NewTool("grow"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.AddTool(mcp.NewTool("grown"), nil)
		return mcp.NewToolResultText("grown"), nil
	})
	s.AddTool(mcp.NewToolWithRawSchema("routed", "Takes its region from a header too.", []byte(`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}`)),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(r.GetString("region", "")), nil
		})
	return s
}

// TestServersBuiltWithMCPGo are asked over every transport and era.
func TestServersBuiltWithMCPGo(t *testing.T) {
	for _, era := range []string{Handshake, Stateless, ""} {
		for _, kind := range []string{Stdio, HTTP, SSE} {
			if kind == SSE && era == Stateless {
				continue
			}
			t.Run(kind+" "+era, func(t *testing.T) {
				spec := Spec{Kind: kind, Era: era, Command: "self", Args: []string{"mcp-go"}}
				switch kind {
				case HTTP:
					web := httptest.NewServer(server.NewStreamableHTTPServer(goServer()))
					t.Cleanup(func() { web.CloseClientConnections(); web.Close() })
					spec.URL = web.URL + "/mcp"
				case SSE:
					web := httptest.NewServer(server.NewSSEServer(goServer(), server.WithUseFullURLForMessageEndpoint(false)))
					t.Cleanup(func() { web.CloseClientConnections(); web.Close() })
					spec.URL = web.URL + "/sse"
				}
				h := &hearer{}
				s := newServer(t, spec, Options{Changed: h.hear})
				about, err := s.About(t.Context())
				want := era
				if want == "" {
					want = Stateless
				}
				if kind == SSE {
					want = Handshake
				}
				if err != nil || about.Era != want || about.Instructions != "Ask." || rawjson.GetText(about.ServerInfo, "version") != "3.2.1" {
					t.Fatalf("%+v %v", about, err)
				}
				var wg sync.WaitGroup
				for range 20 {
					wg.Go(func() {
						result, err := s.Do(t.Context(), toolCall("echo", `{"n":9007199254740993}`))
						if err != nil || !strings.Contains(string(result), `9007199254740993`) {
							t.Errorf("%s %v", result, err)
						}
					})
				}
				wg.Wait()
				items, err := s.List(t.Context(), "tools/list", "tools")
				if err != nil || len(items) != 3 || !strings.Contains(string(items[0]), `"oneOf":[{"required":["n"]}]`) {
					t.Errorf("%s %v", items, err)
				}
				clocktest.Until(t, "told", func() bool { // a change from before the stream stood is told to nobody
					if _, err := s.Do(t.Context(), toolCall("grow", `{}`)); err != nil {
						t.Error(err)
					}
					return h.has("tools")
				})
			})
		}
	}
}
