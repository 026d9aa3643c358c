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

// Options configures a service.
type Options struct {
	Defaults      fs.FS  // the embedded configuration
	consent.Place        // the directories layered over it, and their owner
	Load          Loader // nil means config.Load, which evaluates in this process
	// Whole keeps all of a project's configuration, without asking for consent. It is
	// for uses that start and contact nothing.
	Whole bool
	// Offline leaves out all upstream servers and reads no pages.
	Offline   bool
	Work      string              // base directory of relative roots and artifacts
	Roots     map[string][]string // kinds given on the command line; they replace the configuration's
	OnlyRoots bool                // other kinds of the configuration are not opened
	NoModel   bool
	Builtins  func(mask func(string) string) []catalog.Builtin
	// Extractors read documents within limits. nil: this process does not index.
	Extractors func(config.Reading) []extract.Extractor
	// Indexes says that the process may be asked to index any collection, not only
	// watched ones.
	Indexes   bool
	Unopened  bool // validate only: open no root
	Artifacts string
	// Exchange, if not nil, is inserted between an adapter and the network: to record
	// exchanges, or to answer from a recording.
	Exchange func(name string, spec config.Model, next model.Doer) model.Doer
	// Spec, if not nil, changes the configuration of a model before its endpoint is
	// created.
	Spec   func(name string, spec config.Model) config.Model
	Lookup func(string) (string, bool) // environment variables; nil for none
	// Provided returns the variables that running dependencies provide to a server; nil for none.
	Provided func(s config.Server, name string) (string, bool)
	State    string        // directory for persistent state; "" keeps nothing
	Version  string        // sent to upstream servers
	Profile  string        // profile of clients that are not assigned another one; "" means all servers
	Several  bool          // clients may be served with different profiles at the same time: see Backend.Profile
	Logger   *slog.Logger  // nil is silent
	Events   *event.Stream // nil: the service creates its own
	Cache    bool          // cache between calls what the configuration allows: for a process that answers many
	Memory   int64         // size of the cache in bytes if the configuration sets none
}

// Loader reads and checks a configuration, as [config.Load] does.
type Loader func(context.Context, config.Options) (*config.Config, diag.List, error)

// Snapshot is one configuration, compiled and opened. Requests keep the snapshot that
// they began with.
type Snapshot struct {
	*compiled

	Roots     *sandbox.Set
	Kinds     map[string][]string // kind → names of opened roots
	Artifacts *sandbox.ArtifactDir

	given   map[string][]string // kinds of roots that replace the configuration's
	options sandbox.Options
	lease   *lease
}

// compiled is a configuration after compiling and checking consent. Its snapshots share
// it as a whole, whatever roots they open, so that none can lack a part, such as the
// held items. It is immutable; see Snapshot.change.
type compiled struct {
	Plan     *plan.Plan
	Redactor *redact.Redactor
	Egress   *egress.Filter
	Warnings diag.List
	Cache    *cache.Cache     // between calls; nil for none
	Results  *library.Results // of document searches; nil for none
	Models   *Models          // nil if no model is asked
	pages    *web.Client      // nil if the configuration opens no host

	reach   *consent.Effects // of the project's configuration
	held    *consent.Effects // items that await the user's consent
	opt     Options
	helpers *helpers          // of collections
	leads   map[string]string // where their directories resolved to when consent was checked
	// profiles holds the plans of the profiles that clients can be served with, by
	// name, except for Plan's own.
	profiles map[string]*plan.Plan
	roles    map[string]*redact.Redactor // for roles with their own patterns
}

