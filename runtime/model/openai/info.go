package openai

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// List returns the models of the server. If a server does not report what is loaded, every model
// counts as loaded.
func (e *Endpoint) List(ctx context.Context) ([]model.Info, error) {
	_, entries, err := e.surveyModels(ctx)
	if err != nil {
		return nil, err
	}
	if entries == nil {
		return nil, e.noListError()
	}
	return infosOf(entries), nil
}

func infosOf(entries []entry) []model.Info {
	out := make([]model.Info, len(entries))
	for i, entry := range entries {
		out[i] = entry.Info
	}
	return out
}

// noListError returns the error for a server without a list of models.
func (e *Endpoint) noListError() error {
	return e.newError(model.Broken, fmt.Sprintf("%s does not tell its models", e.base.Redacted()),
		"look whether its url is that of a model server and ends in /v1", nil)
}

// Info returns what the server reports about the model. If LM Studio has not loaded it, Window is 0
// and Limit is known. If the options name no model, it describes the one that Chat would ask, else
// any that is loaded.
func (e *Endpoint) Info(ctx context.Context) (model.Info, error) {
	k, entries, err := e.surveyModels(ctx)
	if err != nil {
		return model.Info{}, err
	}
	if entries == nil {
		return model.Info{}, e.noListError()
	}
	e.rememberSurvey(k, entries)
	if e.model != "" {
		i, err := e.findEntry(entries, e.model)
		return i.Info, err
	}
	for _, ability := range []model.Ability{model.CanChat, model.CanEmbed} {
		if i := pickLoaded(entries, ability); i != nil {
			return i.Info, nil
		}
	}
	return model.Info{}, e.unloadedError(entries)
}

// chooseModel returns the name to use in requests: the server's spelling if the configuration
// abbreviates it, and the loaded model if the configuration names none.
func (e *Endpoint) chooseModel(ctx context.Context, ability model.Ability) (string, error) {
	if name := e.chosenModel(ability); name != "" {
		return name, nil
	}
	if e.model != "" {
		return e.model, nil
	}
	k, entries, err := e.surveyModels(ctx)
	if err != nil {
		return "", err
	}
	e.rememberSurvey(k, entries)
	if name := e.chosenModel(ability); name != "" {
		return name, nil
	}
	return "", e.unloadedError(entries)
}

func (e *Endpoint) chosenModel(ability model.Ability) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.chosen[ability]
}

// rememberSurvey stores the result of a survey. A chosen model is kept, so that a role does not change
// its model halfway.
func (e *Endpoint) rememberSurvey(k kind, entries []entry) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.kind = k
	for _, ability := range []model.Ability{model.CanChat, model.CanEmbed} {
		if e.chosen[ability] != "" {
			continue
		}
		if e.model != "" {
			e.chosen[ability] = serverName(entries, e.model)
		} else if i := pickLoaded(entries, ability); i != nil {
			e.chosen[ability] = i.Model
		}
	}
}

// forgetChoice drops the choice after the server did not know it.
func (e *Endpoint) forgetChoice() {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.chosen)
}

// serverName returns the name that the server uses for a name, such as the identifier of a loaded
// instance; "" if that is ambiguous or unknown.
func serverName(entries []entry, name string) string {
	same := ""
	for _, i := range entries {
		if slices.Contains(i.names, name) {
			return i.Model
		}
		if slices.ContainsFunc(i.names, func(n string) bool { return sameModel(name, n) }) {
			if same != "" {
				return ""
			}
			same = i.Model
		}
	}
	return same
}

// findEntry returns the model with that name.
func (e *Endpoint) findEntry(entries []entry, name string) (entry, error) {
	name = firstNonEmpty(serverName(entries, name), name)
	for _, i := range entries {
		if i.Model == name || slices.Contains(i.names, name) {
			return i, nil
		}
	}
	return entry{}, e.newError(model.NotFound, fmt.Sprintf("the server at %s has no %s", e.base.Redacted(), name), suggestModels(name, infosOf(entries)), nil)
}

func firstNonEmpty(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// pickLoaded returns the first loaded model with an ability, or nil.
func pickLoaded(entries []entry, ability model.Ability) *entry {
	for n := range entries {
		i := &entries[n]
		embeds := slices.Contains(i.Can, model.CanEmbed) || strings.Contains(strings.ToLower(i.Model), "embed")
		if i.Loaded && embeds == (ability == model.CanEmbed) {
			return i
		}
	}
	// Only LM Studio reports which models are for embeddings: elsewhere the only model is tried,
	// and the server may reject it.
	only := ability == model.CanEmbed && len(entries) == 1 && entries[0].Loaded
	if only && entries[0].Server != string(lmStudio) && entries[0].Server != string(lmStudioOld) {
		return &entries[0]
	}
	return nil
}

// unloadedError returns the error for the case that the loaded model is meant but there is none.
func (e *Endpoint) unloadedError(entries []entry) error {
	return e.newError(model.NotFound, fmt.Sprintf("no fitting model is loaded at %s", e.base.Redacted()),
		"load one, or name it as model: in the configuration; "+suggestModels("", infosOf(entries)), nil)
}
