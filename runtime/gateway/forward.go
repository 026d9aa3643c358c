package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// Offers says what servers offer besides tools. A server that is not known yet counts as offering everything: once
// capabilities are announced, none can be added.
type Offers struct{ Resources, Subscribe, Prompts, Completions bool }

// Offers returns what all servers offer together.
func (g *Gateway) Offers() (o Offers) {
	if g.surface() == "none" {
		return o
	}
	for _, e := range g.all() {
		l, _ := e.known()
		if l == nil {
			return Offers{true, true, true, true}
		}
		o.Resources = o.Resources || offersCapability(l.Capabilities, "resources")
		o.Prompts = o.Prompts || offersCapability(l.Capabilities, "prompts")
		o.Completions = o.Completions || offersCapability(l.Capabilities, "completions")
		o.Subscribe = o.Subscribe || offersSubscribe(l.Capabilities)
	}
	return o
}

func offersSubscribe(capabilities json.RawMessage) bool {
	var c struct {
		Resources struct {
			Subscribe bool `json:"subscribe"`
		} `json:"resources"`
	}
	return json.Unmarshal(capabilities, &c) == nil && c.Resources.Subscribe
}

// kind is a kind of item that is listed in addition to tools.
type kind struct {
	method, key, capability string
	id                      string // the member that identifies an item
}

var (
	resourceKind = kind{"resources/list", "resources", "resources", "uri"}
	templateKind = kind{"resources/templates/list", "resourceTemplates", "resources", "uriTemplate"}
	promptKind   = kind{"prompts/list", "prompts", "prompts", "name"}
)

// Forward answers a request about resources, prompts or completion.
func (g *Gateway) Forward(ctx context.Context, method string, params json.RawMessage, c Caller) (json.RawMessage, error) {
	switch method {
	case resourceKind.method:
		return g.mergedList(ctx, resourceKind)
	case templateKind.method:
		return g.mergedList(ctx, templateKind)
	case promptKind.method:
		return g.mergedList(ctx, promptKind)
	case "resources/read", "resources/subscribe", "resources/unsubscribe":
		return g.requestResource(ctx, method, params, c)
	case "prompts/get":
		return g.getPrompt(ctx, params, c)
	case "completion/complete":
		return g.forwardCompletion(ctx, params, c)
	}
	return nil, &upstream.RPCError{Code: methodNotFound, Message: "method " + method + " not found"}
}

// requestResource sends a request about one resource to its owners in turn.
func (g *Gateway) requestResource(ctx context.Context, method string, params json.RawMessage, c Caller) (json.RawMessage, error) {
	uri := rawjson.GetText(params, "uri")
	if uri == "" {
		return nil, &upstream.RPCError{Code: invalidParams, Message: "uri is missing: which resource?"}
	}
	var owners []string
	if method == "resources/unsubscribe" { // to the server with the subscription, even if others list it now
		for _, at := range g.subscribed.heldBy(c.Session.ID()) {
			if at.uri == uri {
				owners = []string{at.server}
			}
		}
	}
	if owners == nil {
		owners = g.resourceOwners(ctx, uri, c)
	}
	var last error
	for _, name := range owners {
		raw, err := g.requestFrom(ctx, resourceAt{name, uri}, method, params, c)
		var refused *upstream.RPCError
		if err == nil || len(owners) == 1 || !errors.As(err, &refused) {
			return raw, err
		}
		last = err
	}
	if last != nil {
		return nil, last
	}
	uri = g.echoInput(uri)
	data, _ := rawjson.Marshal(map[string]string{"uri": uri})
	return nil, &upstream.RPCError{Code: invalidParams, Message: "resource not found: " + uri + "; no server lists it or linked to it in this session, and which of several could have it is not known", Data: data}
}

// requestFrom sends a request about a resource to one server.
func (g *Gateway) requestFrom(ctx context.Context, at resourceAt, method string, params json.RawMessage, c Caller) (json.RawMessage, error) {
	switch method {
	case "resources/subscribe":
		return g.subscribe(ctx, at, params, c)
	case "resources/unsubscribe":
		return g.unsubscribe(ctx, at, params, c)
	}
	return g.forwardTo(ctx, at.server, method, params, c)
}

// resourceOwners returns the servers to ask for a resource URI, in turn: the one that lists it; else those with a matching
// template, then those that named it to this session; else the only one that lists others with its authority or, if
// none does, the only one with any resources. If several remain, none is asked: a URI may be a secret, and any server
// could answer for it.
func (g *Gateway) resourceOwners(ctx context.Context, uri string, c Caller) (out []string) {
	add := func(server string) {
		if !slices.Contains(out, server) && g.entry(server) != nil {
			out = append(out, server)
		}
	}
	listed := g.collectItems(ctx, resourceKind)
	for _, it := range listed {
		if it.id == uri {
			return []string{it.server}
		}
	}
	templates := g.collectItems(ctx, templateKind)
	for _, it := range templates {
		if begins, _, _ := strings.Cut(it.id, "{"); strings.Contains(begins, ":") && fitsTemplate(it.id, uri) { // else it matches everything
			add(it.server)
		}
	}
	for _, server := range g.links.servers(c.Session.ID(), uri) {
		add(server)
	}
	if len(out) > 0 {
		return out
	}
	for _, it := range append(listed, templates...) {
		if authority := authorityOf(uri); authority != "" && authority == authorityOf(it.id) {
			add(it.server)
		}
	}
	if len(out) == 0 {
		for _, e := range g.all() {
			if l, _ := e.known(); l != nil && offersCapability(l.Capabilities, "resources") {
				add(e.config().Name)
			}
		}
	}
	if len(out) > 1 {
		return nil
	}
	return out
}

