// Package service joins the rooms into one thing that can be called: it loads
// a configuration, compiles it, opens the roots, runs requests through the
// engine and lets replies out through runtime/safety/egress. The command line and the MCP
// server are two faces of it.
//
// It holds no logic of its own beyond order and lifetime.
package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/base/cache"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extract"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/safety/egress"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
	"github.com/compactor-mcp/compactor/runtime/world/web"
)

// Options say where a service takes everything from.
type Options struct {
	Defaults      fs.FS  // the embedded configuration
	consent.Place        // the directories over it, and whose they are
	Load          Loader // nil is config.Load, which evaluates in this process
	// Whole leaves nothing of a project's configuration out. It is for what starts
	// nothing and contacts nobody.
	Whole bool
	// Offline leaves out all upstream servers, and reads no page.
	Offline   bool
	Work      string              // relative roots and artifacts start here
	Roots     map[string][]string // kinds given on the command line; they replace the configuration's
	OnlyRoots bool                // of the configuration's other kinds none is opened
	NoModel   bool
	Builtins  func(mask func(string) string) []catalog.Builtin
	// Extractors read documents within limits. Nil is a process that indexes none.
	Extractors func(config.Reading) []extract.Extractor
	// Indexes says that it may be asked to index any collection, and not only those that
	// are watched.
	Indexes   bool
	Unopened  bool // validate only: open no root
	Artifacts string
	// Exchange, where not nil, stands between an adapter and the network: to record
	// what is said, or to answer from a recording.
	Exchange func(name string, spec config.Model, next model.Doer) model.Doer
	// Spec, where not nil, changes what the configuration says of a model before
	// its endpoint is made.
	Spec    func(name string, spec config.Model) config.Model
	Lookup  func(string) (string, bool) // environment variables; nil for none
	State   string                      // directory of what outlives a run; "" keeps nothing
	Version string                      // as upstream servers are told
	Profile string                      // of the configuration: what clients have of the servers that nothing else is said of; "" for all
	Several bool                        // clients may be served with other profiles at the same time: see Backend.Profile
	Logger  *slog.Logger                // nil is silent
	Events  *event.Stream               // nil is one of the service's own
	Cache   bool                        // keep what the configuration allows between calls: for a process that answers many
	Memory  int64                       // bytes that may be kept where the configuration allows none
}

// Loader reads and checks a configuration, as [config.Load] does.
type Loader func(context.Context, config.Options) (*config.Config, diag.List, error)

// Snapshot is one configuration, compiled and opened. Requests keep the
// snapshot they began with.
type Snapshot struct {
	*compiled

	Roots     *sandbox.Set
	Kinds     map[string][]string // kind → names of opened roots
	Artifacts *sandbox.ArtifactDir

	given   map[string][]string // kinds of roots that replace the configuration's
	options sandbox.Options
	lease   *lease
}

// compiled is a configuration as it was compiled and judged. All snapshots of it
// share it whole, whatever roots they open, so that none of them can lack a part,
// such as what waits for its user's word. It is never changed; see Snapshot.change.
type compiled struct {
	Plan     *plan.Plan
	Redactor *redact.Redactor
	Egress   *egress.Filter
	Warnings diag.List
	Cache    *cache.Cache     // what is kept between calls; nil for nothing
	Results  *library.Results // of searches of documents; nil for none
	Models   *Models          // nil where no model is asked
	pages    *web.Client      // nil where the configuration opens no host

	reach   *consent.Reach // of the project's configuration
	held    *consent.Reach // what of it waits for its user's word
	opt     Options
	helpers *helpers          // of collections
	leads   map[string]string // where their directories lead, as the configuration was judged
	// profiles are the plans of those that clients can be served with, by name; without
	// that of Plan.
	profiles map[string]*plan.Plan
	roles    map[string]*redact.Redactor // of roles with patterns of their own
}

