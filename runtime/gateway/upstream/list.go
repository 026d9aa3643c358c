package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/mark3labs/mcp-go/mcp"
)

// Limits of one list.
const (
	maxPages = 1000
	maxItems = 50_000
	maxList  = 2 // times MaxMessage, for all pages together

	maxListTimes = 2 // times CallTime, for all pages together
)

// List fetches all pages of a list such as tools/list and returns the items of key, such as "tools", as they came.
// Tools with unusable headers are left out if the protocol requires that.
func (s *Server) List(ctx context.Context, method, key string) ([]json.RawMessage, error) {
	return s.listOver(ctx, method, key, nil)
}

// listOver works like List, over one connection if over is not nil.
func (s *Server) listOver(ctx context.Context, method, key string, over *conn) ([]json.RawMessage, error) {
	if limit := s.spec.CallTime; limit > 0 { // for all pages: a server that sends a page a minute would be read for a day
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, maxListTimes*limit)
		defer stop()
	}
	items, pages, err := s.pages(ctx, method, key, over)
	var rpc *RPCError
	if pages > 0 && errors.As(err, &rpc) { // a cursor is valid only with its program, which may have been restarted
		items, _, err = s.pages(ctx, method, key, over)
	}
	if err != nil {
		return nil, err
	}
	return s.noteTools(method, items), nil
}

// pages fetches the pages of a list and counts them.
func (s *Server) pages(ctx context.Context, method, key string, over *conn) (items []json.RawMessage, pages int, err error) {
	var size int64
	seen := map[string]bool{}
	params := json.RawMessage(nil)
	for ; pages < maxPages; pages++ {
		result, err := s.Do(ctx, Request{Method: method, Params: params, over: over})
		if err != nil {
			return nil, pages, err
		}
		page, err := rawjson.Items(rawjson.Get(result, key))
		if err != nil {
			return nil, pages, s.badList(method, "has no list of "+key)
		}
		cursor := rawjson.GetText(result, "nextCursor")
		if seen[cursor] { // it leads to a page already read: this page is the last, or a repeated one
			page = newItems(page, items)
			s.log.Warn("a list gives a cursor twice: what came until then is kept", "method", method, "items", len(items)+len(page))
			cursor = ""
		}
		items = append(items, page...)
		size += int64(len(result))
		if len(items) > maxItems || size > maxList*s.spec.MaxMessage {
			return nil, pages, s.badList(method, fmt.Sprintf("is over the limit of %d items or %d bytes", maxItems, maxList*s.spec.MaxMessage))
		}
		if cursor == "" {
			return items, pages, nil
		}
		seen[cursor] = true
		params = rawjson.Join([]rawjson.Member{{Name: "cursor", Value: rawjson.Quote(cursor)}})
	}
	return nil, pages, s.badList(method, fmt.Sprintf("has more than %d pages", maxPages))
}

// newItems returns the items of a page that are not in before.
func newItems(page, before []json.RawMessage) []json.RawMessage {
	known := make(map[string]bool, len(before))
	for _, item := range before {
		known[string(item)] = true
	}
	return slices.DeleteFunc(page, func(item json.RawMessage) bool { return known[string(item)] })
}

func (s *Server) badList(method, what string) error {
	return &Error{Code: CodeExecution, Server: s.spec.Name,
		Message: fmt.Sprintf("%s %s: a fault of the server", sanitize.OneLine(method, maxLine), what)}
}

// noteTools records the tools that want arguments in headers. Over HTTP in the stateless era a tool with headers that
// cannot be sent must be left out.
func (s *Server) noteTools(method string, items []json.RawMessage) []json.RawMessage {
	if method != string(mcp.MethodToolsList) {
		return items
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	strict := slices.ContainsFunc(s.conns, func(c *conn) bool { return c.isStateless() && c.about.Kind == HTTP })
	clear(s.params)
	s.toolsKnown = true
	kept := items[:0]
	for _, item := range items {
		if !bytes.Contains(item, []byte("x-mcp-header")) {
			kept = append(kept, item)
			continue
		}
		tool := &mcp.Tool{Name: rawjson.GetText(item, "name"), RawInputSchema: rawjson.Get(item, "inputSchema")}
		if err := mcp.ValidateParamHeaderAnnotations(tool); err == nil {
			s.params[tool.Name] = tool
		} else if strict {
			s.log.Warn("a tool is left out, its headers cannot be sent", "tool", sanitize.OneLine(tool.Name, maxLine))
			continue
		}
		kept = append(kept, item)
	}
	return kept
}

// routedTool returns the tool of that name if it wants arguments in headers, else nil.
func (s *Server) routedTool(name string) *mcp.Tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.params[name]
}