// Load reads and compiles a configuration and opens its roots. The diagnostics are the errors and warnings of
// validate; with errors, the snapshot is nil. The error says that loading was not possible at all.
func Load(ctx context.Context, opt Options) (*Snapshot, diag.List, error) {
	cfg, diags, err := opt.load(ctx)
	if err != nil {
		return nil, diags, err
	}
	redactor, bad := redact.Compile(patterns(cfg, nil))
	perRole, bad := roleRedactors(cfg, bad)
	diags = diag.Join(diags, ruleDiagnostics(cfg, bad))
	if redactor == nil { // reported already; go on to check the rest
		redactor = redact.Default()
	}
	cat, err := catalog.Of(opt.Builtins(func(s string) string { out, _ := redactor.Redact(s); return out })...)
	if err != nil {
		return nil, diags, err
	}
	diags = diag.Join(diags, serverDiagnostics(cfg, diags))
	diags = diag.Join(diags, opt.tokenDiagnostics(cfg))
	diags = diag.Join(diags, boxDiagnostics(cfg))
	pages, shut := openNetwork(cfg)
	diags = diag.Join(diags, shut)
	diags = diag.Join(diags, collectionDiagnostics(cfg, opt.Work))
	env := opt.consentEnv(cat)
	p, wrong := env.Compile(cfg)
	diags = diag.Join(diags, wrong)
	leads := opt.resolveDirectories(opt.documentDirectories(cfg)) // before the consent check, so that a directory swapped afterwards is noticed
	reach, held := opt.judgeReach(cfg, env)
	if held != nil && p != nil {
		if p, wrong = compileRestrained(cfg, held, env); p == nil {
			return nil, diag.Join(diags, wrong), nil
		}
		cfg = p.Config
		redactor, _ = redact.Compile(patterns(cfg, nil)) // without the project's texts
		perRole, _ = roleRedactors(cfg, nil)
	}
	if opt.Offline && p != nil {
		alone := *p.Config
		alone.Servers = nil
		p.Config = &alone
	}
	profiles, wrong := opt.applyProfiles(cfg, p)
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
		// Results are not inherited by a reloaded configuration: its masking rules also
		// decide what a model that ranks or embeds is shown.
		c.Results = library.NewResults(p.Config.Cache.Searches, p.Config.Cache.SearchesTTL, time.Now)
	}
	s, err := c.openSnapshot(opt.Roots)
	return s, diags, err
}

// Elsewhere opens the same loaded configuration with these roots by kind, in place of
// those given to Load. The snapshots are closed separately.
func (s *Snapshot) Elsewhere(roots map[string][]string) (*Snapshot, error) {
	return s.openSnapshot(roots)
}

// changeCompiled gives the snapshot a modified copy of its compiled configuration; snapshots
// that share the old one keep it.
func (s *Snapshot) changeCompiled(set func(*compiled)) {
	c := *s.compiled
	set(&c)
	s.compiled = &c
}

// openSnapshot returns a snapshot with the roots of the configuration, or those given in their
// place.
func (c *compiled) openSnapshot(given map[string][]string) (*Snapshot, error) {
	s := &Snapshot{compiled: c, given: given, lease: &lease{}}
	if err := s.openAll(); err != nil {
		return nil, err
	}
	return s, nil
}

// patterns converts the user's patterns for the redactor: the general ones and, of
// those for roles, only the named ones.
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

// roleRedactors returns the redactors of roles that list patterns of their own; errors
// in these are added to bad.
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

// maskOf masks the texts that a role sees and produces.
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

// openAll opens every root of every kind, and the artifact directory, which need not
// exist yet.
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
	s.options = sandbox.Options{Deny: box.Deny, Allow: box.Allow, Anchors: denyAnchors(s.Plan.Config.Roots, opt.Work), MaxFileSize: box.MaxFile, CrossDevice: box.CrossDevice, NoIgnore: box.NoIgnore}
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
	// An absolute path is allowed for the caller and the user's own configuration, but never for a project's.
	base := s.Plan.Config.Base
	theirs := base != nil && base.Artifacts != s.Plan.Config.Artifacts
	s.Artifacts, err = sandbox.OpenArtifacts(opt.Work, dir, sandbox.ArtifactOptions{Absolute: opt.Artifacts != "" || !theirs})
	if err != nil {
		closeAll(roots)
	}
	return err
}

// refusedRoot returns the error for a directory that cannot be a root, with its name as
// the user wrote it and the place where it is configured.
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

// Close closes the roots.
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

// rootName returns the last part of the path, shortened and made unique.
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

// validName replaces spaces and + by -, and drops other characters that a root's name may not contain.
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
