package ollama

import (
	"context"
	"slices"
	"strings"

	"github.com/ollama/ollama/api"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// defaultWindow is the maximum number of context tokens to request if neither the configuration nor
// a loaded model sets one. Ollama's own default is 4096, which evidence hardly fits; the memory for
// 8192 is small.
const defaultWindow = 8192

// facts are the properties of a model and how to ask it.
type facts struct {
	limit  int // tokens it was trained for; 0 unknown
	can    []model.Ability
	tell   bool // whether can comes from the server
	levels bool // thinking cannot be turned off, only reduced
	size   string
	window int // tokens, set by the first request and then kept, see settle
}

func (f facts) has(a model.Ability) bool { return slices.Contains(f.can, a) }

// planned returns the window that the next request asks for.
func (e *Endpoint) planned(f facts, loaded int) int {
	switch {
	case f.window > 0:
		return f.window
	case e.window > 0:
		return e.window
	case loaded > 0:
		return loaded
	case f.limit > 0:
		return min(f.limit, defaultWindow)
	}
	return defaultWindow
}

// settle returns the model to ask and its facts. The window is decided once: Ollama reloads a model
// when it changes, which takes seconds to minutes.
func (e *Endpoint) settle(ctx context.Context) (string, facts, error) {
	release, err := e.hold(ctx)
	if err != nil {
		return "", facts{}, err
	}
	defer release()
	who := e.model
	if who == "" {
		who = e.chosen
	}
	if f, ok := e.known[who]; ok && f.window > 0 {
		return who, f, nil
	}
	who, f, loaded, err := e.look(ctx, who)
	if err != nil {
		return who, facts{}, err
	}
	f.window = e.planned(f, loaded.ContextLength)
	e.known[who] = f
	return who, f, nil
}

// look asks the server about a model, or about the loaded one if who is "". The caller holds the
// lock.
func (e *Endpoint) look(ctx context.Context, who string) (string, facts, api.ProcessModelResponse, error) {
	running, err := e.running(ctx, who)
	if err != nil {
		return who, facts{}, api.ProcessModelResponse{}, err
	}
	if who == "" {
		if who, err = e.choose(ctx, running); err != nil {
			return "", facts{}, api.ProcessModelResponse{}, err
		}
		e.chosen = who
	}
	f, err := e.show(ctx, who)
	if err != nil {
		if model.Is(err, model.NotFound) && e.chosen == who {
			e.chosen = "" // it was removed
		}
		return who, facts{}, api.ProcessModelResponse{}, e.withInstalled(ctx, who, err)
	}
	f.window = e.known[who].window
	return who, f, processOf(running, who), nil
}

// running returns the models that are loaded.
func (e *Endpoint) running(ctx context.Context, who string) ([]api.ProcessModelResponse, error) {
	ctx, broke := watching(ctx)
	r, err := e.client.ListRunning(ctx)
	if err != nil {
		return nil, e.explain(ctx, who, err, *broke)
	}
	return r.Models, nil
}

// show asks the server for the facts of a model.
func (e *Endpoint) show(ctx context.Context, who string) (facts, error) {
	ctx, broke := watching(ctx)
	r, err := e.client.Show(ctx, &api.ShowRequest{Model: who})
	if err != nil {
		return facts{}, e.explain(ctx, who, err, *broke)
	}
	f := facts{
		limit:  trainedFor(r.ModelInfo),
		tell:   len(r.Capabilities) > 0,
		levels: r.Details.Family == "gptoss" || strings.Contains(strings.ToLower(who), "gpt-oss"),
		size:   sizeOf(r.Details),
	}
	for _, c := range r.Capabilities {
		if a, ok := abilities[string(c)]; ok {
			f.can = append(f.can, a)
		}
	}
	return f, nil
}

// abilities maps the relevant capabilities of Ollama.
var abilities = map[string]model.Ability{
	"completion": model.CanChat,
	"tools":      model.CanTools,
	"thinking":   model.CanThink,
	"embedding":  model.CanEmbed,
}

// trainedFor returns <architecture>.context_length, or 0 if it is unknown or not plausible.
func trainedFor(info map[string]any) int {
	architecture, _ := info["general.architecture"].(string)
	tokens, _ := info[architecture+".context_length"].(float64)
	if tokens < 1 || tokens > 1<<30 {
		return 0
	}
	return int(tokens)
}

func sizeOf(d api.ModelDetails) string {
	quantization := d.QuantizationLevel
	if quantization == "unknown" {
		quantization = ""
	}
	return line(d.ParameterSize + " " + quantization)
}

func processOf(running []api.ProcessModelResponse, who string) api.ProcessModelResponse {
	for _, p := range running {
		if same(nameOf(p.Model, p.Name), who) {
			return p
		}
	}
	return api.ProcessModelResponse{}
}

func nameOf(model, name string) string {
	if model == "" {
		model = name
	}
	return canonical(model)
}

// hold takes the lock, or gives up when the context ends.
func (e *Endpoint) hold(ctx context.Context) (release func(), err error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	select {
	case e.lock <- struct{}{}:
		return func() { <-e.lock }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
