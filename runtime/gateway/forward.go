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
func (g *Gateway) Forward(ctx context.Context, method string, params json.RawMessage, by Caller) (json.RawMessage, error) {
	return (&caller{g, by}).forward(ctx, method, params)
}

func (c *caller) forward(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	switch method {
	case resourceKind.method:
		return c.mergedList(ctx, resourceKind)
	case templateKind.method:
		return c.mergedList(ctx, templateKind)
	case promptKind.method:
		return c.mergedList(ctx, promptKind)
	case "resources/read", "resources/subscribe", "resources/unsubscribe":
		return c.requestResource(ctx, method, params)
	case "prompts/get":
		return c.getPrompt(ctx, params)
	case "completion/complete":
		return c.forwardCompletion(ctx, params)
	}
	return nil, &upstream.RPCError{Code: methodNotFound, Message: "method " + method + " not found"}
}

// requestResource sends a request about one resource to its owners in turn.
func (c *caller) requestResource(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	uri := rawjson.GetText(params, "uri")
	if uri == "" {
		return nil, &upstream.RPCError{Code: invalidParams, Message: "uri is missing: which resource?"}
	}
	var owners []string
	if method == "resources/unsubscribe" { // to the server with the subscription, even if others list it now
		for _, at := range c.subscribed.heldBy(c.by.Session.ID()) {
			if at.uri == uri {
				owners = []string{at.server}
			}
		}
	}
	if owners == nil {
		owners = c.resourceOwners(ctx, uri)
	}
	var last error
	for _, name := range owners {
		raw, err := c.requestFrom(ctx, resourceAt{name, uri}, method, params)
		var refused *upstream.RPCError
		if err == nil || len(owners) == 1 || !errors.As(err, &refused) {
			return raw, err
		}
		last = err
	}
	if last != nil {
		return nil, last
	}
	uri = c.echoInput(uri)
	data, _ := rawjson.Marshal(map[string]string{"uri": uri})
	return nil, &upstream.RPCError{Code: invalidParams, Message: "resource not found: " + uri + "; no server lists it or linked to it in this session, and which of several could have it is not known", Data: data}
}

// requestFrom sends a request about a resource to one server.
func (c *caller) requestFrom(ctx context.Context, at resourceAt, method string, params json.RawMessage) (json.RawMessage, error) {
	switch method {
	case "resources/subscribe":
		return c.subscribe(ctx, at, params)
	case "resources/unsubscribe":
		return c.unsubscribe(ctx, at, params)
	}
	return c.forwardTo(ctx, at.server, method, params)
}

