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
	window int // tokens, set by the first request and then kept, see settleModel
}

func (f facts) has(a model.Ability) bool { return slices.Contains(f.can, a) }

// plannedWindow returns the window that the next request asks for.
func (e *Endpoint) plannedWindow(f facts, loaded int) int {
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

// settleModel returns the model to ask and its facts. The window is decided once: Ollama reloads a model
// when it changes, which takes seconds to minutes.
func (e *Endpoint) settleModel(ctx context.Context) (string, facts, error) {
	release, err := e.acquireLock(ctx)
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
	who, f, loaded, err := e.lookUpModel(ctx, who)
	if err != nil {
		return who, facts{}, err
	}
	f.window = e.plannedWindow(f, loaded.ContextLength)
	e.known[who] = f
	return who, f, nil
}

// lookUpModel asks the server about a model, or about the loaded one if who is "". The caller holds the
// lock.
func (e *Endpoint) lookUpModel(ctx context.Context, who string) (string, facts, api.ProcessModelResponse, error) {
	running, err := e.runningModels(ctx, who)
	if err != nil {
		return who, facts{}, api.ProcessModelResponse{}, err
	}
	if who == "" {
		if who, err = e.chooseModel(ctx, running); err != nil {
			return "", facts{}, api.ProcessModelResponse{}, err
		}
		e.chosen = who
	}
	f, err := e.showFacts(ctx, who)
	if err != nil {
		if model.Is(err, model.NotFound) && e.chosen == who {
			e.chosen = "" // it was removed
		}
		return who, facts{}, api.ProcessModelResponse{}, e.withInstalled(ctx, who, err)
	}
	f.window = e.known[who].window
	return who, f, processOf(running, who), nil
}

// runningModels returns the models that are loaded.
func (e *Endpoint) runningModels(ctx context.Context, who string) ([]api.ProcessModelResponse, error) {
	ctx, broke := watchReply(ctx)
	r, err := e.client.ListRunning(ctx)
	if err != nil {
		return nil, e.explainError(ctx, who, err, *broke)
	}
	return r.Models, nil
}

// showFacts asks the server for the facts of a model.
func (e *Endpoint) showFacts(ctx context.Context, who string) (facts, error) {
	ctx, broke := watchReply(ctx)
	r, err := e.client.Show(ctx, &api.ShowRequest{Model: who})
	if err != nil {
		return facts{}, e.explainError(ctx, who, err, *broke)
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
	return oneLine(d.ParameterSize + " " + quantization)
}

func processOf(running []api.ProcessModelResponse, who string) api.ProcessModelResponse {
	for _, p := range running {
		if sameModel(nameOf(p.Model, p.Name), who) {
			return p
		}
	}
	return api.ProcessModelResponse{}
}

func nameOf(model, name string) string {
	if model == "" {
		model = name
	}
	return canonicalName(model)
}

// acquireLock takes the lock, or gives up when the context ends.
func (e *Endpoint) acquireLock(ctx context.Context) (release func(), err error) {
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
