package config

import (
	"cmp"
	"strings"
	"time"
	"unicode"
)

// Server is one upstream MCP server. ${VAR} in Args, Env, URL and Headers is not expanded
// here: the contents of a configuration can be shown, those of a variable cannot.
type Server struct {
	Name        string
	Kind        string // stdio, http, sse or "" to choose by the other fields
	Command     string
	Args        []string
	Env         map[string]string
	Dir         string
	URL         string
	Headers     map[string]string
	OAuth       OAuth
	Enabled     bool
	Description string
	Keywords    []string
	Tags        []string
	Prefix      string   // of its tools' names; "" for none
	Simplify    bool     // show schemas without references and alternatives
	Era         string   // handshake, stateless or "" to detect it
	Allow       []string // of sampling, elicitation and roots
	Start       time.Duration
	Timeout     time.Duration // of one call, since its last progress report
	MaxTimeout  time.Duration // of one call, even if it reports progress
	Idle        time.Duration
	Connections int               // 0 means 1, or more if Allow requires them
	MaxMessage  int64             // bytes
	Trust       string            // first, ask or off; "" means Gateway.Trust
	Pins        map[string]string // tool → SHA-256
	Summaries   Summaries         // of long results
	Tools       map[string]ServerTool
	Project     bool // declared by the project's layer
	Held        bool // waits for its user's approval; see runtime/app/consent
}

// OAuth configures how a person logs in to a server. ${VAR} in its texts is not expanded here.
type OAuth struct {
	ClientID     string // "": this program registers itself
	ClientSecret string
	Scopes       []string // nil: those that the server requests
	RedirectPort int      // 0: any
	Issuer       string   // "": the one that the server names
}

// Empty reports whether no field is set.
func (o OAuth) Empty() bool {
	return o.ClientID == "" && o.ClientSecret == "" && o.Scopes == nil && o.RedirectPort == 0 && o.Issuer == ""
}

// ServerTool has the settings for one tool of a server.
type ServerTool struct {
	Rename      string // "" keeps its own name
	Description string
	Keywords    []string
	Examples    []map[string]any // arguments of calls that work
	Timeout     time.Duration    // 0: the server's
	Summaries   Summaries        // unset parts are the server's
}

// Summaries configures the treatment of long results. The zero value sets nothing.
type Summaries struct {
	Said      bool  // whether the section exists
	Enabled   *bool // nil if not set
	Threshold int   // tokens; longer results are shortened; 0 if not set
	Limit     int   // tokens of the shortened result; 0 if not set
}

// ToolRule determines which upstream tools can be seen and run.
type ToolRule struct {
	Pattern []string
	Server  string // "" for all
	Enabled *bool  // nil only tags
	Tags    []string
}

// Gateway configures how upstream tools are offered.
type Gateway struct {
	Surface string // discovery, proxy, both or none
	Trust   string // first, ask or off
	TTL     time.Duration
	Digest  int           // tokens
	Starts  int           // programs that start at the same time
	Wait    time.Duration // for servers of which nothing is known
	Results Results

	Selection *Selection // of the tools that are listed; nil for all
}

// Selection determines which tools of upstream servers a session is listed.
type Selection struct {
	Strategy                string // prediction, allowlist, denylist or none
	Tools, Pinned, Unwanted []string
	Min, Max, Room          int
	Miss, Cached            float64
	Weights                 map[string]float64 // nil: as shipped
	HalfLife                time.Duration
}

// Selects reports whether sessions may be listed fewer tools than there are.
func (g Gateway) Selects() bool {
	return g.Proxies() && g.Selection != nil && g.Selection.Strategy != "none"
}

// Results limits the results of tools.
type Results struct {
	Tokens int           // per result; 0 for no limit
	Memory int64         // bytes of cut results to keep
	Time   time.Duration // how long to keep them
}

// Shows reports whether a tool of the configuration is shown, given whether there are upstream servers.
func (g Gateway) Shows(t Tool, servers bool) bool {
	switch t.Surface {
	case "discovery":
		return servers && g.Discovers()
	case "gateway":
		return servers && g.Surface != "none"
	}
	return true // network tools are left out if the network is not open: see plan.Compile
}

// Discovers reports whether the tools that find other tools are listed. They are also
// listed if the list leaves some out, because those are found through them.
func (g Gateway) Discovers() bool {
	return g.Surface == "discovery" || g.Surface == "both" || g.Selects()
}

// Proxies reports whether upstream tools are listed themselves.
func (g Gateway) Proxies() bool { return g.Surface == "proxy" || g.Surface == "both" }

// Store is the place for data that outlives a run.
type Store struct {
	URL   string
	Share *bool // share HTTP sessions and long results with other processes; nil: only on a database server
	Files bool  // keep document collections in files, even if the rest is on a database server
}

