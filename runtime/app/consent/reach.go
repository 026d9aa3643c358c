package consent

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// Item is a part of a project's configuration that reaches beyond the project.
type Item struct {
	Kind   string   `json:"kind"`            // server, dependency, model, root, words, pipeline, sandbox, writes or hook
	Path   string   `json:"path"`            // path in the configuration, such as servers.files
	Does   []string `json:"does,omitempty"`  // what it would do, one effect per line
	Files  []File   `json:"files,omitempty"` // whose content is part of what is allowed
	Of     string   `json:"of,omitempty"`    // digest of a definition that is too long to show
	Digest string   `json:"digest"`          // of all fields above: this is what gets allowed
	Also   string   `json:"also,omitempty"`  // what follows from it and is the same for all items of its kind
}

// Effects is all that a project's configuration would reach.
type Effects struct {
	Items  []Item `json:"items"`
	Digest string `json:"digest"` // of all items
}

// Env is the environment that a configuration is checked against.
type Env struct {
	Place
	Work    string // where servers are started, and the base of relative roots
	Roots   []string
	Catalog catalog.Catalog
	// Compile is plan.Compile with Catalog. It is called more than once for a configuration.
	Compile func(*config.Config) (*plan.Plan, diag.List)
	// Variable returns the value of ${NAME} for a server; nil: there are no values.
	Variable func(s config.Server, name string) (string, bool)
}

// Of returns what the project's layer reaches beyond the configuration without it, or
// nil if it reaches nothing more.
func Of(cfg *config.Config, w Env) *Effects {
	if cfg.Base == nil || w.Project == "" {
		return nil
	}
	j := &judge{cfg: cfg, base: cfg.Base, world: w, listed: map[string]map[string][]string{}}
	if !changesServersOnly(cfg) {
		j.now, j.was = toldBy(cfg, w), toldBy(cfg.Base, w)
	}
	j.addServers()
	j.addDependencies()
	j.addModels()
	j.addRoots()
	j.addCollections()
	j.addSettings()
	j.addWords()
	j.addInserts()
	j.addPipelines()
	return reachOf(j.items)
}

func reachOf(items []Item) *Effects {
	if len(items) == 0 {
		return nil
	}
	return &Effects{Items: items, Digest: digest(items)}
}

func digest(v any) string {
	data, _ := json.Marshal(v)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Held returns the items that are not allowed, or nil if all are.
func (r *Effects) Held(list List, dir string) *Effects {
	if r == nil {
		return nil
	}
	return reachOf(slices.DeleteFunc(slices.Clone(r.Items), func(i Item) bool { return list.Has(dir, i.Digest) }))
}

// Only returns the items at these paths of the configuration, or nil if none match.
func (r *Effects) Only(paths ...string) *Effects {
	if r == nil {
		return nil
	}
	return reachOf(slices.DeleteFunc(slices.Clone(r.Items), func(i Item) bool { return !slices.Contains(paths, i.Path) }))
}

// Changes reports whether an item that is in effect (in r and not held) is held in the
// next configuration.
func (r *Effects) Changes(held, next *Effects) bool {
	if r == nil || next == nil {
		return false
	}
	return slices.ContainsFunc(r.Items, func(i Item) bool { return !held.holdsPath(i.Path) && next.holdsPath(i.Path) })
}

// TakenBack reports whether an item that is in effect is no longer allowed.
func (r *Effects) TakenBack(held *Effects, list List, dir string) bool {
	return r != nil && slices.ContainsFunc(r.Items, func(i Item) bool { return !held.holdsPath(i.Path) && !list.Has(dir, i.Digest) })
}

// Has reports whether there is an item of one of the kinds.
func (r *Effects) Has(kinds ...string) bool {
	return r != nil && slices.ContainsFunc(r.Items, func(i Item) bool { return slices.Contains(kinds, i.Kind) })
}

// Holds reports whether there is an item at this path of the configuration.
func (r *Effects) Holds(path ...string) bool {
	return r.holdsPath(config.JoinPath(path...))
}

func (r *Effects) holdsPath(path string) bool {
	return r != nil && slices.ContainsFunc(r.Items, func(i Item) bool { return i.Path == path })
}

// Paths returns the paths of the items in the configuration.
func (r *Effects) Paths() []string {
	if r == nil {
		return nil
	}
	var out []string
	for _, i := range r.Items {
		out = append(out, i.Path)
	}
	return slices.Compact(out)
}

// judge compares a configuration with the same configuration without the project's layer.
type judge struct {
	cfg, base *config.Config
	world     Env
	now, was  map[string]plan.Tool // tools as clients see them, with and without the project's layer
	items     []Item
	listed    map[string]map[string][]string // files of a directory by their path without extension
}

func (j *judge) add(kind string, path []string, does ...string) {
	j.addItem(Item{Kind: kind, Path: config.JoinPath(path...), Does: does})
}

func (j *judge) addItem(i Item) {
	i.Digest = digest(i)
	j.items = append(j.items, i)
}

// addSettings adds the settings that belong to no server, model, root, collection, tool or pipeline.
func (j *judge) addSettings() {
	c, b := j.cfg, j.base
	if !reflect.DeepEqual(c.Sandbox.Allow, b.Sandbox.Allow) && len(c.Sandbox.Allow) > 0 {
		j.add("sandbox", []string{"sandbox", "allow"}, "reads what is denied otherwise: "+strings.Join(quoteAll(c.Sandbox.Allow), ", "))
	}
	if c.Sandbox.NoIgnore && !b.Sandbox.NoIgnore {
		j.add("sandbox", []string{"sandbox", "no_ignore"}, "reads what .gitignore hides")
	}
	if c.Sandbox.CrossDevice && !b.Sandbox.CrossDevice {
		j.add("sandbox", []string{"sandbox", "cross_device"}, "follows mounts below a root")
	}
	if c.Gateway.Surface != b.Gateway.Surface {
		j.add("words", []string{"gateway", "surface"}, "lists tools of upstream servers to the chat model by surface "+quote(c.Gateway.Surface)+" in place of "+quote(b.Gateway.Surface))
	}
	if c.Artifacts.Dir != b.Artifacts.Dir && c.Artifacts.Dir != "" {
		j.add("writes", []string{"artifacts", "dir"}, "writes handoffs to "+quote(c.Artifacts.Dir))
	}
	for _, name := range sorted(c.Hooks) {
		if c.Hooks[name] != b.Hooks[name] {
			j.add("hook", []string{"hooks", name}, "runs pipeline "+c.Hooks[name].Pipeline+" on what upstream servers say")
		}
	}
}
