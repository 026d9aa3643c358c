package server

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/mark3labs/mcp-go/mcp"
)

// request is a message with an id, and what its _meta says. Since 2026-07-28 each request carries what the handshake
// used to negotiate once; a request without that belongs to the handshake era.
type request struct {
	message
	modern   bool
	version  string // as declared in _meta
	client   Client
	caps     json.RawMessage // client capabilities; nil if not given
	logLevel string          // "" if no log notes are wanted (stateless era)
	token    json.RawMessage // progress token; nil if no progress is wanted

	met      bool // see Server.meet
	face     *face
	stranger *rpcError
}

// newRequest reads _meta. It does not validate it: over HTTP the headers are compared first.
func newRequest(m message) *request {
	r := &request{message: m}
	meta, err := rawjson.Members(m.param("_meta"))
	if err != nil {
		return r
	}
	for _, f := range meta {
		switch f.Name {
		case "progressToken":
			if k := rawjson.Of(f.Value); k == rawjson.String || k == rawjson.Number {
				r.token = f.Value
			}
		case mcp.MetaKeyProtocolVersion:
			r.version = textOf(f.Value)
		case mcp.MetaKeyClientCapabilities:
			if rawjson.Of(f.Value) == rawjson.Object {
				r.caps = f.Value
				r.client.Capabilities = capabilityNames(f.Value)
				if len(f.Value) <= maxDeclared {
					r.client.Declared = f.Value
				}
			}
		case mcp.MetaKeyClientInfo:
			r.client.Name, r.client.Version = nameAndVersion(f.Value)
		case mcp.MetaKeyLogLevel:
			r.logLevel = textOf(f.Value)
		}
	}
	r.modern = mcp.IsModernProtocol(r.version)
	return r
}

// sender returns the client that sent the request.
func (r *request) sender(sess *session) Client {
	if r.modern {
		return r.client
	}
	return sess.declaredClient()
}

// sessionOf returns the session of the request.
func (r *request) sessionOf(sess *session) Session {
	return Session{ID: sess.id, Client: r.sender(sess), Stateless: r.modern}
}

func nameAndVersion(info json.RawMessage) (name, version string) {
	members, _ := rawjson.Members(info)
	fields, _ := byName(members)
	return sanitize.OneLine(textOf(fields["name"]), maxWord), sanitize.OneLine(textOf(fields["version"]), maxWord)
}

func capabilityNames(caps json.RawMessage) []string {
	members, _ := rawjson.Members(caps)
	var names []string
	for _, m := range members {
		names = append(names, sanitize.OneLine(m.Name, maxWord))
	}
	slices.Sort(names)
	return names
}

// checkEra rejects a stateless request that names an unsupported version or lacks its capabilities.
func (r *request) checkEra() *rpcError {
	switch {
	case !r.modern && r.method == string(mcp.MethodServerDiscover):
		// A modern method without the modern fields: the fields are wrong, not the method.
		return invalidParams("_meta needs " + mcp.MetaKeyProtocolVersion + " and " + mcp.MetaKeyClientCapabilities)
	case !r.modern:
		return nil
	case !mcp.IsValidProtocolVersion(r.version):
		e := mcp.UnsupportedProtocolVersionError{Version: sanitize.OneLine(r.version, maxWord), Supported: mcp.ValidProtocolVersions}.JSONRPCError().Error
		return &rpcError{Code: e.Code, Message: e.Message, Data: e.Data}
	case r.caps == nil:
		return invalidParams("_meta needs " + mcp.MetaKeyClientCapabilities + ", an object that may be empty")
	}
	return nil
}

// checkHeaders compares the headers of a stateless HTTP request with its body. Proxies route by the headers, so a
// difference would let a request pass under another name.
func (r *request) checkHeaders(h http.Header) *rpcError {
	version := h.Get(mcp.HeaderProtocolVersion)
	switch {
	case h.Get(mcp.HeaderLastEventID) != "":
		return headerMismatch(mcp.HeaderLastEventID + ": streams cannot be resumed in this version, send the request again")
	case version == "":
		return headerMismatch(mcp.HeaderProtocolVersion + ": missing, the body says " + sanitize.OneLine(r.version, maxWord))
	case r.version == "":
		return invalidParams("_meta needs " + mcp.MetaKeyProtocolVersion)
	case version != r.version:
		return headerMismatch(mcp.HeaderProtocolVersion + ": differs from " + mcp.MetaKeyProtocolVersion + " in the body")
	}
	if err := mcp.ValidateStandardHeaders(h.Get, r.version, mcp.MCPMethod(r.method), r.rawParam); err != nil {
		return headerMismatch(strings.TrimPrefix(err.Error(), "header mismatch: "))
	}
	return nil
}

func headerMismatch(text string) *rpcError {
	return &rpcError{Code: mcp.HEADER_MISMATCH, Message: "header mismatch: " + sanitize.OneLine(text, maxLine)}
}
