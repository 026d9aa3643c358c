package openai

import (
	"encoding/json"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// parseLMStudio parses the list of LM Studio 0.4 and later; nil if it is not one. Each
// loaded instance is an entry of its own. The window of an instance is shared by all
// requests that run in it concurrently.
func parseLMStudio(body []byte) []entry {
	var list struct {
		Models []struct {
			Type     string   `json:"type"`
			Key      string   `json:"key"`
			Params   loose    `json:"params_string"`
			Limit    int      `json:"max_context_length"`
			Variants []string `json:"variants"`
			Form     struct {
				Name loose `json:"name"`
			} `json:"quantization"`
			Instances []struct {
				ID     string `json:"id"`
				Config struct {
					Window int `json:"context_length"`
					Slots  int `json:"parallel"`
				} `json:"config"`
			} `json:"loaded_instances"`
			Can *struct {
				Tools     bool            `json:"trained_for_tool_use"`
				Reasoning json.RawMessage `json:"reasoning"`
			} `json:"capabilities"`
		} `json:"models"`
	}
	if json.Unmarshal(body, &list) != nil || list.Models == nil {
		return nil
	}
	entries := []entry{}
	for _, m := range list.Models {
		base := entry{names: append([]string{m.Key}, m.Variants...)}
		base.Server, base.Model, base.Limit = string(lmStudio), m.Key, m.Limit
		base.Size = strings.TrimSpace(string(m.Params) + " " + string(m.Form.Name))
		base.CanTell = true
		base.Can = []model.Ability{model.CanChat}
		if strings.HasPrefix(m.Type, "embedding") {
			base.Can = []model.Ability{model.CanEmbed}
		}
		if m.Can != nil && m.Can.Tools {
			base.Can = append(base.Can, model.CanTools)
		}
		if m.Can != nil && strings.HasPrefix(string(m.Can.Reasoning), "{") {
			base.Can = append(base.Can, model.CanThink)
		}
		if len(m.Instances) == 0 {
			entries = append(entries, base)
		}
		for n, loaded := range m.Instances {
			i := base
			i.Loaded, i.Model, i.Window, i.Slots = true, loaded.ID, loaded.Config.Window, loaded.Config.Slots
			i.Shared = i.Slots > 1
			if n > 0 { // the model's own name means the first instance
				i.names = nil
			}
			i.names = append(i.names[:len(i.names):len(i.names)], loaded.ID)
			entries = append(entries, i)
		}
	}
	return entries
}

// parseLMStudioOld parses the list of LM Studio 0.3.6 and later; nil if it is not one.
func parseLMStudioOld(body []byte) []entry {
	var list struct {
		Data []struct {
			ID     string   `json:"id"`
			Type   string   `json:"type"`
			Form   loose    `json:"quantization"`
			State  string   `json:"state"`
			Limit  int      `json:"max_context_length"`
			Window int      `json:"loaded_context_length"`
			Can    []string `json:"capabilities"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &list) != nil || list.Data == nil {
		return nil
	}
	entries := []entry{}
	for _, m := range list.Data {
		if m.State == "" { // the plain list under another path
			return nil
		}
		i := entry{names: []string{m.ID}}
		i.Server, i.Model, i.Size = string(lmStudioOld), m.ID, string(m.Form)
		i.Loaded, i.Window, i.Limit = m.State == "loaded", m.Window, m.Limit
		i.Can, i.CanTell = []model.Ability{model.CanChat}, m.Can != nil
		if strings.HasPrefix(m.Type, "embedding") {
			i.Can, i.CanTell = []model.Ability{model.CanEmbed}, true
		}
		for _, can := range m.Can {
			if can == "tool_use" {
				i.Can = append(i.Can, model.CanTools)
			}
		}
		entries = append(entries, i)
	}
	return entries
}
