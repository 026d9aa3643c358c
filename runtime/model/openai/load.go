package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/model"
)

// Load makes LM Studio load the model with a window of that many tokens and waits until
// it is loaded, which may take minutes. Only one call loads at a time: LM Studio would
// load a copy for each. A loaded model stays as it is; if its window is smaller than
// requested, that is an error, since a second copy would take the memory twice.
func (e *Endpoint) Load(ctx context.Context, window int) error {
	k, err := e.serverKind(ctx)
	if err != nil {
		return err
	}
	if k != lmStudio {
		return e.newError(model.Unsupported, fmt.Sprintf("%s loads no model on request", k), "load it there", nil)
	}
	if e.model == "" {
		return e.newError(model.NotFound, "no model is named to be loaded", "name it as model: in the configuration", nil)
	}
	return e.ensureLoaded(ctx, firstNonEmpty(e.chosenModel(model.CanChat), e.model), window, false)
}

// ensureLoaded does the work of Load for a known kind of server. With anyWindow it accepts a
// loaded model whatever its window.
func (e *Endpoint) ensureLoaded(ctx context.Context, name string, window int, anyWindow bool) error {
	if err := e.loading.enter(ctx); err != nil {
		return err
	}
	defer e.loading.leave()
	entries, err := e.lmStudio(ctx)
	if err != nil {
		return err
	}
	i, err := e.findEntry(entries, name)
	switch {
	case err != nil:
		return err
	case i.Loaded && (anyWindow || i.Window == 0 || i.Window >= window):
		return nil
	case i.Loaded:
		return e.newError(model.Refused, fmt.Sprintf("loaded with a window of %d tokens, and %d were asked", i.Window, window),
			fmt.Sprintf("unload it in LM Studio, or write window: %d", i.Window), nil)
	case i.Limit > 0 && window > i.Limit:
		return e.newError(model.Refused, fmt.Sprintf("a window of %d tokens was asked, and it takes %d at most", window, i.Limit),
			fmt.Sprintf("write window: %d", i.Limit), nil)
	}
	return e.loadNow(ctx, i.names[0], window)
}

func (e *Endpoint) loadNow(ctx context.Context, name string, window int) error {
	body, err := rawjson.Marshal(struct {
		Model  string `json:"model"`
		Window int    `json:"context_length"`
	}{name, window})
	if err != nil {
		return e.newError(model.Refused, err.Error(), "", err)
	}
	res, err := e.send(ctx, http.MethodPost, e.origin.JoinPath("api/v1/models/load"), body)
	if err != nil {
		return e.unsentError(ctx, err)
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return e.refusalError(ctx, res)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, maxRefusal))
	if err != nil {
		return e.unsentError(ctx, err)
	}
	var said struct {
		Status loose `json:"status"`
	}
	if json.Unmarshal(data, &said) != nil || said.Status != "loaded" {
		return e.ownError(ctx, classifyFailure(res.StatusCode, parseFailure(data)))
	}
	return nil
}
