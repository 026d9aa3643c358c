package ollama

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/model"
)

func TestInfo(t *testing.T) {
	smol := model.Info{Server: "Ollama 0.0.0", Model: "smollm2:135m", Window: 8192, Limit: 8192,
		Size: "134.52M Q4_1", Can: []model.Ability{model.CanChat}, CanTell: true}
	loaded := smol
	loaded.Loaded, loaded.Window = true, 2048
	narrow := smol
	narrow.Window = 5000
	thinker := model.Info{Server: "Ollama 0.0.0", Model: "smol-think:latest", Window: 8192, Limit: 8192,
		Size: "134.52M Q4_1", Can: []model.Ability{model.CanChat, model.CanThink}, CanTell: true}
	for _, c := range []struct {
		name, model string
		window      int
		ps          string
		want        model.Info
	}{
		{"not loaded", "smollm2:135m", 0, "ps_none.json", smol},
		{"not loaded, configured", "smollm2:135m", 5000, "ps_none.json", narrow},
		{"not loaded, configured beyond its limit", "smollm2:135m", 50000, "ps_none.json", smol},
		{"loaded with less than configured", "smollm2:135m", 5000, "ps_loaded.json", loaded},
		{"no tag", "smol-think", 0, "ps_loaded.json", thinker},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, routes{"/api/ps": {file: c.ps}})
			got := must[model.Info](t)(at(t, s.URL, c.model, c.window).Info(background))
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
			if lastOf(s, "/api/chat")+lastOf(s, "/api/generate")+lastOf(s, "/api/embed") != "" {
				t.Error("the model was asked something, which loads it")
			}
		})
	}
}

func TestList(t *testing.T) {
	s := serve(t, routes{"/api/ps": {file: "ps_loaded.json"}, "/api/show gemma3-270m:latest": {status: 500, body: `{"error":"damaged"}`}})
	var got []string
	for _, i := range must[[]model.Info](t)(at(t, s.URL, "", 0).List(background)) {
		got = append(got, strings.Join([]string{i.Model, i.Size, map[bool]string{true: "loaded"}[i.Loaded]}, "|"))
		if i.Loaded != (i.Window > 0) || i.CanTell != (i.Limit > 0) {
			t.Errorf("%+v", i)
		}
	}
	want := []string{"gemma3-270m:latest||", "smol-think:latest|134.52M Q4_1|", "smol-tools:latest|134.52M Q4_1|", "smollm2:135m|134.52M Q4_1|loaded"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("want -, got +:\n%s", d)
	}
}

func TestServersThatAreNoOllama(t *testing.T) {
	for name, c := range map[string]canned{
		"llama.cpp":  {status: 404, body: `{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}`},
		"LM Studio":  {body: `{"error":"Unexpected endpoint or method. (GET /api/version)"}`},
		"a web page": {body: "<!doctype html><title>Welcome</title>"},
		"silence":    {},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, routes{"/api/version": c})
			_, err := at(t, s.URL, "", 0).Info(background)
			wantError(t, err, model.Broken)
		})
	}
}

