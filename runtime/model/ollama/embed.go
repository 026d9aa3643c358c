package ollama

import (
	"context"
	"fmt"

	"github.com/ollama/ollama/api"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// batch is the number of texts in one request: that many vectors of 4096 numbers stay
// well below model.MaxReply.
const batch = 64

// Embed returns one vector per text, in their order.
func (e *Endpoint) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, ctx.Err()
	}
	who, f, err := e.settleModel(ctx)
	if err != nil {
		return nil, err
	}
	for i, text := range texts {
		if text == "" { // Ollama answers with an internal error
			return nil, e.withName(model.Error{Kind: model.Refused,
				Message: fmt.Sprintf("text %d of %d is empty and has no vector", i+1, len(texts))}, who)
		}
	}
	var all [][]float32
	for start := 0; start < len(texts); start += batch {
		part, err := e.embedBatch(ctx, who, f, texts[start:min(start+batch, len(texts))])
		if err != nil {
			return nil, err
		}
		if all = append(all, part...); len(all[0]) != len(part[0]) {
			return nil, e.withName(unevenError(len(all[0]), len(part[0])), who)
		}
	}
	return all, nil
}

func (e *Endpoint) embedBatch(ctx context.Context, who string, f facts, texts []string) ([][]float32, error) {
	call, broke := watchReply(ctx)
	no := false
	r, err := e.client.Embed(call, &api.EmbedRequest{
		Model: who, Input: texts, Truncate: &no,
		Options: map[string]any{"num_ctx": f.window},
	})
	if err != nil {
		err = e.explainError(ctx, who, err, *broke)
		if model.Is(err, model.NotFound) {
			e.forget(ctx, who)
		}
		return nil, e.withInstalled(ctx, who, err)
	}
	if r.Model != "" && !sameModel(r.Model, who) {
		return nil, e.withName(model.Error{Kind: model.Wrong,
			Message: fmt.Sprintf("%s was asked and %s answered", who, oneLine(r.Model))}, who)
	}
	if len(r.Embeddings) != len(texts) {
		return nil, e.withName(model.Error{Kind: model.Broken,
			Message: fmt.Sprintf("%d vectors came back for %d texts", len(r.Embeddings), len(texts))}, who)
	}
	for _, v := range r.Embeddings {
		if len(v) == 0 {
			return nil, e.withName(model.Error{Kind: model.Empty, Message: "a vector without numbers",
				Do: "choose a model for embeddings"}, who)
		}
		if len(v) != len(r.Embeddings[0]) {
			return nil, e.withName(unevenError(len(r.Embeddings[0]), len(v)), who)
		}
	}
	return r.Embeddings, nil
}

func unevenError(a, b int) model.Error {
	return model.Error{Kind: model.Broken, Message: fmt.Sprintf("vectors of %d and of %d numbers came back", a, b)}
}