// resourceOwners returns the servers to ask for a resource URI, in turn: the one that lists it; else those with a matching
// template, then those that named it to this session; else the only one that lists others with its authority or, if
// none does, the only one with any resources. If several remain, none is asked: a URI may be a secret, and any server
// could answer for it.
func (c *caller) resourceOwners(ctx context.Context, uri string) (out []string) {
	add := func(server string) {
		if !slices.Contains(out, server) && c.entry(server) != nil {
			out = append(out, server)
		}
	}
	listed := c.collectItems(ctx, resourceKind)
	for _, it := range listed {
		if it.id == uri {
			return []string{it.server}
		}
	}
	templates := c.collectItems(ctx, templateKind)
	for _, it := range templates {
		if begins, _, _ := strings.Cut(it.id, "{"); strings.Contains(begins, ":") && fitsTemplate(it.id, uri) { // else it matches everything
			add(it.server)
		}
	}
	for _, server := range c.links.servers(c.by.Session.ID(), uri) {
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
		for _, e := range c.all() {
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
func (c *caller) forwardTo(ctx context.Context, server, method string, params json.RawMessage) (json.RawMessage, error) {
	e := c.entry(server)
	if e == nil {
		return nil, connectionError(server, "removed from the configuration", "list again")
	}
	up, leave, err := c.enterCall(e)
	if err != nil {
		return nil, err
	}
	defer leave()
	m := c.masker(e)
	ctx, done := c.startRequest(ctx, server, method)
	raw, err := up.Do(ctx, upstream.Request{Method: method, Params: params, Session: c.by.Session.ID(), Note: m.maskNotes(c.by.Note), Ask: m.maskAsks(c.by.Ask), Rounds: c.by.Rounds,
		Offers: c.by.Offers, LogLevel: c.by.LogLevel})
	done(raw, err)
	if err != nil {
		return nil, m.maskError(err)
	}
	if raw, err = m.maskForeign(ctx, raw); err != nil {
		return nil, err
	}
	return checkQuestion(e, raw)
}

func (c *caller) getPrompt(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	name := rawjson.GetText(params, "name")
	it, err := c.promptNamed(ctx, name)
	if err != nil {
		return nil, err
	}
	return c.forwardTo(ctx, it.server, "prompts/get", renameDefinition(params, it.id, ""))
}

func (c *caller) promptNamed(ctx context.Context, name string) (item, error) {
	for _, it := range c.collectItems(ctx, promptKind) {
		if it.listed == name {
			return it, nil
		}
	}
	return item{}, &upstream.RPCError{Code: invalidParams, Message: fmt.Sprintf("there is no prompt %q", c.echoInput(name))}
}

// forwardCompletion sends a completion request to the server of the prompt or resource that it is about.
func (c *caller) forwardCompletion(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
	var p struct {
		Ref json.RawMessage `json:"ref"`
	}
	if err := json.Unmarshal(params, &p); err != nil || rawjson.Of(p.Ref) != rawjson.Object {
		return nil, &upstream.RPCError{Code: invalidParams, Message: "ref is missing: completion of what?"}
	}
	if rawjson.GetText(p.Ref, "type") == "ref/prompt" {
		it, err := c.promptNamed(ctx, rawjson.GetText(p.Ref, "name"))
		if err != nil {
			return nil, err
		}
		return c.forwardTo(ctx, it.server, "completion/complete", replaceMember(params, "ref", renameDefinition(p.Ref, it.id, "")))
	}
	uri := rawjson.GetText(p.Ref, "uri")
	for _, it := range append(c.collectItems(ctx, templateKind), c.collectItems(ctx, resourceKind)...) {
		if it.id == uri {
			return c.forwardTo(ctx, it.server, "completion/complete", params)
		}
	}
	return nil, &upstream.RPCError{Code: invalidParams, Message: fmt.Sprintf("there is no resource template %q", c.echoInput(uri))}
}

// handleListChange handles a change of a server's resources or prompts.
func (reg *registry) handleListChange(e *serverEntry, what string) {
	if uri, ok := strings.CutPrefix(what, "resource:"); ok {
		server, secret := e.config().Name, reg.masker(e).maskText(uri) != uri
		told := map[string][]string{} // URI → sessions to notify
		for part, sessions := range reg.subscribed.coveringSessions(server, uri) {
			if !secret {
				part = uri // otherwise they are sent only what they subscribed to: the rest holds a secret
			}
			told[part] = append(told[part], sessions...)
		}
		for address, sessions := range told {
			reg.tellNotice(Notice{Server: server, URI: address, Sessions: sessions})
		}
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.others)
	e.news++
	reg.announceList(e, what)
}

// announceList announces a changed list once the changes have settled. The caller holds the entry's lock.
func (reg *registry) announceList(e *serverEntry, what string) {
	if e.announcing[what] {
		return
	}
	if e.announcing == nil {
		e.announcing = map[string]bool{}
	}
	e.announcing[what] = true
	name := e.cfg.Name
	time.AfterFunc(quiet, func() {
		reg.spawn(func(context.Context) {
			e.mu.Lock()
			delete(e.announcing, what)
			e.mu.Unlock()
			reg.tellNotice(Notice{Server: name, List: what})
		})
	})
}

func (reg *registry) tellNotice(n Notice) {
	if reg.opt.Notice != nil {
		reg.opt.Notice(n)
	}
}