func TestTheModelIsFound(t *testing.T) {
	tags := func(names ...string) canned {
		return canned{body: `{"models":[{"model":"` + strings.Join(names, `"},{"model":"`) + `"}]}`}
	}
	loaded := func(names ...string) canned { return tags(names...) }
	embedder := canned{body: `{"capabilities":["embedding"]}`}
	for _, c := range []struct {
		name, ask string
		special   routes
		want      string
		words     []string // of the error, where want is ""
	}{
		{"named", "smollm2:135m", nil, "smollm2:135m", nil},
		{"without a tag", "gemma3-270m", nil, "gemma3-270m:latest", nil},
		{"in full", "registry.ollama.ai/library/gemma3-270m:latest", nil, "gemma3-270m:latest", nil},
		{"the loaded one", "", routes{"/api/ps": {file: "ps_loaded.json"}}, "smollm2:135m", nil},
		{"the loaded one that chats", "", routes{"/api/ps": loaded("nomic:latest", "smollm2:135m"), "/api/show nomic:latest": embedder}, "smollm2:135m", nil},
		{"the only one", "", routes{"/api/tags": tags("gemma3-270m:latest")}, "gemma3-270m:latest", nil},
		{"the only one that chats", "", routes{"/api/tags": tags("nomic:latest", "gemma3-270m:latest"), "/api/show nomic:latest": embedder}, "gemma3-270m:latest", nil},
		{"several", "", nil, "", []string{"4 are installed", "name one: gemma3-270m:latest, smol-think:latest"}},
		{"none", "", routes{"/api/tags": {body: `{"models":null}`}}, "", []string{"none that can chat", "ollama pull"}},
		{"only an embedder", "", routes{"/api/tags": tags("nomic:latest"), "/api/show nomic:latest": embedder}, "", []string{"none that can chat"}},
		{"not installed", "smollm2:135", nil, "", []string{"smollm2:135 is not installed", "ollama pull smollm2:135,", "installed: smollm2:135m, gemma3"}},
		{"another tag", "gemma3-270n", nil, "", []string{"ollama pull gemma3-270n:latest", "installed: gemma3-270m:latest, smol"}},
		{"nothing installed", "phi3", routes{"/api/tags": {body: `{}`}}, "", []string{"phi3:latest is not installed", "ollama pull phi3:latest"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			special := routes{"/api/chat": {body: `{"message":{"content":"x"},"done":true}`}}
			for k, v := range c.special {
				special[k] = v
			}
			s := serve(t, special)
			info, err := at(t, s.URL, c.ask, 0).Info(background)
			_, chatErr := at(t, s.URL, c.ask, 0).Chat(background, hello(), nil)
			if c.want == "" {
				wantError(t, err, model.NotFound, c.words...)
				wantError(t, chatErr, model.NotFound, c.words...)
				return
			}
			if err != nil || chatErr != nil {
				t.Fatal(err, chatErr)
			}
			if !strings.HasPrefix(lastOf(s, "/api/chat"), `{"model":"`+c.want+`"`) || info.Model != c.want {
				t.Errorf("%s is told of, asked was %s", info.Model, lastOf(s, "/api/chat"))
			}
		})
	}
}

// Where no model is named, each Info follows the one that is loaded, and one
// that Ollama put out of memory stays chosen.
func TestTheChosenModelFollows(t *testing.T) {
	special := routes{"/api/ps": {file: "ps_loaded.json"}}
	s := serve(t, special)
	e := at(t, s.URL, "", 0)
	for _, step := range []struct {
		ps   canned
		want string
	}{
		{canned{file: "ps_loaded.json"}, "smollm2:135m"},
		{canned{file: "ps_none.json"}, "smollm2:135m"},
		{canned{body: `{"models":[{"name":"smol-think:latest"}]}`}, "smol-think:latest"},
	} {
		special["/api/ps"] = step.ps
		if got := must[model.Info](t)(e.Info(background)); got.Model != step.want {
			t.Errorf("%s is told of, want %s", got.Model, step.want)
		}
	}
}

func TestAddresses(t *testing.T) {
	for ask, want := range map[string]string{
		"":                               "http://localhost:11434",
		"http://localhost:11434/":        "http://localhost:11434",
		" http://localhost:11434/v1 ":    "http://localhost:11434",
		"http://localhost:11434/api/":    "http://localhost:11434",
		"localhost":                      "http://localhost:11434",
		"box:9000":                       "http://box:9000",
		"[::1]:9000":                     "http://[::1]:9000",
		"https://ai.example/ollama/v1/":  "https://ai.example/ollama",
		"https://me:pw@ai.example/api?x": "https://me:pw@ai.example",
		"http://":                        "",
		"ftp://box":                      "",
		"http://bo x":                    "",
	} {
		e, err := New(model.Options{URL: ask})
		switch {
		case want == "":
			wantError(t, err, model.Refused, DefaultURL)
		case err != nil:
			t.Errorf("%q: %v", ask, err)
		case e.base.String() != want:
			t.Errorf("%q is %s, want %s", ask, e.base, want)
		}
	}
}

// A server below a path, as behind a proxy, is asked there.
func TestPathOfTheAddress(t *testing.T) {
	s := serve(t, routes{"/ollama/api/version": {file: "version.json"}})
	if _, err := at(t, s.URL+"/ollama/v1", "x", 0).serverVersion(background); err != nil {
		t.Error(err)
	}
}
