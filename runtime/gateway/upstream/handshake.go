package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// About is a server's own description. The raw parts are as they came and not to be trusted.
type About struct {
	Kind            string // of the transport in use
	Era             string // Handshake or Stateless
	ProtocolVersion string
	ServerInfo      json.RawMessage // nil if it gave none
	Capabilities    json.RawMessage // an object
	Instructions    string
	Silent          time.Time // when it was found not to answer server/discover; zero: it does, or was not asked
}

// offersCapability reports whether the capabilities have a member such as "tools", or "tools.listChanged" with a true value.
func (a About) offersCapability(list, what string) bool {
	raw := rawjson.Get(a.Capabilities, list)
	if what != "" {
		return string(rawjson.Get(raw, what)) == "true"
	}
	return rawjson.Of(raw) == rawjson.Object
}

// maxProbe limits the wait for an answer to server/discover: servers of the handshake era may ignore what they do not
// know.
const maxProbe = 2 * time.Second

// handshake lets mcp-go's client settle the protocol over one of our wires: it asks server/discover first and falls
// back to initialize. That client uses it as its transport.
type handshake struct {
	conn    *conn
	forced  string // era; "" for either
	version string // in effect

	discovered  json.RawMessage // the results as they came
	initialized json.RawMessage
	probeLate   bool  // server/discover was not answered in time
	last        error // of the previous request
	probed      bool  // server/discover was answered, if only with an error
}

// lostInProbe reports whether the connection apparently ended because of server/discover.
func (h *handshake) lostInProbe() bool {
	select {
	case <-h.conn.dead:
		return !h.probed
	default:
		return false
	}
}

// settleProtocol performs the handshake and fills in c.about.
func (c *conn) settleProtocol(ctx context.Context, era string) (*handshake, error) {
	h := &handshake{conn: c, forced: era}
	probe := min(maxProbe, c.server.spec.StartTime/2)
	if era == Stateless {
		probe = c.server.spec.StartTime
	}
	options := []client.ClientOption{client.WithDiscoverTimeout(probe)}
	if era == Handshake {
		options = append(options, client.WithProtocolVersion(mcp.LATEST_LEGACY_PROTOCOL_VERSION))
	}
	cl := client.NewClient(h, options...)
	if err := cl.Start(ctx); err != nil {
		return h, err
	}
	result, err := cl.Initialize(ctx, mcp.InitializeRequest{Params: c.server.introduction(nil)})
	if err != nil {
		return h, h.causeOf(err)
	}
	c.about = h.aboutFrom(result)
	return h, nil
}

// introduction returns our client info and what may be asked of us: what is allowed and, unless nil, in offers.
func (s *Server) introduction(offers []string) mcp.InitializeParams {
	may := func(what string) bool { return s.spec.allows(what) && (offers == nil || slices.Contains(offers, what)) }
	p := mcp.InitializeParams{ClientInfo: mcp.Implementation{Name: s.opt.Client.Name, Version: s.opt.Client.Version}}
	part := func(what string) *struct{} {
		if slices.Contains(offers, what) {
			return &struct{}{}
		}
		return nil
	}
	if may(Sampling) {
		p.Capabilities.Sampling = &mcp.SamplingCapability{Tools: part("sampling.tools")} // no context: see withoutContext
	}
	if may(Elicitation) {
		p.Capabilities.Elicitation = &mcp.ElicitationCapability{Form: part("elicitation.form"), URL: part("elicitation.url")}
	}
	if may(Roots) {
		p.Capabilities.Roots = &struct {
			ListChanged bool `json:"listChanged,omitempty"`
		}{}
	}
	return p
}

func (h *handshake) aboutFrom(result *mcp.InitializeResult) About {
	a := About{ProtocolVersion: result.ProtocolVersion}
	raw := h.initialized
	if a.Era = Handshake; raw == nil {
		a.Era, raw = Stateless, h.discovered
		a.ServerInfo = rawjson.Get(rawjson.Get(raw, "_meta"), mcp.MetaKeyServerInfo)
	}
	a.Instructions = rawjson.GetText(raw, "instructions")
	if info := rawjson.Get(raw, "serverInfo"); info != nil {
		a.ServerInfo = info
	}
	if a.Capabilities = rawjson.Get(raw, "capabilities"); rawjson.Of(a.Capabilities) != rawjson.Object {
		a.Capabilities = json.RawMessage(`{}`)
	}
	a.ServerInfo, a.Capabilities = slices.Clone(a.ServerInfo), slices.Clone(a.Capabilities)
	return a
}

