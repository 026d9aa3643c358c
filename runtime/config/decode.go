package config

import (
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
)

// decode converts a checked tree to the plain types, and marks servers and rules written by the
// project's side; 0 means no side. Nothing can fail here: whatever does not fit has been reported.
func decode(t *node, project side) *Config {
	c := &Config{Roots: map[string][]string{}, Models: map[string]Model{}, Roles: map[string]Role{}, Pipelines: map[string]Pipeline{},
		Tools: map[string]Tool{}, Hooks: map[string]Hook{}, Tests: map[string]Test{}, Collections: map[string]Collection{}, Redaction: Redaction{Patterns: map[string]Pattern{}}}
	for _, f := range t.get("roots").fieldsOrNone() {
		c.Roots[f.name] = f.value.texts()
	}
	for _, f := range t.get("models").fieldsOrNone() {
		c.Models[f.name] = decodeModel(f.value)
	}
	for _, f := range t.get("roles").fieldsOrNone() {
		c.Roles[f.name] = decodeRole(f.name, f.value)
	}
	for _, f := range t.get("pipelines").fieldsOrNone() {
		c.Pipelines[f.name] = decodePipeline(f.name, f.value)
	}
	for _, f := range t.get("tools").fieldsOrNone() {
		c.Tools[f.name] = decodeTool(f.name, f.value)
	}
	for _, f := range t.get("hooks").fieldsOrNone() {
		c.Hooks[f.name] = Hook{Pipeline: f.value.get("pipeline").text(), When: f.value.get("when").text()}
	}
	for _, f := range t.get("redaction").get("patterns").fieldsOrNone() {
		c.Redaction.Patterns[f.name] = decodePattern(f.name, f.value)
	}
	for _, f := range t.get("tests").fieldsOrNone() {
		c.Tests[f.name] = decodeTest(f.name, f.value)
	}
	menu := t.get("menu")
	c.Menu = Menu{Only: menu.get("only").texts(), Advanced: menu.get("advanced").texts(), OutputSchemas: menu.get("output_schemas").texts()}
	decodeServer(c, t)
	decodeUpstreams(c, t, project)
	decodeDependencies(c, t, project)
	return c
}

func decodeServer(c *Config, t *node) {
	box := t.get("sandbox")
	c.Sandbox = Sandbox{Deny: box.get("deny").texts(), Allow: box.get("allow").texts(), MaxFile: box.get("max_file").size(),
		CrossDevice: box.get("cross_device").isTrue(), NoIgnore: box.get("no_ignore").isTrue(), ScanTime: box.get("scan_time").duration()}
	c.Network = decodeNetwork(t.get("network"))
	for _, f := range t.get("collections").fieldsOrNone() {
		c.Collections[f.name] = decodeCollection(f.value)
	}
	keeping := t.get("cache")
	enabled := keeping.get("enabled").writtenBool()
	c.Cache = Cache{Memory: keeping.get("memory").size(), Indexes: keeping.get("indexes").size(), Off: enabled != nil && !*enabled,
		Searches: keeping.get("searches").size(), SearchesTTL: keeping.get("searches_ttl").duration()}
	c.Artifacts.Dir = t.get("artifacts").get("dir").text()
	pool := t.get("pool")
	c.Pool = Pool{Workers: pool.get("workers").number(), Queue: pool.get("queue").number(), Deadline: pool.get("deadline").duration()}
	shown := t.get("dashboard").get("enabled").writtenBool()
	c.Dashboard = Dashboard{Off: shown != nil && !*shown}
	told := t.get("api").get("enabled").writtenBool()
	c.API = API{Off: told != nil && !*told}
	c.Tracing.Endpoint = t.get("tracing").get("endpoint").text()
	kept := t.get("timeline")
	shelved, named := kept.get("enabled").writtenBool(), kept.get("questions").writtenBool()
	c.Timeline = Timeline{Off: shelved != nil && !*shelved, Keep: kept.get("keep").duration(), Sessions: kept.get("sessions").number(), Unnamed: named != nil && !*named}
	used := t.get("usage")
	tracked := used.get("enabled").writtenBool()
	c.Usage = Usage{Off: tracked != nil && !*tracked, Clients: used.get("clients").text(), Arguments: used.get("arguments").text(),
		Keep: used.get("keep").duration(), Calls: used.get("calls").number()}
	c.Notes = decodeNotes(t.get("notes"))
	log := t.get("log")
	c.Log = Log{Level: log.get("level").text(), Format: log.get("format").text(), File: log.get("file").text()}
}

