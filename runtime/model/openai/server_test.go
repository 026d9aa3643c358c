package openai

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// TestInfo reads what each kind of server tells of its models.
func TestInfo(t *testing.T) {
	vllm := asJSON("200 OK", `{"object":"list","data":[{"id":"qwen3","object":"model","owned_by":"vllm","root":"Qwen/Qwen3-4B","max_model_len":16384}]}`)
	other := asJSON("200 OK", `{"object":"list","data":[{"id":"gpt-oss-20b","object":"model","owned_by":"me"}]}`)
	router := asJSON("200 OK", `{"data":[{"id":"a","owned_by":"llamacpp","status":{"value":"unloaded"}},{"id":"b","owned_by":"llamacpp","status":{"value":"loaded"}}]}`)
	chat, tools, thinks := model.CanChat, model.CanTools, model.CanThink
	for name, c := range map[string]struct {
		answers map[string][]string
		model   string
		want    model.Info
	}{
		"LM Studio, loaded": {map[string][]string{"GET /v1/models": {"lmstudio-list"}, "GET /api/v1/models": {"lmstudio-models"}}, "",
			model.Info{Server: "LM Studio", Model: "qwen/qwen3-4b", Loaded: true, Window: 8192, Limit: 40960, Slots: 4, Shared: true, Size: "4B Q4_K_M", Can: []model.Ability{chat, tools, thinks}, CanTell: true}},
		"LM Studio, not loaded": {map[string][]string{"GET /v1/models": {"lmstudio-list"}, "GET /api/v1/models": {"lmstudio-models"}}, "gemma-3-12b",
			model.Info{Server: "LM Studio", Model: "google/gemma-3-12b", Limit: 131072, Size: "12B Q4_0", Can: []model.Ability{chat}, CanTell: true}},
		"LM Studio, embedding": {map[string][]string{"GET /v1/models": {"lmstudio-list"}, "GET /api/v1/models": {"lmstudio-models"}}, "text-embedding-nomic-embed-text-v1.5",
			model.Info{Server: "LM Studio", Model: "text-embedding-nomic-embed-text-v1.5", Loaded: true, Window: 2048, Limit: 2048, Size: "F16", Can: []model.Ability{model.CanEmbed}, CanTell: true}},
		"LM Studio, one variant": {map[string][]string{"GET /v1/models": {"lmstudio-list"}, "GET /api/v1/models": {"lmstudio-models"}}, "qwen/qwen3-4b@q4_k_m",
			model.Info{Server: "LM Studio", Model: "qwen/qwen3-4b", Loaded: true, Window: 8192, Limit: 40960, Slots: 4, Shared: true, Size: "4B Q4_K_M", Can: []model.Ability{chat, tools, thinks}, CanTell: true}},
		"old LM Studio": {map[string][]string{"GET /v1/models": {"lmstudio-list"}, "GET /api/v1/models": {"lmstudio-unexpected"}, "GET /api/v0/models": {"lmstudio-models-v0"}}, "",
			model.Info{Server: "LM Studio before 0.4", Model: "qwen2.5-7b-instruct", Loaded: true, Window: 4096, Limit: 32768, Size: "Q4_K_M", Can: []model.Ability{chat, tools}, CanTell: true}},
		"llama.cpp, two slots": {map[string][]string{"GET /v1/models": {"llamacpp-models"}, "GET /props": {"llamacpp-props"}}, "",
			model.Info{Server: "llama.cpp", Model: "gemma-3-270m.gguf", Loaded: true, Window: 1024, Limit: 32768, Slots: 2, Size: "268M Q4_K Medium", Can: []model.Ability{chat}, CanTell: true}},
		"llama.cpp, tools": {map[string][]string{"GET /v1/models": {"llamacpp-models"}, "GET /props": {"llamacpp-props-tools"}}, "gemma-3-270m",
			model.Info{Server: "llama.cpp", Model: "gemma-3-270m.gguf", Loaded: true, Window: 1024, Limit: 32768, Slots: 2, Size: "268M Q4_K Medium", Can: []model.Ability{chat, tools, thinks}, CanTell: true}},
		"llama.cpp without a list": {map[string][]string{"GET /props": {"llamacpp-props"}}, "",
			model.Info{Server: "llama.cpp", Model: "gemma-3-270m.gguf", Loaded: true, Window: 1024, Slots: 2, Can: []model.Ability{chat}, CanTell: true}},
		"llama.cpp of several models": {map[string][]string{"GET /v1/models": {router}, "GET /props": {"llamacpp-props"}}, "",
			model.Info{Server: "llama.cpp", Model: "b", Loaded: true}},
		"vLLM": {map[string][]string{"GET /v1/models": {vllm}}, "Qwen3-4B",
			model.Info{Server: "vLLM", Model: "qwen3", Loaded: true, Window: 16384}},
		"another": {map[string][]string{"GET /v1/models": {other}}, "",
			model.Info{Server: "an OpenAI-compatible server", Model: "gpt-oss-20b", Loaded: true}},
	} {
		t.Run(name, func(t *testing.T) {
			e := endpoint(t, model.Options{Model: c.model, Client: &script{t: t, answers: c.answers}})
			for range 2 { // the second knows the kind of server
				got, err := e.Info(t.Context())
				if err != nil || show(got) != show(c.want) {
					t.Fatalf("got  %s %v\nwant %s", show(got), err, show(c.want))
				}
			}
		})
	}
}

