package recording

import (
	"bytes"
	"context"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// maskSecrets returns the exchange without secrets. Prompts were masked before; responses of
// the server were not, and the error of one that rejects a key may quote it. A body is
// masked as its client reads it: as one JSON value, else line by line, like a stream. A
// secret that a model writes in pieces is not found; but the model was shown none.
func (e Exchange) maskSecrets() Exchange {
	e.Request, e.Body = maskBody(e.Request), maskBody(e.Body)
	return e
}

func maskBody(body []byte) []byte {
	r := redact.Default()
	if i := bytes.IndexByte(bytes.TrimSpace(body), '\n'); i < 0 || bytes.HasPrefix(bytes.TrimSpace(body), []byte("{\n")) {
		return maskValue(r, body)
	}
	var out []byte
	for line := range bytes.Lines(body) {
		text := bytes.TrimRight(line, "\r\n")
		field, data, is := bytes.Cut(text, []byte(": "))
		if !is || bytes.ContainsAny(field, "{[\"") {
			field, data = nil, text
		}
		out = append(out, text[:len(text)-len(data)]...)
		out = append(out, maskValue(r, data)...)
		out = append(out, line[len(text):]...)
	}
	return out
}

// answerName matches the ID that servers of OpenAI's protocol give to an answer: it is
// random and not a secret.
var answerName = lazyregexp.New(`^"(chat)?cmpl-[A-Za-z0-9]{1,40}"$`)

// maskValue masks one JSON value, except the ID of the answer: a replay is
// byte-identical if nothing is secret.
func maskValue(r *redact.Redactor, data []byte) []byte {
	const instead = `"the name of this answer"`
	name := rawjson.Get(data, "id")
	if !answerName.MatchString(string(name)) || bytes.Contains(data, []byte(instead)) {
		out, _, _ := r.JSON(context.Background(), data, redact.Frame{})
		return out
	}
	out, _, _ := r.JSON(context.Background(), bytes.Replace(data, name, []byte(instead), 1), redact.Frame{})
	return bytes.Replace(out, []byte(instead), name, 1)
}
