package service_test

import (
	"encoding/json"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// modelTool is what of a tool comes before a model.
type modelTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Input       json.RawMessage `json:"inputSchema"`
}

// What a chat model is shown of the research tools, in tokens: of all that it reads the
// menu is what comes back in each turn.
func TestMenuSizes(t *testing.T) {
	for _, c := range []struct {
		name, more, client string
		tools, most        int
	}{
		{"all research tools", "", "lm-studio", 9, 600},
		{"one word leaves one", `menu: only: ["research_codebase"]`, "lm-studio", 1, 200},
		{"documents too", `collections: guide: roots: ["docs"]`, "lm-studio", 17, 1275},
		{"with advanced inputs", `menu: advanced: ["lm-*"]`, "lm-studio", 9, 1300},
	} {
		svc := start(t, options(t, map[string]string{"compactor.cue": "package compactor\n" + c.more}))
		client := newFace(t, svc)
		said := client.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"`+c.client+`","version":"1"}}`)
		var list struct{ Tools []modelTool }
		raw := client.ask("tools/list", "{}")
		if err := json.Unmarshal(raw, &list); err != nil {
			t.Fatal(err)
		}
		menu, err := json.Marshal(list.Tools)
		if err != nil {
			t.Fatal(err)
		}
		var hello struct{ Instructions string }
		if err := json.Unmarshal(said, &hello); err != nil {
			t.Fatal(err)
		}
		n := tokens.Count(string(menu))
		t.Logf("%s: %d tools, %d tokens before a model; %d on the wire; instructions %d", c.name, len(list.Tools), n, tokens.Count(string(raw)), tokens.Count(hello.Instructions))
		if len(list.Tools) != c.tools || n > c.most {
			t.Errorf("%s: %d tools, want %d; %d tokens, want at most %d: %s", c.name, len(list.Tools), c.tools, n, c.most, menu)
		}
	}
}
