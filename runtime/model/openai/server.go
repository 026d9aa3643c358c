package openai

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// kind is a kind of server. The values are shown to users.
type kind string

const (
	plain       kind = "an OpenAI-compatible server"
	lmStudio    kind = "LM Studio"
	lmStudioOld kind = "LM Studio before 0.4"
	llamaCpp    kind = "llama.cpp"
	vllm        kind = "vLLM"
	ollama      kind = "Ollama"
)

// takesTemplateValues reports whether the server accepts values for the chat template.
// Strict servers reject the field.
func (k kind) takesTemplateValues() bool {
	return k == lmStudio || k == lmStudioOld || k == llamaCpp || k == vllm
}

// entry is a model that a server has.
type entry struct {
	model.Info
	names []string // all names it may be requested by; loading uses the first
}

// serverKind returns the kind of server, which is determined only once.
func (e *Endpoint) serverKind(ctx context.Context) (kind, error) {
	if err := e.finding.enter(ctx); err != nil {
		return "", err
	}
	defer e.finding.leave()
	if k := e.knownKind(); k != "" {
		return k, nil
	}
	k, entries, err := e.surveyModels(ctx)
	if err != nil {
		return "", err
	}
	e.rememberSurvey(k, entries)
	return k, nil
}

func (e *Endpoint) knownKind() kind {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.kind
}

// surveyModels asks the server which models it has. The cheapest queries come first: the list
// that every server has identifies most kinds; LM Studio logs an error for every path
// that it does not know.
func (e *Endpoint) surveyModels(ctx context.Context) (kind, []entry, error) {
	known := e.knownKind()
	if known == lmStudio {
		entries, err := e.lmStudio(ctx)
		return known, entries, err
	}
	list, err := e.get(ctx, e.base.JoinPath("models"))
	if err != nil {
		return "", nil, err
	}
	k, entries := parseList(list)
	if k == plain && known != plain {
		if native, found, err := e.surveyNative(ctx, entries == nil); err != nil || native != "" {
			return native, found, err
		}
	}
	if k == llamaCpp {
		entries, err = e.addProps(ctx, entries)
	}
	return k, entries, err
}

// surveyNative queries paths that only some servers have. The kind is "" if none answers.
func (e *Endpoint) surveyNative(ctx context.Context, unlisted bool) (kind, []entry, error) {
	entries, err := e.lmStudio(ctx)
	if entries != nil || err != nil {
		return lmStudio, entries, err
	}
	a, err := e.get(ctx, e.origin.JoinPath("api/v0/models"))
	if err != nil {
		return "", nil, err
	}
	if entries := parseLMStudioOld(a.body); entries != nil {
		return lmStudioOld, entries, nil
	}
	if !unlisted {
		return "", nil, nil
	}
	if entries, err = e.addProps(ctx, nil); entries != nil || err != nil {
		return llamaCpp, entries, err
	}
	return "", nil, nil
}

func (e *Endpoint) lmStudio(ctx context.Context) ([]entry, error) {
	a, err := e.get(ctx, e.origin.JoinPath("api/v1/models"))
	if err != nil {
		return nil, err
	}
	return parseLMStudio(a.body), nil
}

// answer is the response to a GET; its body is nil if it is not JSON or the path is
// unknown.
type answer struct {
	server string // its own name for itself
	body   []byte
}

// get sends a GET. An unknown path is an answer; a rejected key and a server that is
// still loading are errors.
func (e *Endpoint) get(ctx context.Context, from *url.URL) (answer, error) {
	res, err := e.send(ctx, http.MethodGet, from, nil)
	if err != nil {
		return answer{}, e.unsentError(ctx, err)
	}
	defer res.Body.Close()
	a := answer{server: res.Header.Get("Server")}
	switch res.StatusCode {
	case 401, 403, 429, 502, 503, 504:
		return a, e.refusalError(ctx, res)
	case 200:
	default:
		return a, nil
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, model.MaxReply))
	if err != nil {
		return a, e.unsentError(ctx, err)
	}
	if json.Valid(body) {
		a.body = body
	}
	return a, nil
}

// parseList parses the list that every server has. entries is nil if there is none.
func parseList(a answer) (kind, []entry) {
	var list struct {
		Data []struct {
			ID      string    `json:"id"`
			Aliases []string  `json:"aliases"`
			Root    loose     `json:"root"`
			Owner   loose     `json:"owned_by"`
			MaxLen  int       `json:"max_model_len"`
			Meta    *ggufMeta `json:"meta"`
			Status  struct {
				Value loose `json:"value"`
			} `json:"status"`
		} `json:"data"`
	}
	k := plain
	if strings.HasPrefix(a.server, "llama.cpp") {
		k = llamaCpp
	}
	if json.Unmarshal(a.body, &list) != nil || list.Data == nil {
		return k, nil
	}
	entries := []entry{}
	for _, d := range list.Data {
		switch {
		case d.Owner == "llamacpp":
			k = llamaCpp
		case d.Owner == "vllm":
			k = vllm
		case d.Owner == "library":
			k = ollama
		}
		i := entry{names: append([]string{d.ID}, d.Aliases...)}
		i.Model, i.Window = d.ID, d.MaxLen
		i.Loaded = d.Status.Value == "" || d.Status.Value == "loaded"
		if d.Root != "" {
			i.names = append(i.names, string(d.Root))
		}
		d.Meta.addTo(&i.Info)
		entries = append(entries, i)
	}
	for i := range entries {
		entries[i].Server = string(k)
	}
	return k, entries
}
