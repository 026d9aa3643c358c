package service

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/ollama"
	"github.com/compactor-mcp/compactor/runtime/model/openai"
	"github.com/compactor-mcp/compactor/runtime/model/recording"
)

// Models holds the endpoints of a configuration. Nothing is contacted before a role
// asks.
type Models struct {
	chains  map[string]*model.Chain
	sampled map[string]bool // models of provider none that the client's own model may replace
}

// Chain returns the endpoints of that model and its fallbacks, or nil if none has an endpoint.
func (m *Models) Chain(name string) *model.Chain {
	if m == nil {
		return nil
	}
	return m.chains[name]
}

// openModels creates an endpoint for every model, except those of provider none, and
// reports the models for which this fails, such as replays of a missing file: validate
// must not accept what serve rejects.
func openModels(cfg *config.Config, opt Options) (*Models, diag.List) {
	var bad diag.List
	limiters, sampled := map[string]*model.Limiter{}, map[string]bool{}
	same := map[string]*model.Limiter{} // by provider, address, model and settings: names of one model share its slots
	for _, name := range slices.Sorted(maps.Keys(cfg.Models)) {
		spec := cfg.Models[name]
		if opt.Spec != nil {
			spec = opt.Spec(name, spec)
		}
		if spec.Provider == "none" {
			sampled[name] = spec.Sampling
			continue
		}
		place := fmt.Sprintf("%s %s %s %s %d %d", spec.Provider, spec.URL, spec.Model, spec.Key, spec.Parallel, spec.Context)
		if g := same[place]; g != nil {
			limiters[name] = g
			continue
		}
		e, err := newEndpoint(cfg, name, spec, opt)
		if err != nil {
			bad = append(bad, unopenedDiagnostic(cfg, name, spec, err))
			continue
		}
		limiters[name] = model.NewLimiter(name, e, spec.Parallel, spec.Context)
		same[place] = limiters[name]
	}
	m := &Models{chains: map[string]*model.Chain{}, sampled: sampled}
	for name := range cfg.Models {
		var chain model.Chain
		for _, n := range fallbackOrder(cfg.Models, name) {
			if g := limiters[n]; g != nil && !slices.Contains(chain.Limiters, g) {
				chain.Limiters = append(chain.Limiters, g)
			}
		}
		if len(chain.Limiters) > 0 {
			m.chains[name] = &chain
		}
	}
	return m, bad
}

// unopenedDiagnostic returns the diagnostic for a model whose endpoint cannot be created.
func unopenedDiagnostic(cfg *config.Config, name string, spec config.Model, err error) diag.Diagnostic {
	path := []string{"models", name, "url"}
	d := diag.Diagnostic{Code: "C126", Severity: diag.Error, Range: cfg.Source.At(path...), Path: config.JoinPath(path...), Message: err.Error()}
	if spec.Provider == "replay" {
		d.Help = "record it with: compactor research --record FILE, and the provider that answers"
	}
	return d
}

// fallbackOrder returns a model and its fallbacks, direct ones before indirect ones, each once.
func fallbackOrder(models map[string]config.Model, name string) []string {
	out := []string{name}
	for i := 0; i < len(out); i++ {
		for _, f := range models[out[i]].Fallback {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// Default addresses of common model servers.
const (
	openaiURL = "http://localhost:1234/v1"
	ollamaURL = "http://localhost:11434"
)

func newEndpoint(cfg *config.Config, name string, spec config.Model, opt Options) (model.Endpoint, error) {
	var client model.Doer = model.NewClient()
	if opt.Exchange != nil {
		client = opt.Exchange(name, spec, client)
	}
	o := model.Options{Name: name, URL: spec.URL, Model: spec.Model, Window: spec.Context, Client: client}
	if spec.Key != "" && spec.Provider != "replay" {
		if o.Key = os.Getenv(spec.Key); o.Key == "" {
			return model.Absent{Err: &model.Error{Kind: model.Refused, Model: name,
				Message: "the environment variable " + spec.Key + ", which key names, is not set", Do: "set it before compactor starts"}}, nil
		}
	}
	provider := spec.Provider
	if provider == "replay" {
		player, err := recording.Open(replayFile(cfg, name, spec, opt), spec.URL)
		if err != nil {
			return nil, err
		}
		o.Client, provider = player, player.Provider()
		o.URL, o.Model = player.URL(), cmp.Or(spec.Model, player.Model())
	}
	if provider == "ollama" {
		o.URL = cmp.Or(o.URL, ollamaURL)
		return ollama.New(o)
	}
	o.URL = cmp.Or(o.URL, openaiURL)
	return openai.New(o)
}

// replayFile returns the path of a recording. It is relative to the configuration
// directory that names it, which need not be the last layer.
func replayFile(cfg *config.Config, name string, spec config.Model, opt Options) string {
	file := filepath.FromSlash(spec.URL)
	if filepath.IsAbs(file) {
		return file
	}
	dir, best := opt.Dir, -1
	if cfg.Source == nil {
		return filepath.Join(dir, file)
	}
	says := cfg.Source.At("models", name, "url").File
	for _, l := range opt.layers() {
		shown := strings.TrimPrefix(path.Clean(filepath.ToSlash(l.Display))+"/", "./")
		if strings.HasPrefix(says, shown) && len(shown) > best {
			dir, best = l.Dir, len(shown)
		}
	}
	return filepath.Join(dir, file)
}