func decodeUpstreams(c *Config, t *node, project side) {
	c.Servers = map[string]Server{}
	for _, f := range t.get("servers").fieldsOrNone() {
		server := decodeUpstream(f.name, f.value)
		server.Project = project != 0 && f.value.side == project
		c.Servers[f.name] = server
	}
	if rules := t.get("toolRules"); rules != nil {
		for _, n := range rules.items {
			if project != 0 && n.side == project {
				c.ProjectRules = append(c.ProjectRules, decodeToolRule(n))
				continue
			}
			c.ToolRules = append(c.ToolRules, decodeToolRule(n))
		}
	}
	g := t.get("gateway")
	c.Gateway = Gateway{Surface: g.get("surface").text(), Trust: g.get("trust").text(), TTL: g.get("ttl").duration(), Digest: g.get("digest").number(),
		Results: Results{Tokens: g.get("result").number(), Memory: g.get("result_memory").size(), Time: g.get("result_time").duration()},
		Starts:  g.get("starts").number(), Wait: g.get("wait").duration()}
	c.Gateway.Selection = decodeSelection(g.get("selection"))
	c.Profiles = map[string]Profile{}
	for _, f := range t.get("profiles").fieldsOrNone() {
		c.Profiles[f.name] = decodeProfile(f.value)
	}
	c.Clients = map[string]Client{}
	for _, f := range t.get("clients").fieldsOrNone() {
		c.Clients[f.name] = Client{Profile: f.value.get("profile").text()}
	}
	c.Store = Store{URL: t.get("store").get("url").text(), Share: t.get("store").get("share").writtenBool(), Files: t.get("store").get("collections").text() == "files"}
}

// usualMin is the default for the minimum number of tools in a list.
const usualMin = 5

func decodeSelection(n *node) *Selection {
	if n == nil {
		return nil
	}
	out := &Selection{Strategy: cmp.Or(n.get("strategy").text(), "prediction"), Tools: n.get("tools").texts(), Pinned: n.get("pinned").texts(), Unwanted: n.get("unwanted").texts(),
		Min: n.get("min_tools").number(), Max: n.get("max_tools").number(), Room: n.get("room").number(),
		Miss: n.get("miss").floatNumber(), Cached: n.get("cached").floatNumber(), HalfLife: n.get("half_life").duration()}
	if out.Min == 0 {
		out.Min = min(usualMin, out.Max)
	}
	for _, f := range n.get("weights").fieldsOrNone() {
		if out.Weights == nil {
			out.Weights = map[string]float64{}
		}
		out.Weights[f.name] = f.value.floatNumber()
	}
	return out
}

func decodeUpstream(name string, n *node) Server {
	s := Server{Name: name, Kind: n.get("kind").text(), Command: n.get("command").text(), Args: n.get("args").texts(), Env: n.get("env").textMap(),
		Dir: n.get("dir").text(), URL: n.get("url").text(), Headers: n.get("headers").textMap(), OAuth: n.get("oauth").oauth(), Enabled: n.get("enabled").isTrue(),
		Description: n.get("description").text(), Keywords: n.get("keywords").texts(), Tags: n.get("tags").texts(), Prefix: name,
		Simplify: n.get("simplify").isTrue(), Era: n.get("era").text(), Allow: n.get("allow").texts(), Start: n.get("start").duration(), Timeout: n.get("timeout").duration(),
		MaxTimeout: n.get("max_timeout").duration(), Idle: n.get("idle").duration(), Connections: n.get("connections").number(), MaxMessage: n.get("max_message").size(),
		Trust: n.get("trust").text(), Pins: n.get("pins").textMap(), Summaries: n.get("summarization").summaries(), Tools: map[string]ServerTool{}}
	if p := n.get("prefix"); p != nil {
		s.Prefix = p.text()
	}
	for _, f := range n.get("tools").fieldsOrNone() {
		s.Tools[f.name] = ServerTool{Rename: f.value.get("rename").text(), Description: f.value.get("description").text(), Keywords: f.value.get("keywords").texts(), Examples: f.value.get("examples").structs(),
			Timeout: f.value.get("timeout").duration(), Summaries: f.value.get("summarization").summaries()}
	}
	return s
}

func (n *node) summaries() Summaries {
	if n == nil {
		return Summaries{}
	}
	return Summaries{Said: true, Enabled: n.get("enabled").writtenBool(), Threshold: n.get("size_threshold_tokens").number(), Limit: n.get("summary_max_token_limit").number()}
}

func (n *node) oauth() OAuth {
	if n == nil {
		return OAuth{}
	}
	o := OAuth{ClientID: n.get("client_id").text(), ClientSecret: n.get("client_secret").text(), Issuer: n.get("issuer").text()}
	if s := n.get("scopes"); s != nil {
		o.Scopes = append([]string{}, s.texts()...)
	}
	if p := n.get("redirect_port"); p != nil {
		o.RedirectPort = p.number()
	}
	return o
}

func decodeToolRule(n *node) ToolRule {
	r := ToolRule{Pattern: n.get("pattern").texts(), Server: n.get("server").text(), Tags: n.get("tags").texts()}
	if e := n.get("enabled"); e != nil {
		yes := e.isTrue()
		r.Enabled = &yes
	}
	return r
}

func (n *node) structs() []map[string]any {
	if n == nil {
		return nil
	}
	var out []map[string]any
	for _, item := range n.items {
		if m, ok := item.plain().(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

func (n *node) textMap() map[string]string {
	out := map[string]string{}
	for _, f := range n.fieldsOrNone() {
		out[f.name] = f.value.text()
	}
	return out
}

// FileNames returns the parts of a word of a server's command, arguments or environment that could name files: the
// word, its parts as in options, scripts and lists, the rest after -r or $PWD, and modules, whose parts are joined by
// dots.
func FileNames(word string) []string {
	parts := strings.FieldsFunc(word, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("'\"`()<>|&;=,:@{}[]", r) })
	parts = append(parts, word)
	for _, part := range parts {
		if parts = append(parts, part, strings.TrimLeft(part, "./")); len(part) > 2 && part[0] == '-' {
			part = part[2:]
		} else if _, rest, ok := strings.Cut(part, "/"); ok && part[0] == '$' {
			part = rest
		}
		parts = append(parts, part, strings.ReplaceAll(part, ".", "/"))
	}
	return parts
}
