package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/model"
)

// batch limits the texts of one request, so that the vectors of the largest models stay
// below model.MaxReply.
const batch = 32

// Embed returns one vector per text, in their order and all of one length. Only one
// request runs at a time: LM Studio has been seen to hang on several.
func (e *Endpoint) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, ctx.Err()
	}
	if err := e.embedding.enter(ctx); err != nil {
		return nil, err
	}
	defer e.embedding.leave()
	if _, err := e.serverKind(ctx); err != nil {
		return nil, err
	}
	name, err := e.chooseModel(ctx, model.CanEmbed)
	if err != nil {
		return nil, err
	}
	vectors := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		n := min(batch, len(texts))
		some, err := e.embedBatch(ctx, name, texts[:n])
		if err != nil {
			return nil, e.explainNotFound(ctx, name, err)
		}
		vectors, texts = append(vectors, some...), texts[n:]
	}
	for i, v := range vectors {
		if len(v) != len(vectors[0]) {
			return nil, e.newError(model.Broken, fmt.Sprintf("vector %d has %d numbers and the first %d", i+1, len(v), len(vectors[0])), "", nil)
		}
	}
	return vectors, nil
}

// embedBatch sends one request.
func (e *Endpoint) embedBatch(ctx context.Context, name string, texts []string) ([][]float32, error) {
	body, err := rawjson.Marshal(struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}{name, texts})
	if err != nil {
		return nil, e.newError(model.Refused, err.Error(), "", err)
	}
	res, err := e.send(ctx, http.MethodPost, e.base.JoinPath("embeddings"), body)
	if err != nil {
		return nil, e.unsentError(ctx, err)
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return nil, e.refusalError(ctx, res)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, model.MaxReply+1))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, e.newError(model.Broken, "the connection broke in the middle of the reply", "look whether the server still runs", err)
	case len(data) > model.MaxReply:
		return nil, e.newError(model.Broken, fmt.Sprintf("the reply passed %d bytes and was stopped", model.MaxReply), "", nil)
	}
	vectors, err := parseVectors(data, name, len(texts))
	return vectors, e.ownError(ctx, err)
}

// parseVectors reads n vectors into the order of their texts.
func parseVectors(data []byte, asked string, n int) ([][]float32, error) {
	var list struct {
		Model loose           `json:"model"`
		Error json.RawMessage `json:"error"`
		Data  []struct {
			Index  *int            `json:"index"`
			Vector json.RawMessage `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, alienError(data)
	}
	if len(list.Error) > 0 && string(list.Error) != "null" {
		return nil, classifyFailure(200, parseFailure(data))
	}
	if len(list.Data) == 0 {
		return nil, &model.Error{Kind: model.Empty, Message: "the answer has no vectors"}
	}
	if err := (&reading{asked: asked}).checkIdentity(string(list.Model)); err != nil {
		return nil, err
	}
	if len(list.Data) != n {
		return nil, brokenError("%d texts were sent and %d vectors came", n, len(list.Data))
	}
	vectors := make([][]float32, n)
	for at, d := range list.Data {
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= n || vectors[at] != nil {
			return nil, brokenError("vector %d came twice or is of no text", at)
		}
		// NaN is sent as null and would be read as 0.
		if bytes.Contains(d.Vector, []byte("null")) || json.Unmarshal(d.Vector, &vectors[at]) != nil || len(vectors[at]) == 0 {
			return nil, brokenError("embedding %d is not an array of numbers", at)
		}
	}
	return vectors, nil
}

func brokenError(format string, a ...any) *model.Error {
	return &model.Error{Kind: model.Broken, Message: fmt.Sprintf(format, a...)}
}
