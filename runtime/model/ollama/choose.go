package ollama

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ollama/ollama/api"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/model"
)

// chooseModel finds the model if the configuration names none: the loaded one, the last one
// found, or the only installed one that can chat.
func (e *Endpoint) chooseModel(ctx context.Context, running []api.ProcessModelResponse) (string, error) {
	// Ollama lists the model that stays loaded longest first, hence the last one used.
	var loaded []string
	for _, p := range running {
		loaded = append(loaded, nameOf(p.Model, p.Name))
	}
	can, err := e.filterChatting(ctx, loaded)
	switch {
	case err != nil:
		return "", err
	case len(can) > 0:
		return can[0], nil
	case e.chosen != "":
		return e.chosen, nil
	}
	installed, err := e.installedModels(ctx)
	if err != nil {
		return "", err
	}
	if can, err = e.filterChatting(ctx, installed); err != nil {
		return "", err
	}
	if len(can) == 1 {
		return can[0], nil
	}
	return "", e.withName(e.undecidedError(can), "")
}

// filterChatting returns the models that can chat. An old server does not report abilities;
// then all of them count.
func (e *Endpoint) filterChatting(ctx context.Context, names []string) ([]string, error) {
	var can []string
	for _, who := range names {
		f, err := e.showFacts(ctx, who)
		switch {
		case ctx.Err() != nil || model.Is(err, model.Unreachable):
			return nil, err
		case err == nil && (!f.tell || f.has(model.CanChat)):
			can = append(can, who)
		}
	}
	return can, nil
}

func (e *Endpoint) undecidedError(can []string) model.Error {
	out := model.Error{Kind: model.NotFound,
		Message: fmt.Sprintf("no model is loaded at %s and none that can chat is installed", e.base.Redacted()),
		Do:      "ollama pull one, such as qwen3:4b"}
	if len(can) > 0 {
		out.Message = fmt.Sprintf("no model is loaded at %s and %d are installed", e.base.Redacted(), len(can))
		out.Do = "name one: " + listNames(can)
	}
	return out
}

// installedModels returns the names of the models on the server, sorted.
func (e *Endpoint) installedModels(ctx context.Context) ([]string, error) {
	ctx, broke := watchReply(ctx)
	tags, err := e.client.List(ctx)
	if err != nil {
		return nil, e.explainError(ctx, "", err, *broke)
	}
	var names []string
	for _, m := range tags.Models {
		names = append(names, nameOf(m.Model, m.Name))
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// withInstalled adds the available models to a "not found" error.
func (e *Endpoint) withInstalled(ctx context.Context, who string, err error) error {
	var missing *model.Error
	if !model.Is(err, model.NotFound) || !errors.As(err, &missing) {
		return err
	}
	out := *missing
	out.Message = fmt.Sprintf("%s is not installed at %s", who, e.base.Redacted())
	if names, err := e.installedModels(ctx); err == nil && len(names) > 0 {
		out.Do += ", or name one that is installed: " + listNames(nearestFirst(who, names))
	}
	return &out
}

// nearestFirst moves the name that was probably meant to the front.
func nearestFirst(who string, names []string) []string {
	near := diag.Nearest(who, names)
	if near == "" {
		bare, _, _ := strings.Cut(who, ":")
		near = diag.Nearest(bare, names)
	}
	if i := slices.Index(names, near); i > 0 {
		names = append([]string{near}, slices.Delete(slices.Clone(names), i, i+1)...)
	}
	return names
}

// listNames writes a few names and counts the rest.
func listNames(names []string) string {
	const most = 6
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