// Load reads and compiles a configuration and opens its roots. The
// diagnostics are those of validate, errors and warnings; the snapshot is nil
// when there are errors. The error says that loading could not be done at all.
func Load(ctx context.Context, opt Options) (*Snapshot, diag.List, error) {
	cfg, diags, err := opt.load(ctx)
	if err != nil {
		return nil, diags, err
	}
	redactor, bad := redact.Compile(patterns(cfg, nil))
	perRole, bad := roleRedactors(cfg, bad)
	diags = diag.Join(diags, ruleDiagnostics(cfg, bad))
	if redactor == nil { // reported; the rest is checked all the same
		redactor = redact.Default()
	}
	mask := func(s string) string { out, _ := redactor.Redact(s); return out }
	cat, err := catalog.Of(opt.Builtins(mask)...)
	if err != nil {
		return nil, diags, err
	}
	diags = diag.Join(diags, serverDiagnostics(cfg, diags))
	diags = diag.Join(diags, opt.tokenDiagnostics(cfg))
	diags = diag.Join(diags, boxDiagnostics(cfg))
	pages, shut := openNetwork(cfg)
	diags = diag.Join(diags, shut)
	diags = diag.Join(diags, collectionDiagnostics(cfg, opt.Work))
	p, wrong := plan.Compile(cfg, cat)
	diags = diag.Join(diags, wrong)
	leads := opt.leads(opt.documents(cfg)) // before it is judged: what is swapped behind that was not
	reach, held := opt.judge(cfg, cat)
	if held != nil && p != nil {
		if p, wrong = opt.restrained(cfg, held, cat); p == nil {
			return nil, diag.Join(diags, wrong), nil
		}
		cfg = p.Config
		redactor, _ = redact.Compile(patterns(cfg, nil)) // without the project's words
		perRole, _ = roleRedactors(cfg, nil)
	}
	if opt.Offline && p != nil {
		alone := *p.Config
		alone.Servers = nil
		p.Config = &alone
	}
	profiles, wrong := opt.profiled(cfg, p)
	diags = diag.Join(diags, wrong)
	var models *Models
	if !opt.NoModel {
		models, wrong = openModels(cfg, opt)
		diags = diag.Join(diags, wrong)
	}
	if p == nil || diags.HasErrors() || opt.Unopened {
		return nil, diags, nil
	}
	c := &compiled{opt: opt, profiles: profiles, reach: reach, held: held, Plan: p, Redactor: redactor, roles: perRole, Warnings: diags, Models: models, Egress: egress.New(redactor), helpers: &helpers{}, leads: leads}
	if !opt.Offline {
		c.pages = web.New(pages, web.Options{Version: opt.Version})
	}
	if opt.Cache && !p.Config.Cache.Off {
		c.Cache = cache.New(cmp.Or(p.Config.Cache.Memory, opt.Memory))
		// A configuration that is read again begins with none: what a judge or an endpoint
		// is shown, its rules of masking decide too.
		c.Results = library.NewResults(p.Config.Cache.Searches, p.Config.Cache.SearchesTTL, time.Now)
	}
	s, err := c.open(opt.Roots)
	return s, diags, err
}

// Elsewhere opens the same configuration, as it was loaded, with these roots by
// kind in the place of those that Load was given. The snapshots close on their own.
func (s *Snapshot) Elsewhere(roots map[string][]string) (*Snapshot, error) {
	return s.open(roots)
}

// change gives a snapshot a changed copy of what it was compiled to; others that
// share it keep theirs.
func (s *Snapshot) change(set func(*compiled)) {
	c := *s.compiled
	set(&c)
	s.compiled = &c
}

// open makes a snapshot with the roots of the configuration, or those that are
// asked for in their place.
func (c *compiled) open(given map[string][]string) (*Snapshot, error) {
	s := &Snapshot{compiled: c, given: given, lease: &lease{}}
	if err := s.openAll(); err != nil {
		return nil, err
	}
	return s, nil
}

// patterns are the user's patterns in the redactor's form: those for everything,
// and of those for roles only the ones named.
func patterns(cfg *config.Config, named []string) []redact.Rule {
	var out []redact.Rule
	for _, name := range slices.Sorted(maps.Keys(cfg.Redaction.Patterns)) {
		p := cfg.Redaction.Patterns[name]
		if p.Scope == "role" && !slices.Contains(named, name) {
			continue
		}
		out = append(out, redact.Rule{ID: name, Regex: p.Regex, Keywords: p.Keywords, Replace: p.Replace, Example: p.Example})
	}
	return out
}

// roleRedactors are those of roles that list patterns of their own; what is wrong
// with these is added to bad.
func roleRedactors(cfg *config.Config, bad []redact.RuleError) (map[string]*redact.Redactor, []redact.RuleError) {
	out := map[string]*redact.Redactor{}
	for _, name := range slices.Sorted(maps.Keys(cfg.Roles)) {
		if own := cfg.Roles[name].Redaction; len(own) > 0 {
			r, errs := redact.Compile(patterns(cfg, own))
			for _, e := range errs {
				if !slices.ContainsFunc(bad, func(b redact.RuleError) bool { return b.Error() == e.Error() }) {
					bad = append(bad, e)
				}
			}
			out[name] = r
		}
	}
	return out, bad
}

