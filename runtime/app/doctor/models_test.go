package doctor

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/discover"
)

func TestFits(t *testing.T) {
	chat := []model.Ability{model.CanChat}
	tools := append(chat, model.CanTools)
	for _, c := range []struct {
		info model.Info
		want string
	}{
		{model.Info{Window: 1024}, "too few"},
		{model.Info{Window: 4096, Can: tools, CanTell: true}, "all roles but explore, which needs 24000"},
		{model.Info{Limit: 32768, Can: tools, CanTell: true}, "explore too"},
		{model.Info{Window: 32768, Can: chat, CanTell: true}, "explore by calls in text"},
		{model.Info{}, "not known"},
	} {
		if got := describeFit(c.info); !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q does not say %q", c.info, got, c.want)
		}
	}
}

// A server is offered with the line that uses it; what only embeds is not.
func TestFound(t *testing.T) {
	place := discover.Place{Name: "LM Studio", Provider: "openai", URL: "http://localhost:1234/v1"}
	embeds := model.Info{Model: "nomic", Can: []model.Ability{model.CanEmbed}, CanTell: true, Loaded: true}
	idle := model.Info{Model: "qwen3-8b", Can: []model.Ability{model.CanChat}, CanTell: true, Limit: 40960}
	loaded := model.Info{Model: "qwen3-4b", Can: []model.Ability{model.CanChat}, CanTell: true, Window: 8192, Loaded: true}
	c := suggestServer(discover.Found{Place: place, Models: []model.Info{embeds, idle, loaded}})
	if want := `models: default: {provider: "openai", url: "http://localhost:1234/v1", model: "qwen3-4b"}`; !strings.Contains(c.Do, want) {
		t.Errorf("%q does not offer %s", c.Do, want)
	}
	if strings.Contains(c.Found, "nomic") || !strings.Contains(c.Found, "qwen3-8b") {
		t.Errorf("found %q", c.Found)
	}
	if c := suggestServer(discover.Found{Place: place, Models: []model.Info{embeds}}); !strings.Contains(c.Found, "no model that chats") {
		t.Errorf("found %q", c.Found)
	}
}

// A model of provider none whose fallback has an endpoint is answered for.
func TestNobodyWithAFallback(t *testing.T) {
	m := config.Model{Provider: "none", Sampling: true, Fallback: []string{"small"}}
	if got := describeAbsent(m, true); !strings.Contains(got, "small") || strings.Contains(got, "builtins") {
		t.Errorf("%q", got)
	}
	if got := describeAbsent(m, false); !strings.Contains(got, "builtins") {
		t.Errorf("%q", got)
	}
}
