package gateway

import (
	"bytes"
	"encoding/json"

	"compactor/runtime/server/rawjson"
)

// paramHeaders are the headers that a tool's schema asks for (x-mcp-header):
// arguments that servers of the stateless era want beside the body.
func paramHeaders(schema, args json.RawMessage) map[string]string {
	if !bytes.Contains(schema, []byte(`"x-mcp-header"`)) {
		return nil
	}
	var s struct {
		Properties map[string]struct {
			Header string `json:"x-mcp-header"`
		} `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return nil
	}
	var out map[string]string
	members, _ := rawjson.Members(args)
	for _, m := range members {
		name := s.Properties[m.Name].Header
		if name == "" {
			continue
		}
		text, err := rawjson.Text(m.Value)
		if err != nil {
			text = string(m.Value)
		}
		if out == nil {
			out = map[string]string{}
		}
		out["Mcp-Param-"+name] = text
	}
	return out
}