// maskOf masks what a role is shown and what it says.
func (s *Snapshot) maskOf(role, text string) string {
	if r := s.roles[role]; r != nil {
		text, _ = r.Redact(text)
		return text
	}
	return s.Egress.Text(text)
}

func ruleDiagnostics(cfg *config.Config, bad []redact.RuleError) diag.List {
	var out diag.List
	for _, e := range bad {
		path := []string{"redaction", "patterns", e.Rule, e.Field}
		out = append(out, diag.Diagnostic{Code: "C124", Severity: diag.Error, Range: cfg.Source.At(path...),
			Path: config.JoinPath(path...), Message: e.Error()})
	}
	return out
}

// openAll opens every root of every kind, and the artifact directory where it
// exists or is first written to.
func (s *Snapshot) openAll() error {
	opt, kinds := s.opt, s.Plan.Config.Roots
	if len(s.given) > 0 {
		kinds = maps.Clone(kinds)
		if opt.OnlyRoots {
			clear(kinds)
		}
		maps.Copy(kinds, s.given)
	}
	box := s.Plan.Config.Sandbox
	s.options = sandbox.Options{Deny: box.Deny, Allow: box.Allow, Anchors: anchors(s.Plan.Config.Roots, opt.Work), MaxFileSize: box.MaxFile, CrossDevice: box.CrossDevice, NoIgnore: box.NoIgnore}
	var roots []*sandbox.Root
	s.Kinds = map[string][]string{}
	taken := map[string]bool{}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		var seen []fs.FileInfo
		for _, dir := range kinds[kind] {
			path := absolute(opt.Work, dir)
			if info, err := os.Stat(path); err == nil { // one directory in two spellings is one root
				if slices.ContainsFunc(seen, func(other fs.FileInfo) bool { return os.SameFile(other, info) }) {
					continue
				}
				seen = append(seen, info)
			}
			r, err := sandbox.OpenRoot(rootName(kind, path, taken), path, s.options)
			if err != nil {
				closeAll(roots)
				return refusedRoot(dir, kind, len(s.given[kind]) > 0, err)
			}
			roots = append(roots, r)
			s.Kinds[kind] = append(s.Kinds[kind], r.Name())
		}
	}
	s.Roots = sandbox.NewSet(roots...)
	dir := cmp.Or(opt.Artifacts, s.Plan.Config.Artifacts.Dir)
	if dir == "" {
		return nil
	}
	var err error
	if strings.HasPrefix(dir, "~/") {
		dir = absolute(opt.Work, dir)
	}
	// A directory elsewhere is the caller's word or the user's own, never a project's.
	base := s.Plan.Config.Base
	theirs := base != nil && base.Artifacts != s.Plan.Config.Artifacts
	s.Artifacts, err = sandbox.OpenArtifacts(opt.Work, dir, sandbox.ArtifactOptions{Absolute: opt.Artifacts != "" || !theirs})
	if err != nil {
		closeAll(roots)
	}
	return err
}

// refusedRoot names a directory that cannot be a root as its user wrote it, and where
// he did.
func refusedRoot(dir, kind string, asked bool, err error) error {
	at := "root " + sandbox.Escape(dir)
	if !asked {
		at += " (roots." + kind + ")"
	}
	var p *sandbox.PathError
	if !errors.As(err, &p) || p.Hint == "" {
		return fmt.Errorf("%s: %w", at, err)
	}
	return fmt.Errorf("%s: %w; %s", at, p.Err, p.Hint)
}

// Close lets go of the roots.
func (s *Snapshot) Close() error {
	var errs []error
	for _, r := range s.Roots.Roots() {
		errs = append(errs, r.Close())
	}
	return errors.Join(errs...)
}

func closeAll(roots []*sandbox.Root) {
	for _, r := range roots {
		_ = r.Close()
	}
}

func absolute(work, dir string) string {
	if rest, ok := strings.CutPrefix(dir, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	return filepath.Join(work, dir)
}

// maxRootName is the longest name that a root may have, in bytes.
const maxRootName = 64

// rootName is the last part of the path, shortened and made unique.
func rootName(kind, path string, taken map[string]bool) string {
	base := validName(filepath.Base(path))
	if strings.Trim(base, ".") == "" {
		base = kind
	}
	name := base[:min(len(base), maxRootName)]
	for i := 2; taken[name]; i++ {
		more := fmt.Sprintf("-%d", i)
		name = base[:min(len(base), maxRootName-len(more))] + more
	}
	taken[name] = true
	return name
}

// validName keeps what a root's name may be made of.
func validName(base string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("._-", r):
			return r
		case r == ' ' || r == '+':
			return '-'
		}
		return -1
	}, base)
}