// causeOf returns the cause as it was before mcp-go wrapped it.
func (h *handshake) causeOf(err error) error {
	if h.last != nil {
		return h.last
	}
	var version mcp.UnsupportedProtocolVersionError
	if errors.As(err, &version) {
		return fmt.Errorf("protocol version %s is not supported here", sanitize.OneLine(version.Version, maxLine))
	}
	return err
}

var errNotStateless = errors.New("the server does not speak the stateless protocol: set its era to handshake, or leave it out")

// SendRequest sends a request of the handshake.
func (h *handshake) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	if r.Method == string(mcp.MethodInitialize) && h.forced == Stateless {
		if !wantsLogin(h.last) {
			h.last = errors.Join(h.last, errNotStateless)
		}
		return nil, errNotStateless
	}
	h.last = nil
	params, err := rawjson.Marshal(r.Params)
	if err != nil {
		return nil, err
	}
	header := map[string]string{}
	for name := range r.Header {
		header[name] = r.Header.Get(name)
	}
	result, err := h.conn.exchange(ctx, request{method: r.Method, header: header,
		params: func(int64) json.RawMessage { return params }})
	if err != nil {
		return h.failedResponse(ctx, r, err)
	}
	if err := h.keepResult(r.Method, result); err != nil {
		return nil, err
	}
	return &transport.JSONRPCResponse{JSONRPC: mcp.JSONRPC_VERSION, ID: r.ID, Result: essentialResult(result)}, nil
}

// essentialResult reduces a handshake result to what mcp-go needs. The rest is read raw: servers write capabilities in ways
// that do not decode, such as true for an object.
func essentialResult(result json.RawMessage) json.RawMessage {
	keep := []rawjson.Member{{Name: "capabilities", Value: json.RawMessage(`{}`)}}
	for _, name := range []string{"protocolVersion", "supportedVersions"} {
		if value := rawjson.Get(result, name); value != nil {
			keep = append(keep, rawjson.Member{Name: name, Value: value})
		}
	}
	return rawjson.Join(keep)
}

func (h *handshake) failedResponse(ctx context.Context, r transport.JSONRPCRequest, err error) (*transport.JSONRPCResponse, error) {
	h.last = err
	if r.Method == string(mcp.MethodServerDiscover) && ctx.Err() != nil {
		h.probeLate = true
	}
	var rpc *RPCError
	if errors.As(err, &rpc) {
		h.probed = true
	}
	if rpc == nil || r.Method == string(mcp.MethodInitialize) {
		return nil, err
	}
	detail := &mcp.JSONRPCErrorDetails{Code: rpc.Code, Message: rpc.Message}
	_ = json.Unmarshal(rpc.Data, &detail.Data)
	return &transport.JSONRPCResponse{JSONRPC: mcp.JSONRPC_VERSION, ID: r.ID, Error: detail}, nil
}

// keepResult checks and stores a result of the handshake. A server that answers every method with an empty object is not
// stateless.
func (h *handshake) keepResult(method string, result json.RawMessage) error {
	if method == string(mcp.MethodInitialize) {
		h.initialized = result
		return nil
	}
	var versions []string
	if json.Unmarshal(rawjson.Get(result, "supportedVersions"), &versions) != nil {
		return errors.New("the answer to server/discover names no versions")
	}
	if v := mcp.NegotiateMutuallySupportedVersion(versions); !mcp.IsModernProtocol(v) {
		return errors.New("none of the server's stateless versions is supported here")
	}
	h.discovered = result
	return nil
}

// SendNotification sends the note that ends the handshake.
func (h *handshake) SendNotification(ctx context.Context, n mcp.JSONRPCNotification) error {
	return h.conn.notify(ctx, n.Method, nil)
}

// SetProtocolVersion records the version in effect, which HTTP wires repeat in a header.
func (h *handshake) SetProtocolVersion(version string) {
	h.version = version
	if w, ok := h.conn.wire.(interface{ setVersion(string) }); ok {
		w.setVersion(version)
	}
}

// The connection handles the rest of a transport's duties.

// Start does nothing: the wire is open.
func (h *handshake) Start(context.Context) error { return nil }

// Close does nothing: the wire outlives the handshake.
func (h *handshake) Close() error { return nil }

// GetSessionId returns "": mcp-go's client does not use it.
func (h *handshake) GetSessionId() string { return "" }

// SetNotificationHandler does nothing: notes are delivered to their requests.
func (h *handshake) SetNotificationHandler(func(mcp.JSONRPCNotification)) {}

func isHandshake(method string) bool {
	return method == string(mcp.MethodInitialize) || method == string(mcp.MethodServerDiscover)
}
