package recording

import (
	"bytes"

	"github.com/compactor-mcp/compactor/runtime/redact"
)

// masked is the exchange without secrets. What a model is asked was masked
// before; what its server says was not, and the error of one that refuses a key
// may quote it. A body is masked as its client reads it: as one JSON value, else
// line by line, as streams are. A secret that a model says in pieces is not
// found; it was shown none.
func (e Exchange) masked() Exchange {
	e.Request, e.Body = maskBody(e.Request), maskBody(e.Body)
	return e
}

func maskBody(body []byte) []byte {
	r := redact.Default()
	if i := bytes.IndexByte(bytes.TrimSpace(body), '\n'); i < 0 || bytes.HasPrefix(bytes.TrimSpace(body), []byte("{\n")) {
		out, _ := r.JSON(body, redact.Frame{})
		return out
	}
	var out []byte
	for line := range bytes.Lines(body) {
		text := bytes.TrimRight(line, "\r\n")
		field, data, is := bytes.Cut(text, []byte(": "))
		if !is || bytes.ContainsAny(field, "{[\"") {
			field, data = nil, text
		}
		masked, _ := r.JSON(data, redact.Frame{})
		out = append(out, text[:len(text)-len(data)]...)
		out = append(out, masked...)
		out = append(out, line[len(text):]...)
	}
	return out
}