func TestInfoErrors(t *testing.T) {
	for name, c := range map[string]struct {
		answers map[string][]string
		model   string
		kind    string
		says    string
	}{
		"misspelled":       {map[string][]string{"GET /v1/models": {"lmstudio-list"}, "GET /api/v1/models": {"lmstudio-models"}}, "qwen/qwen3-4", model.NotFound, `did you mean "qwen/qwen3-4b"?`},
		"not there":        {map[string][]string{"GET /v1/models": {"llamacpp-models"}, "GET /props": {"llamacpp-props"}}, "mistral", model.NotFound, "loaded: gemma-3-270m.gguf"},
		"none loaded":      {map[string][]string{"GET /v1/models": {"lmstudio-list"}, "GET /api/v1/models": {"lmstudio-models-unloaded"}}, "", model.NotFound, "there: qwen/qwen3-4b, google/gemma-3-12b"},
		"none at all":      {map[string][]string{"GET /v1/models": {"lmstudio-list"}, "GET /api/v1/models": {asJSON("200 OK", `{"models":[]}`)}}, "", model.NotFound, "it has none"},
		"no list":          {nil, "x", model.Broken, "ends in /v1"},
		"wants a key":      {map[string][]string{"GET /v1/models": {"llamacpp-key"}}, "", model.Refused, "environment variable"},
		"wants it later":   {map[string][]string{"GET /v1/models": {"llamacpp-models"}, "GET /props": {"llamacpp-key"}}, "", model.Refused, "environment variable"},
		"still loading":    {map[string][]string{"GET /v1/models": {"llamacpp-loading"}}, "", model.Busy, "Loading model"},
		"native wants key": {map[string][]string{"GET /v1/models": {"lmstudio-list"}, "GET /api/v1/models": {"llamacpp-key"}}, "", model.Refused, "environment variable"},
	} {
		t.Run(name, func(t *testing.T) {
			e := endpoint(t, model.Options{Model: c.model, Client: &script{t: t, answers: c.answers}})
			_, err := e.Info(t.Context())
			if !model.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestList(t *testing.T) {
	list, err := endpoint(t, model.Options{Client: studio(t)}).List(t.Context())
	var names []string
	for _, i := range list {
		names = append(names, i.Model)
	}
	if err != nil || strings.Join(names, " ") != "qwen/qwen3-4b google/gemma-3-12b text-embedding-nomic-embed-text-v1.5" {
		t.Errorf("%v %v", names, err)
	}
	if _, err := endpoint(t, model.Options{Client: &script{t: t}}).List(t.Context()); !model.Is(err, model.Broken) {
		t.Errorf("no list: %v", err)
	}
}

// TestLoadedModelStays keeps the model of the first answer, and looks again
// when the server does not know it any more.
func TestLoadedModelStays(t *testing.T) {
	server := studio(t, "lmstudio-reasoning", "lmstudio-reasoning", "lmstudio-not-loaded", "lmstudio-other-model")
	e := endpoint(t, model.Options{Client: server})
	for n, want := range []string{"qwen/qwen3-4b", "qwen/qwen3-4b", "qwen/qwen3-4b", "google/gemma-3-12b"} {
		if n == 3 {
			server.answers["GET /api/v1/models"] = []string{asJSON("200 OK", `{"models":[{"type":"llm","key":"google/gemma-3-12b","loaded_instances":[{"id":"google/gemma-3-12b","config":{}}]}]}`)}
		}
		_, err := e.Chat(t.Context(), say("hi"), nil)
		if (n == 2) != model.Is(err, model.NotFound) || n != 2 && err != nil {
			t.Fatal(n, err)
		}
		if sent := server.to(chatPath); !strings.Contains(sent[n], `"model":"`+want+`"`) {
			t.Errorf("request %d: %s", n, sent[n])
		}
	}
}

// TestLoad loads what is not loaded, once, with the window that is asked.
func TestLoad(t *testing.T) {
	const path = "POST /api/v1/models/load"
	server := studio(t)
	server.answers["GET /api/v1/models"] = []string{"lmstudio-models-unloaded", "lmstudio-models-unloaded", "lmstudio-models"}
	server.answers[path] = []string{"lmstudio-loaded"}
	e := endpoint(t, model.Options{Model: "qwen3-4b", Client: server})
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if err := e.Load(t.Context(), 8192); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if sent := server.to(path); len(sent) != 1 || sent[0] != `{"model":"qwen/qwen3-4b","context_length":8192}` {
		t.Errorf("%q", sent)
	}
	if err := e.Load(t.Context(), 16384); !model.Is(err, model.Refused) || !strings.Contains(err.Error(), "window: 8192") {
		t.Errorf("loaded smaller: %v", err)
	}
}

func TestLoadErrors(t *testing.T) {
	for name, c := range map[string]struct {
		server *script
		model  string
		window int
		kind   string
		says   string
	}{
		"not LM Studio": {llamaServer(t), "gemma-3-270m", 4096, model.Unsupported, "llama.cpp loads no model"},
		"no name":       {studio(t), "", 4096, model.NotFound, "name it as model:"},
		"not there":     {studio(t), "mistral", 4096, model.NotFound, "mistral"},
		"too wide":      {studio(t), "gemma-3-12b", 1 << 20, model.Refused, "window: 131072"},
		"no memory":     {studio(t), "gemma-3-12b", 4096, model.Broken, "insufficient system resources"},
	} {
		t.Run(name, func(t *testing.T) {
			c.server.answers["POST /api/v1/models/load"] = []string{"lmstudio-load-failed"}
			err := endpoint(t, model.Options{Model: c.model, Client: c.server}).Load(t.Context(), c.window)
			if !model.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestChatLoads loads before it asks where the options name a window, and
// where they name none leaves the loading to the server.
func TestChatLoads(t *testing.T) {
	const path = "POST /api/v1/models/load"
	for window, want := range map[int]int{0: 0, 6000: 1} {
		server := studio(t, "lmstudio-reasoning")
		server.answers["GET /api/v1/models"] = []string{"lmstudio-models-unloaded", "lmstudio-models-unloaded", "lmstudio-models"}
		server.answers[path] = []string{"lmstudio-loaded"}
		e := endpoint(t, model.Options{Model: "qwen3-4b", Window: window, Client: server})
		for range 2 {
			if _, err := e.Chat(t.Context(), say("hi"), nil); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(server.to(path)); n != want {
			t.Errorf("window %d: loaded %d times", window, n)
		}
	}
	server := studio(t, "lmstudio-reasoning")
	server.answers["GET /api/v1/models"] = []string{"lmstudio-models-unloaded"}
	server.answers[path] = []string{"lmstudio-load-failed"}
	_, err := endpoint(t, model.Options{Model: "qwen3-4b", Window: 6000, Client: server}).Chat(t.Context(), say("hi"), nil)
	var m *model.Error
	if !errors.As(err, &m) || len(server.to(chatPath)) != 0 {
		t.Errorf("asked although not loaded: %v", err)
	}
}

// TestThinkingIsSwitchedOff only where that is known to do no harm.
func TestThinkingIsSwitchedOff(t *testing.T) {
	other := &script{t: t, answers: map[string][]string{"GET /v1/models": {"lmstudio-list"}, chatPath: {"lmstudio-reasoning"}}}
	for name, c := range map[string]struct {
		server *script
		want   bool
	}{
		"LM Studio": {studio(t, "lmstudio-reasoning"), true},
		"llama.cpp": {llamaServer(t, "llamacpp-chat"), true},
		"another":   {other, false},
	} {
		e := endpoint(t, model.Options{Client: c.server})
		if _, err := e.Chat(t.Context(), say("hi"), nil); err != nil {
			t.Fatal(name, err)
		}
		if got := strings.Contains(c.server.to(chatPath)[0], `"chat_template_kwargs":{"enable_thinking":false}`); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestSameModel(t *testing.T) {
	for _, pair := range [][2]string{
		{"qwen3-4b", "qwen/qwen3-4b"},
		{"gemma-3-270m", "gemma-3-270m.gguf"},
		{"SmolLM2-135M-Instruct", "/models/SmolLM2-135M-Instruct.Q4_1.gguf"},
		{"qwen3-8b", `C:\models\Qwen3-8B-Q4_K_M.gguf`},
		{"qwen3-8b", "Qwen3-8B-UD-Q4_K_XL-00001-of-00002.gguf"},
		{"qwen/qwen3-4b", "qwen/qwen3-4b:2"},
		{"qwen/qwen3-4b", "qwen/qwen3-4b@iq4_xs"},
		{"gemma-3-4b-it", "mlx-community/gemma-3-4b-it-4bit"},
		{"gemma-3-4b-it", "gemma-3-4b-it-bf16"},
		{"gpt-4o", "gpt-4o-2024-08-06"},
		{"llama3", "llama3:latest"},
	} {
		if !sameModel(pair[0], pair[1]) {
			t.Errorf("%q and %q are one", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{
		{"qwen3-4b", "qwen3-8b"}, {"qwen3:4b", "qwen3:8b"}, {"qwen3-4b", "qwen3-4b-thinking"},
		{"gemma-3-4b", "gemma-3-4b-it"}, {"smollm2", "smollm3"}, {"qwen3-4b", "qwen3-4b-2507"}, {"q4", "q8"},
	} {
		if sameModel(pair[0], pair[1]) {
			t.Errorf("%q and %q are two", pair[0], pair[1])
		}
	}
}
