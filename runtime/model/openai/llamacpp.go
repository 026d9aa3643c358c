package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// ggufMeta is what llama.cpp's list says about a model. Its n_ctx is the window of one
// slot, which is all that one request may use: two slots of 2,048 tokens are listed as
// 1,024.
type ggufMeta struct {
	Window int     `json:"n_ctx"`
	Limit  int     `json:"n_ctx_train"`
	Params float64 `json:"n_params"`
	Form   loose   `json:"ftype"`
}

func (m *ggufMeta) addTo(i *model.Info) {
	if m == nil {
		return
	}
	i.Window, i.Limit = max(m.Window, i.Window), m.Limit
	i.Size = strings.TrimSpace(formatParams(m.Params) + " " + strings.ReplaceAll(string(m.Form), " - ", " "))
}

// formatParams formats a number of parameters as in names of models: 4.0B, 270M.
func formatParams(params float64) string {
	switch {
	case params >= 1e9:
		return fmt.Sprintf("%.1fB", params/1e9)
	case params >= 1e6:
		return fmt.Sprintf("%.0fM", params/1e6)
	}
	return ""
}

// addProps completes the list of a llama.cpp server, or builds one if there is none. It
// does not query a server with several models: that may load one.
func (e *Endpoint) addProps(ctx context.Context, entries []entry) ([]entry, error) {
	if len(entries) > 1 {
		return entries, nil
	}
	a, err := e.get(ctx, e.origin.JoinPath("props"))
	if err != nil {
		return nil, err
	}
	var p struct {
		Defaults *struct {
			Window int `json:"n_ctx"`
		} `json:"default_generation_settings"`
		Slots    int   `json:"total_slots"`
		Path     loose `json:"model_path"`
		Template loose `json:"chat_template"`
		Caps     *struct {
			Tools     bool `json:"supports_tools"`
			Calls     bool `json:"supports_tool_calls"`
			Reasoning bool `json:"supports_preserve_reasoning"`
		} `json:"chat_template_caps"`
	}
	if json.Unmarshal(a.body, &p) != nil || p.Defaults == nil {
		return entries, nil
	}
	if len(entries) == 0 {
		entries = []entry{{names: []string{string(p.Path)}}}
		entries[0].Model, entries[0].Server, entries[0].Loaded = string(p.Path), string(llamaCpp), true
	}
	i := &entries[0]
	i.names = append(i.names, string(p.Path))
	i.Slots = p.Slots
	if p.Defaults.Window > 0 {
		i.Window = p.Defaults.Window
	}
	if p.Caps != nil {
		i.CanTell, i.Can = true, []model.Ability{model.CanChat}
		if p.Caps.Tools && p.Caps.Calls {
			i.Can = append(i.Can, model.CanTools)
		}
		if p.Caps.Reasoning || strings.Contains(string(p.Template), "<think>") {
			i.Can = append(i.Can, model.CanThink)
		}
	}
	return entries, nil
}
