package ollama

import (
	"context"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// Info returns what Ollama reports about the model. Window is that of the loaded model,
// which can be smaller than requested; if it is not loaded, Window is what the next
// request asks for.
func (e *Endpoint) Info(ctx context.Context) (model.Info, error) {
	release, err := e.acquireLock(ctx)
	if err != nil {
		return model.Info{}, err
	}
	defer release()
	version, err := e.serverVersion(ctx)
	if err != nil {
		return model.Info{}, err
	}
	who, f, loaded, err := e.lookUpModel(ctx, e.model)
	if err != nil {
		return model.Info{}, err
	}
	e.known[who] = f
	info := f.info(version, who)
	if info.Loaded = loaded.Model != "" || loaded.Name != ""; info.Loaded && loaded.ContextLength > 0 {
		info.Window = loaded.ContextLength
		return info, nil
	}
	info.Window = e.plannedWindow(f, 0)
	if f.limit > 0 {
		info.Window = min(info.Window, f.limit)
	}
	return info, nil
}

// List returns every installed model. It loads none.
func (e *Endpoint) List(ctx context.Context) ([]model.Info, error) {
	version, err := e.serverVersion(ctx)
	if err != nil {
		return nil, err
	}
	running, err := e.runningModels(ctx, "")
	if err != nil {
		return nil, err
	}
	names, err := e.installedModels(ctx)
	if err != nil {
		return nil, err
	}
	var all []model.Info
	for _, who := range names {
		f, err := e.showFacts(ctx, who) // a model without facts is still listed
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			f = facts{}
		}
		info := f.info(version, who)
		loaded := processOf(running, who)
		info.Loaded = loaded.Model != "" || loaded.Name != ""
		info.Window = max(loaded.ContextLength, 0)
		all = append(all, info)
	}
	return all, nil
}

func (f facts) info(server, who string) model.Info {
	return model.Info{Server: server, Model: who, Limit: f.limit, Size: f.size, Can: slices.Clone(f.can), CanTell: f.tell}
}

// serverVersion returns the server's name with its version. It also detects a server that is
// not Ollama.
func (e *Endpoint) serverVersion(ctx context.Context) (string, error) {
	ctx, broke := watchReply(ctx)
	v, err := e.client.Version(ctx)
	if err != nil {
		return "", e.explainError(ctx, e.model, err, *broke)
	}
	if v = oneLine(v); v == "" {
		return "", e.withName(model.Error{Kind: model.Broken,
			Message: e.base.Redacted() + " tells no version of Ollama",
			Do:      "correct the model's url or its provider"}, e.model)
	}
	return "Ollama " + v, nil
}
