package service

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/gateway/mcpfile"
	"github.com/compactor-mcp/compactor/runtime/gateway/oauth"
	"github.com/compactor-mcp/compactor/runtime/gateway/rules"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// SecretsFile is the file next to a configuration that holds values of ${VAR}, one
// KEY=value per line. The environment takes precedence over it.
const SecretsFile = consent.Secrets

// newGateway returns the gateway of a service. It opens and starts nothing.
func newGateway(s *Service, snap *Snapshot) *gateway.Gateway {
	opt := snap.opt
	return gateway.New(gateway.Options{
		Work: opt.Work, State: opt.State, Logins: Logins(opt.State), Version: opt.Version, Logger: opt.Logger, Events: s.events,
		Lookup:   opt.Variable,
		Provider: func(variable string) string { return s.Snapshot().Provider(variable) },
		Redactor: func() *redact.Redactor { return s.Snapshot().Redactor },
		Store:    func() (*store.Store, error) { return openStore(s.Snapshot()) },
		More:     s.moreTool,
		Notice:   s.passNotice, Log: s.passLog, Result: s.hookResult, Called: s.trackCall, AllowWith: opt.Command(), Project: opt.Project, Allowed: func(c config.Server) bool { return s.Snapshot().allowsServer(c) },
	})
}

// moreTool returns the name of the tool that reads further pages of a result, or "" if clients see none.
func (s *Service) moreTool() string {
	if readers := s.Snapshot().Plan.ToolsFor(catalog.Paging); len(readers) > 0 {
		return readers[0].Name
	}
	return ""
}

// Logins returns the store of logins to servers, or nil without a state directory.
func Logins(state string) *oauth.Store {
	if state == "" {
		return nil
	}
	return oauth.Open(filepath.Join(state, "logins"), oauth.SystemRing())
}

// upstreamsFor returns the gateway on behalf of a caller, as builtins use it, or nil without servers.
func (s *Service) upstreamsFor(c gateway.Caller) catalog.Upstreams {
	g := s.gatewayOf(c.Session.Identity().Profile)
	if !g.Configured() {
		return nil
	}
	return g.For(c)
}

// Variable returns the value of ${NAME} for a server, from the environment, else from the
// secrets files, else from a dependency that runs. These are asked each time, so that a
// missing key can be added without a restart. A project's file applies to the project's
// servers only.
func (o Options) Variable(server config.Server, name string) (string, bool) {
	if o.Lookup != nil {
		if v, ok := o.Lookup(name); ok {
			return v, true
		}
	}
	layers := o.layers()
	for i := len(layers) - 1; i >= 0; i-- {
		if layers[i].Project && !server.Project {
			continue
		}
		values, _ := mcpfile.EnvLines(secretsOf(layers[i].Dir))
		if v, ok := values[name]; ok {
			return v, true
		}
	}
	if o.Provided != nil {
		return o.Provided(server, name)
	}
	return "", false
}

// maxSecrets limits the size of a secrets file, in bytes.
const maxSecrets = 1 << 20

// secretsOf returns the secrets file of a directory, or nil if it is missing or not a
// regular file: a link would take values from elsewhere.
func secretsOf(dir string) []byte {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	if info, err := root.Lstat(SecretsFile); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := root.Open(SecretsFile)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSecrets))
	if err != nil {
		return nil
	}
	return data
}

// serverDiagnostics checks the settings of upstream servers beyond their types. It
// starts and connects to nothing.
func serverDiagnostics(cfg *config.Config, found diag.List) diag.List {
	c := checker{cfg: cfg, found: found}
	for name, s := range cfg.Servers {
		c.server(name, s)
		c.checkRenames(name, s)
		if s.Enabled {
			c.warnDoubtful(name, s)
		}
	}
	c.rulesAt(slices.Concat(cfg.ToolRules, cfg.ProjectRules), slices.Sorted(maps.Keys(cfg.Servers)), "toolRules") // both lists share one numbering
	if s := cfg.Gateway.Selection; s != nil {
		c.selectionAt(s, cfg.Gateway, "gateway", "selection")
	}
	c.dependencies()
	c.profiles()
	c.clients()
	c.store()
	c.diags.Sort()
	return c.diags
}

type checker struct {
	cfg   *config.Config
	found diag.List // problems found by the schema
	diags diag.List
}

func (c *checker) report(code, message, help string, at ...string) *diag.Diagnostic {
	c.diags = append(c.diags, diag.Diagnostic{Code: code, Severity: diag.Error, Range: c.cfg.Source.At(at...), Path: config.JoinPath(at...),
		Message: message, Help: help})
	return &c.diags[len(c.diags)-1]
}

// warn reports a setting that is allowed but probably not intended.
func (c *checker) warn(code, message, help string, at ...string) {
	c.report(code, message, help, at...).Severity = diag.Warning
}

// foundIn reports whether the schema found an error below this path.
func (c *checker) foundIn(at ...string) bool {
	inside := config.JoinPath(at...) + "."
	return slices.ContainsFunc(c.found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error && strings.HasPrefix(d.Path, inside) })
}

// rulesAt checks tool rules that apply to the given servers.
func (c *checker) rulesAt(said []config.ToolRule, names []string, place ...string) {
	list := make([]rules.Rule, len(said))
	under := func(more ...string) []string { return slices.Concat(place, more) }
	for i, r := range said {
		list[i] = rules.Rule(r)
		if r.Server != "" && !slices.ContainsFunc(names, func(n string) bool { return rules.FitsServer(r.Server, n) }) {
			d := c.report("C130", "server \""+r.Server+"\" is not defined", "", under(strconv.Itoa(i), "server")...)
			d.Allowed, d.Suggestion = names, diag.Nearest(r.Server, names)
		}
	}
	_, wrong := rules.Compile(list)
	for _, e := range wrong {
		at := under(strconv.Itoa(e.Rule))
		if e.Pattern < 0 && c.foundIn(at...) { // the part that seems missing may be the one with the error
			continue
		}
		switch {
		case e.Pattern >= 0:
			at = append(at, "pattern", strconv.Itoa(e.Pattern))
		case said[e.Rule].Server != "":
			at = append(at, "server")
		}
		c.report("C129", e.Message, "", at...)
	}
}