// forwardTo sends a request to one server and masks its result.
func (g *Gateway) forwardTo(ctx context.Context, server, method string, params json.RawMessage, c Caller) (json.RawMessage, error) {
	e := g.entry(server)
	if e == nil {
		return nil, connectionError(server, "removed from the configuration", "list again")
	}
	up, leave, err := g.enterCall(e)
	if err != nil {
		return nil, err
	}
	defer leave()
	m := g.masker(e)
	ctx, done := g.startRequest(ctx, server, method, c)
	raw, err := up.Do(ctx, upstream.Request{Method: method, Params: params, Session: c.Session.ID(), Note: m.maskNotes(c.Note), Ask: m.maskAsks(c.Ask), Rounds: c.Rounds,
		Offers: c.Offers, LogLevel: c.LogLevel})
	done(raw, err)
	if err != nil {
		return nil, m.maskError(err)
	}
	if raw, err = m.maskForeign(ctx, raw); err != nil {
		return nil, err
	}
	return checkQuestion(e, raw)
}

func (g *Gateway) getPrompt(ctx context.Context, params json.RawMessage, c Caller) (json.RawMessage, error) {
	name := rawjson.GetText(params, "name")
	it, err := g.promptNamed(ctx, name)
	if err != nil {
		return nil, err
	}
	return g.forwardTo(ctx, it.server, "prompts/get", renameDefinition(params, it.id, ""), c)
}

func (g *Gateway) promptNamed(ctx context.Context, name string) (item, error) {
	for _, it := range g.collectItems(ctx, promptKind) {
		if it.listed == name {
			return it, nil
		}
	}
	return item{}, &upstream.RPCError{Code: invalidParams, Message: fmt.Sprintf("there is no prompt %q", g.echoInput(name))}
}

// forwardCompletion sends a completion request to the server of the prompt or resource that it is about.
func (g *Gateway) forwardCompletion(ctx context.Context, params json.RawMessage, c Caller) (json.RawMessage, error) {
	var p struct {
		Ref json.RawMessage `json:"ref"`
	}
	if err := json.Unmarshal(params, &p); err != nil || rawjson.Of(p.Ref) != rawjson.Object {
		return nil, &upstream.RPCError{Code: invalidParams, Message: "ref is missing: completion of what?"}
	}
	if rawjson.GetText(p.Ref, "type") == "ref/prompt" {
		it, err := g.promptNamed(ctx, rawjson.GetText(p.Ref, "name"))
		if err != nil {
			return nil, err
		}
		return g.forwardTo(ctx, it.server, "completion/complete", replaceMember(params, "ref", renameDefinition(p.Ref, it.id, "")), c)
	}
	uri := rawjson.GetText(p.Ref, "uri")
	for _, it := range append(g.collectItems(ctx, templateKind), g.collectItems(ctx, resourceKind)...) {
		if it.id == uri {
			return g.forwardTo(ctx, it.server, "completion/complete", params, c)
		}
	}
	return nil, &upstream.RPCError{Code: invalidParams, Message: fmt.Sprintf("there is no resource template %q", g.echoInput(uri))}
}

// handleListChange handles a change of a server's resources or prompts.
func (g *Gateway) handleListChange(e *serverEntry, what string) {
	if uri, ok := strings.CutPrefix(what, "resource:"); ok {
		server, secret := e.config().Name, g.masker(e).maskText(uri) != uri
		told := map[string][]string{} // URI → sessions to notify
		for part, sessions := range g.subscribed.coveringSessions(server, uri) {
			if !secret {
				part = uri // otherwise they are sent only what they subscribed to: the rest holds a secret
			}
			told[part] = append(told[part], sessions...)
		}
		for address, sessions := range told {
			g.tellNotice(Notice{Server: server, URI: address, Sessions: sessions})
		}
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.others)
	e.news++
	g.announceList(e, what)
}

// announceList announces a changed list once the changes have settled. The caller holds the entry's lock.
func (g *Gateway) announceList(e *serverEntry, what string) {
	if e.announcing[what] {
		return
	}
	if e.announcing == nil {
		e.announcing = map[string]bool{}
	}
	e.announcing[what] = true
	name := e.cfg.Name
	time.AfterFunc(quiet, func() {
		g.spawn(func(context.Context) {
			e.mu.Lock()
			delete(e.announcing, what)
			e.mu.Unlock()
			g.tellNotice(Notice{Server: name, List: what})
		})
	})
}

func (g *Gateway) tellNotice(n Notice) {
	if g.opt.Notice != nil {
		g.opt.Notice(n)
	}
}
