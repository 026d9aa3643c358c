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
		o.Resources = o.Resources || offers(l.Capabilities, "resources")
		o.Prompts = o.Prompts || offers(l.Capabilities, "prompts")
		o.Completions = o.Completions || offers(l.Capabilities, "completions")
		o.Subscribe = o.Subscribe || subscribes(l.Capabilities)
	}
	return o
}

func subscribes(capabilities json.RawMessage) bool {
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
		return g.merged(ctx, resourceKind)
	case templateKind.method:
		return g.merged(ctx, templateKind)
	case promptKind.method:
		return g.merged(ctx, promptKind)
	case "resources/read", "resources/subscribe", "resources/unsubscribe":
		return g.resource(ctx, method, params, c)
	case "prompts/get":
		return g.prompt(ctx, params, c)
	case "completion/complete":
		return g.complete(ctx, params, c)
	}
	return nil, &upstream.RPCError{Code: methodNotFound, Message: "method " + method + " not found"}
}

// resource sends a request about one resource to its owners in turn.
func (g *Gateway) resource(ctx context.Context, method string, params json.RawMessage, c Caller) (json.RawMessage, error) {
	uri := rawjson.GetText(params, "uri")
	if uri == "" {
		return nil, &upstream.RPCError{Code: invalidParams, Message: "uri is missing: which resource?"}
	}
	var owners []string
	if method == "resources/unsubscribe" { // to the server with the subscription, even if others list it now
		for _, at := range g.subscribed.held(c.Session.ID()) {
			if at.uri == uri {
				owners = []string{at.server}
			}
		}
	}
	if owners == nil {
		owners = g.owners(ctx, uri, c)
	}
	var last error
	for _, name := range owners {
		raw, err := g.one(ctx, resourceAt{name, uri}, method, params, c)
		var refused *upstream.RPCError
		if err == nil || len(owners) == 1 || !errors.As(err, &refused) {
			return raw, err
		}
		last = err
	}
	if last != nil {
		return nil, last
	}
	uri = g.echo(uri)
	data, _ := rawjson.Marshal(map[string]string{"uri": uri})
	return nil, &upstream.RPCError{Code: invalidParams, Message: "resource not found: " + uri + "; no server lists it or linked to it in this session, and which of several could have it is not known", Data: data}
}

// one sends a request about a resource to one server.
func (g *Gateway) one(ctx context.Context, at resourceAt, method string, params json.RawMessage, c Caller) (json.RawMessage, error) {
	switch method {
	case "resources/subscribe":
		return g.subscribe(ctx, at, params, c)
	case "resources/unsubscribe":
		return g.unsubscribe(ctx, at, params, c)
	}
	return g.pass(ctx, at.server, method, params, c)
}

// owners returns the servers to ask for a resource URI, in turn: the one that lists it; else those with a matching
// template, then those that named it to this session; else the only one that lists others with its authority or, if
// none does, the only one with any resources. If several remain, none is asked: a URI may be a secret, and any server
// could answer for it.
func (g *Gateway) owners(ctx context.Context, uri string, c Caller) (out []string) {
	add := func(server string) {
		if !slices.Contains(out, server) && g.entry(server) != nil {
			out = append(out, server)
		}
	}
	listed := g.items(ctx, resourceKind)
	for _, it := range listed {
		if it.id == uri {
			return []string{it.server}
		}
	}
	templates := g.items(ctx, templateKind)
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
			if l, _ := e.known(); l != nil && offers(l.Capabilities, "resources") {
				add(e.config().Name)
			}
		}
	}
	if len(out) > 1 {
		return nil
	}
	return out
}

// pass sends a request to one server and masks its result.
func (g *Gateway) pass(ctx context.Context, server, method string, params json.RawMessage, c Caller) (json.RawMessage, error) {
	e := g.entry(server)
	if e == nil {
		return nil, connectionError(server, "removed from the configuration", "list again")
	}
	up, leave, err := g.enter(e)
	if err != nil {
		return nil, err
	}
	defer leave()
	m := g.masker(e)
	ctx, done := g.passing(ctx, server, method, c)
	raw, err := up.Do(ctx, upstream.Request{Method: method, Params: params, Session: c.Session.ID(), Note: m.notes(c.Note), Ask: m.asks(c.Ask), Rounds: c.Rounds,
		Offers: c.Offers, LogLevel: c.LogLevel})
	done(raw, err)
	if err != nil {
		return nil, m.fault(err)
	}
	if raw, err = m.foreign(ctx, raw); err != nil {
		return nil, err
	}
	return asked(e, raw)
}

func (g *Gateway) prompt(ctx context.Context, params json.RawMessage, c Caller) (json.RawMessage, error) {
	name := rawjson.GetText(params, "name")
	it, err := g.promptNamed(ctx, name)
	if err != nil {
		return nil, err
	}
	return g.pass(ctx, it.server, "prompts/get", renamed(params, it.id, ""), c)
}

func (g *Gateway) promptNamed(ctx context.Context, name string) (item, error) {
	for _, it := range g.items(ctx, promptKind) {
		if it.listed == name {
			return it, nil
		}
	}
	return item{}, &upstream.RPCError{Code: invalidParams, Message: fmt.Sprintf("there is no prompt %q", g.echo(name))}
}

// complete sends a completion request to the server of the prompt or resource that it is about.
func (g *Gateway) complete(ctx context.Context, params json.RawMessage, c Caller) (json.RawMessage, error) {
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
		return g.pass(ctx, it.server, "completion/complete", replaced(params, "ref", renamed(p.Ref, it.id, "")), c)
	}
	uri := rawjson.GetText(p.Ref, "uri")
	for _, it := range append(g.items(ctx, templateKind), g.items(ctx, resourceKind)...) {
		if it.id == uri {
			return g.pass(ctx, it.server, "completion/complete", params, c)
		}
	}
	return nil, &upstream.RPCError{Code: invalidParams, Message: fmt.Sprintf("there is no resource template %q", g.echo(uri))}
}

// notice handles a change of a server's resources or prompts.
func (g *Gateway) notice(e *entry, what string) {
	if uri, ok := strings.CutPrefix(what, "resource:"); ok {
		server, secret := e.config().Name, g.masker(e).text(uri) != uri
		told := map[string][]string{} // URI → sessions to notify
		for part, sessions := range g.subscribed.covering(server, uri) {
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
func (g *Gateway) announceList(e *entry, what string) {
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
