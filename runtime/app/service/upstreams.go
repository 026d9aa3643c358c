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

// SecretsFile is the file beside a configuration that holds the values of
// ${VAR}, one KEY=value a line. The environment wins over it.
const SecretsFile = consent.Secrets

// newGateway makes the gateway of a service. It opens and starts nothing.
func newGateway(s *Service, snap *Snapshot) *gateway.Gateway {
	opt := snap.opt
	return gateway.New(gateway.Options{
		Work: opt.Work, State: opt.State, Logins: Logins(opt.State), Version: opt.Version, Logger: opt.Logger, Events: s.events,
		Lookup:   opt.Variable,
		Redactor: func() *redact.Redactor { return s.Snapshot().Redactor },
		Store:    func() (*store.Store, error) { return openStore(s.Snapshot()) },
		More:     s.more,
		Notice:   s.notice, Log: s.logged, Result: s.result, Called: s.track, AllowWith: opt.Command(), Project: opt.Project, Allowed: func(c config.Server) bool { return s.Snapshot().allows(c) },
	})
}

// more is the tool that reads further pages of a result, where a client sees it.
func (s *Service) more() string {
	if readers := s.Snapshot().Plan.ToolsFor(catalog.Paging); len(readers) > 0 {
		return readers[0].Name
	}
	return ""
}

// Logins are what people have logged in to; nil without a state directory.
func Logins(state string) *oauth.Store {
	if state == "" {
		return nil
	}
	return oauth.Open(filepath.Join(state, "logins"), oauth.SystemRing())
}

// upstreams is the gateway as builtins see it on behalf of a caller; nil where
// there are no servers.
func (s *Service) upstreams(c gateway.Caller) catalog.Upstreams {
	g := s.gatewayOf(c.Session.Who().Profile)
	if !g.Configured() {
		return nil
	}
	return g.For(c)
}

// Variable is the value that ${NAME} has for a server: of the environment, else of
// the files of secrets, which are read each time, so that a key that was missing
// needs no restart. The file of a project counts for the project's servers alone.
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
	return "", false
}

// maxSecrets bounds a file of secrets.
const maxSecrets = 1 << 20

// secretsOf is the file of secrets of a directory, nil where there is none that is
// a plain file there: a link would take values from elsewhere.
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

// serverDiagnostics checks what the configuration says of upstream servers
// beyond its shape. Nothing is started or connected to.
func serverDiagnostics(cfg *config.Config, found diag.List) diag.List {
	c := checker{cfg: cfg, found: found}
	for name, s := range cfg.Servers {
		c.server(name, s)
		c.renamed(name, s)
		if s.Enabled {
			c.doubtful(name, s)
		}
	}
	c.rulesAt(slices.Concat(cfg.ToolRules, cfg.ProjectRules), slices.Sorted(maps.Keys(cfg.Servers)), "toolRules") // which stand one behind the other
	if s := cfg.Gateway.Selection; s != nil {
		c.selectionAt(s, cfg.Gateway, "gateway", "selection")
	}
	c.profiles()
	c.clients()
	c.store()
	c.diags.Sort()
	return c.diags
}

type checker struct {
	cfg   *config.Config
	found diag.List // mistakes of shape
	diags diag.List
}

func (c *checker) report(code, message, help string, at ...string) *diag.Diagnostic {
	c.diags = append(c.diags, diag.Diagnostic{Code: code, Severity: diag.Error, Range: c.cfg.Source.At(at...), Path: config.JoinPath(at...),
		Message: message, Help: help})
	return &c.diags[len(c.diags)-1]
}

// warn reports what is allowed and probably not meant.
func (c *checker) warn(code, message, help string, at ...string) {
	c.report(code, message, help, at...).Severity = diag.Warning
}

// foundIn reports whether a mistake was found before in what stands there.
func (c *checker) foundIn(at ...string) bool {
	inside := config.JoinPath(at...) + "."
	return slices.ContainsFunc(c.found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error && strings.HasPrefix(d.Path, inside) })
}

// rulesAt checks rules for these servers.
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
		if e.Pattern < 0 && c.foundIn(at...) { // what it lacks may be what was refused
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