func decodeNetwork(n *node) Network {
	out := Network{Hosts: map[string]WebHost{}, MaxPage: n.get("max_page").size(), Timeout: n.get("timeout").duration(),
		Redirects: n.get("redirects").number(), Pages: n.get("pages").number()}
	for _, f := range n.get("hosts").fieldsOrNone() {
		h := WebHost{Paths: f.value.get("paths").texts(), HTTP: f.value.get("http").isTrue(), Private: f.value.get("private").isTrue(),
			Start: f.value.get("start").texts(), Follow: f.value.get("follow").number()}
		if ports := f.value.get("ports"); ports != nil {
			for _, port := range ports.items {
				h.Ports = append(h.Ports, port.number())
			}
		}
		out.Hosts[f.name] = h
	}
	return out
}

func decodeCollection(n *node) Collection {
	cut, legs, read := n.get("chunk"), n.get("weights"), n.get("reading")
	near, table, judge, more := n.get("embeddings"), n.get("static"), n.get("rerank"), n.get("expand")
	return Collection{Roots: n.get("roots").texts(), Include: n.get("include").texts(), Exclude: n.get("exclude").texts(),
		Chunk:   Chunk{Least: cut.get("least").number(), Most: cut.get("most").number(), Overlap: cut.get("overlap").number()},
		Reading: Reading{MaxFile: read.get("max_file").size(), Time: read.get("time").duration(), Memory: read.get("memory").size()},
		Watch:   n.get("watch").isTrue(),
		Weights: Weights{BM25: legs.get("bm25").floatNumber(), LSI: legs.get("lsi").floatNumber(), NGram: legs.get("ngram").floatNumber()},
		Embeddings: Embeddings{Model: near.get("model").text(), Query: near.get("query").text(), Passage: near.get("passage").text(),
			Weight: near.get("weight").floatNumber(), Wait: near.get("wait").duration(), Most: near.get("most").number()},
		Static: Static{Path: table.get("path").text(), Weight: table.get("weight").floatNumber()},
		Rerank: Rerank{Model: judge.get("model").text(), Prompt: judge.get("prompt").text(), Top: judge.get("top").number(), Most: judge.get("most").number(),
			Time: judge.get("time").duration(), Weight: judge.get("weight").floatNumber()},
		Expand: Expand{Feedback: more.get("feedback").number(), Abbreviations: more.get("abbreviations").isTrue(), Rewordings: more.get("rewordings").number(), Weight: more.get("weight").floatNumber()},
		Allow:  n.get("allow").texts(), Description: n.get("description").text()}
}

func decodeNotes(n *node) Notes {
	beside := n.get("include").writtenBool()
	return Notes{All: n.get("for").text() == "user", Apart: beside != nil && !*beside, Most: n.get("most").number(), Bytes: n.get("bytes").number(),
		Keep: n.get("keep").duration()}
}

func decodeModel(n *node) Model {
	return Model{Provider: n.get("provider").text(), URL: n.get("url").text(), Model: n.get("model").text(), Key: n.get("key").text(),
		Fallback: n.get("fallback").texts(), Parallel: n.get("parallel").number(), Context: n.get("context").number(),
		Sampling: n.get("sampling").isTrue()}
}

func decodePipeline(name string, n *node) Pipeline {
	p := Pipeline{Name: name, Doc: n.get("doc").text(), Budget: n.get("budget").limits(), Output: n.get("output").toValue()}
	if in := n.get("input"); in != nil {
		p.Input = in.typ
	}
	for _, f := range n.get("stages").fieldsOrNone() {
		p.Stages = append(p.Stages, decodeStage(f.name, f.value))
	}
	return p
}

func decodeStage(name string, n *node) Stage {
	again := n.get("repeat")
	return Stage{Name: name, Role: n.get("role").text(), Builtin: n.get("builtin").text(), Pipeline: n.get("pipeline").text(),
		Needs: n.get("needs").texts(), When: n.get("when").text(), Each: n.get("each").text(), Max: n.get("max").number(),
		Repeat: Repeat{Max: again.get("max").number(), Limit: again.get("limit").text(), Until: again.get("until").text(), Gain: again.get("gain").text()},
		Join:   n.get("join").text(), With: n.get("with").values(), Task: n.get("task").text(), Budget: n.get("budget").limits(), Timeout: n.get("timeout").duration(),
		Retry: n.get("retry").number(), OnError: n.get("onError").text(), Fallback: n.get("fallback").toValue()}
}

