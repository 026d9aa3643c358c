package upstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

// compact removes white space from JSON: a line feed within a message would break the framing of stdio.
func compact(data json.RawMessage) json.RawMessage {
	if data == nil {
		return nil
	}
	var b bytes.Buffer
	if json.Compact(&b, data) != nil {
		return nil
	}
	return b.Bytes()
}

var errParams = errors.New("params must be a JSON object in which no name comes twice, in whatever capitals")

// maxMembers limits the members of params; the protocol defines five.
const maxMembers = 100

// hasAmbiguous reports whether two names differ only in case. Many servers ignore case, and could use a different value
// from the one checked here.
func hasAmbiguous(members []rawjson.Member) bool {
	if len(members) > maxMembers {
		return true
	}
	for i, m := range members {
		for _, o := range members[:i] {
			if strings.EqualFold(m.Name, o.Name) {
				return true
			}
		}
	}
	return false
}

// isProtocolKey reports whether a member of _meta is ours to set.
func isProtocolKey(name string) bool {
	for key := range protocolKeys {
		if strings.EqualFold(key, name) {
			return true
		}
	}
	return false
}

// protocolKeys are the members of _meta that belong to one connection and are never passed on.
var protocolKeys = map[string]bool{
	"progressToken":               true,
	mcp.MetaKeyProtocolVersion:    true,
	mcp.MetaKeyClientInfo:         true,
	mcp.MetaKeyClientCapabilities: true,
}

// paramsFor adds our own _meta to a caller's params: the protocol's members in the stateless era, and the request's id
// as progress token if notes are wanted or progress extends its time.
func (c *conn) paramsFor(r Request) (func(id int64) json.RawMessage, error) {
	given, progress := r.Params, r.Note != nil || r.progressed != nil && r.Method == string(mcp.MethodToolsCall)
	if given == nil {
		given = json.RawMessage(`{}`)
	}
	if rawjson.Check(given) != nil || rawjson.Of(given) != rawjson.Object {
		return nil, errParams
	}
	members, err := rawjson.Members(compact(given))
	if err != nil {
		return nil, errParams
	}
	if hasAmbiguous(members) {
		return nil, errParams
	}
	var rest, meta []rawjson.Member
	for _, m := range members {
		if m.Name != "_meta" {
			if !strings.EqualFold(m.Name, "_meta") {
				rest = append(rest, m)
			}
			continue
		}
		rawjson.Each(m.Value, func(name string, value json.RawMessage) bool {
			if !isProtocolKey(name) {
				meta = append(meta, rawjson.Member{Name: name, Value: value})
			}
			return true
		})
	}
	meta = append(meta, c.protocolMeta(r.Offers)...)
	if c.isStateless() && r.LogLevel != "" && !slices.ContainsFunc(meta, func(m rawjson.Member) bool { return m.Name == mcp.MetaKeyLogLevel }) {
		meta = append(meta, rawjson.Member{Name: mcp.MetaKeyLogLevel, Value: rawjson.Quote(r.LogLevel)})
	}
	return func(id int64) json.RawMessage {
		meta := meta
		if progress {
			meta = append(meta[:len(meta):len(meta)], rawjson.Member{Name: "progressToken", Value: json.RawMessage(strconv.FormatInt(id, 10))})
		}
		all := rest
		if len(meta) > 0 {
			all = append(rest[:len(rest):len(rest)], rawjson.Member{Name: "_meta", Value: rawjson.Join(meta)})
		}
		if len(all) == 0 {
			return nil
		}
		return rawjson.Join(all)
	}, nil
}

// protocolMeta returns the _meta members of each request in the stateless era.
func (c *conn) protocolMeta(offers []string) []rawjson.Member {
	if !c.isStateless() {
		return nil
	}
	who := c.server.introduction(offers)
	info, _ := rawjson.Marshal(who.ClientInfo)
	capabilities, _ := rawjson.Marshal(who.Capabilities)
	return []rawjson.Member{
		{Name: mcp.MetaKeyProtocolVersion, Value: rawjson.Quote(c.about.ProtocolVersion)},
		{Name: mcp.MetaKeyClientInfo, Value: info},
		{Name: mcp.MetaKeyClientCapabilities, Value: capabilities},
	}
}

// headersFor returns the headers of a request in the stateless era: its method and name, and the arguments that its
// tool's schema wants repeated.
func (c *conn) headersFor(method string, params json.RawMessage, extra map[string]string) map[string]string {
	out := map[string]string{}
	if c.isStateless() {
		for name, value := range mcp.StandardHeaders(c.about.ProtocolVersion, mcp.MCPMethod(method), params) {
			out[name] = value
		}
		if method == string(mcp.MethodToolsCall) {
			if tool := c.server.routedTool(rawjson.GetText(params, "name")); tool != nil {
				for name, value := range mcp.GenerateParamHeaders(tool, params) {
					out[name] = value
				}
			}
		}
	}
	for name, value := range extra {
		out[name] = value
	}
	return out
}
