package modeltest

import (
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"slices"
	"testing"
)

func TestWithoutAServerATestIsSkipped(t *testing.T) {
	for _, env := range []string{envLlama, envOllama, envWeights, envModels} {
		t.Setenv(env, "")
	}
	for name, ask := range map[string]func(testing.TB){
		"llama":   func(t testing.TB) { Llama(t, "any", Options{}) },
		"ollama":  func(t testing.TB) { Ollama(t, "any", Options{}) },
		"weights": func(t testing.TB) { Weights(t) },
		"all":     func(t testing.TB) { All(t) },
	} {
		var skipped bool
		t.Run(name, func(t *testing.T) {
			defer func() { skipped = t.Skipped() }()
			ask(t)
		})
		if !skipped {
			t.Errorf("%s: not skipped without the environment", name)
		}
	}
}

func TestRealModelServersStartAndEnd(t *testing.T) {
	for _, pair := range All(t) {
		t.Run(pair.String(), func(t *testing.T) {
			s := pair.Start(t, Options{})
			if got := served(t, s); !slices.Contains(got, s.Model) {
				t.Errorf("serves %q, not %q", got, s.Model)
			}
			s.Kill()
			u, err := url.Parse(s.URL)
			if err != nil {
				t.Fatal(err)
			}
			if c, err := net.Dial("tcp", u.Host); err == nil {
				c.Close()
				t.Error("something still listens after Kill")
			}
		})
	}
}

// served lists the models of a server.
func served(t *testing.T, s *Server) []string {
	t.Helper()
	resp, err := http.Get(s.OpenAI() + "/models")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var list struct{ Data []struct{ ID string } }
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, m := range list.Data {
		ids = append(ids, m.ID)
	}
	return ids
}