func decodeTool(name string, n *node) Tool {
	a := n.get("annotations")
	t := Tool{Name: name, Title: n.get("title").text(), Description: n.get("description").text(), Pipeline: n.get("pipeline").text(),
		Enabled: n.get("enabled").isTrue(), Surface: n.get("surface").text(), Group: n.get("group").text(), Command: n.get("command").text(), Question: n.get("question").text(), Advanced: n.get("advanced").texts(), Instructions: n.get("instructions").text(), Annotations: Annotations{ReadOnly: a.get("readOnly").writtenBool(), Destructive: a.get("destructive").writtenBool(),
			Idempotent: a.get("idempotent").writtenBool(), OpenWorld: a.get("openWorld").writtenBool()}}
	l := n.get("least")
	t.Least = Least{TimeMS: l.get("time_ms").number(), Tokens: l.get("tokens").number(), Files: l.get("files").number(), Bytes: l.get("bytes").number()}
	if in := n.get("input"); in != nil {
		t.Input = in.typ
	}
	if out := n.get("output"); out != nil {
		t.Output = out.typ
	}
	return t
}

func decodePattern(name string, n *node) Pattern {
	return Pattern{Regex: n.get("regex").text(), Example: n.get("example").text(), Keywords: n.get("keywords").texts(),
		Replace: n.get("replace").text(), Scope: n.get("scope").text()}
}

func decodeTest(name string, n *node) Test {
	t := Test{Name: name, Tool: n.get("tool").text(), Root: n.get("root").text(), Replies: n.get("replies").text(),
		Expect: n.get("expect").texts(), Files: map[string]string{}}
	t.Input, _ = n.get("input").plain().(map[string]any)
	for _, f := range n.get("files").fieldsOrNone() {
		t.Files[f.name] = f.value.text()
	}
	return t
}

func (n *node) texts() []string {
	if n == nil {
		return nil
	}
	out := make([]string, 0, len(n.items))
	for _, item := range n.items {
		out = append(out, item.text())
	}
	return out
}

func (n *node) number() int {
	if n == nil {
		return 0
	}
	i, _ := n.scalar.(int64)
	return int(i)
}

// floatNumber returns a number that may have a fraction; 0 for none.
func (n *node) floatNumber() float64 {
	if n == nil {
		return 0
	}
	switch v := n.scalar.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

func (n *node) isTrue() bool {
	if n == nil {
		return false
	}
	b, _ := n.scalar.(bool)
	return b
}

// writtenBool returns the boolean that was written, or nil if none was.
func (n *node) writtenBool() *bool {
	if n == nil {
		return nil
	}
	b := n.isTrue()
	return &b
}

func (n *node) duration() time.Duration {
	d, _ := parseDuration(n.text())
	return d
}

func (n *node) size() int64 {
	if n == nil {
		return 0
	}
	if i, ok := n.scalar.(int64); ok {
		return i
	}
	i, _ := parseSize(n.text())
	return i
}

func (n *node) limits() budget.Limits {
	return budget.Limits{Files: n.get("files").number(), Bytes: n.get("bytes").size(), Time: n.get("time").duration(), Steps: n.get("steps").number(),
		TokensIn: n.get("tokens_in").number(), TokensOut: n.get("tokens_out").number(), Tasks: n.get("tasks").number()}
}

func (n *node) toValue() Value {
	if n == nil {
		return Value{}
	}
	if s, ok := n.scalar.(string); ok {
		return Value{Expr: s}
	}
	return Value{Literal: literalOf(n)}
}

// literalOf returns a value as expressions see it: whole numbers are int.
func literalOf(n *node) any {
	switch n.kind {
	case structNode:
		m := map[string]any{}
		for _, f := range n.fields {
			m[f.name] = literalOf(f.value)
		}
		return m
	case listNode:
		list := make([]any, 0, len(n.items))
		for _, item := range n.items {
			list = append(list, literalOf(item))
		}
		return list
	}
	if i, ok := n.scalar.(int64); ok {
		return int(i)
	}
	return n.scalar
}

func (n *node) values() map[string]Value {
	out := map[string]Value{}
	for _, f := range n.fieldsOrNone() {
		out[f.name] = f.value.toValue()
	}
	return out
}
