package modeltest

import (
	_ "embed"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

//go:embed chatml.tmpl
var chatML string

var ollamaListens = regexp.MustCompile(`Listening on ([0-9.]+:[0-9]+)[ "]`)

// untilInput runs the server in the group's background and ends the group when either
// the server or standard input ends.
const untilInput = `{ "$0" serve </dev/null; kill -KILL 0; } & cat >/dev/null; kill -KILL 0`

// Ollama starts Ollama with the named weights. It skips the test if either is not
// available. Models that were created stay next to the weights, for the next run.
func Ollama(t testing.TB, weights string, o Options) *Server {
	t.Helper()
	o = o.withDefaults()
	binary, path := requireEnv(t, envOllama, "Ollama"), weightsPath(t, weights)
	env := append(os.Environ(),
		"OLLAMA_HOST=127.0.0.1:0",
		"OLLAMA_MODELS="+filepath.Join(filepath.Dir(path), "ollama"),
		"HOME="+t.TempDir(), // for its keys
		"OLLAMA_NOPRUNE=1",
		fmt.Sprintf("OLLAMA_CONTEXT_LENGTH=%d", o.Window),
		fmt.Sprintf("OLLAMA_NUM_PARALLEL=%d", o.Slots))
	s := &Server{Kind: OllamaServer, Window: o.Window, Slots: o.Slots,
		Model: fmt.Sprintf("%s:t%d", weights, o.Threads)}
	cmd := exec.Command("sh", "-c", untilInput, binary)
	cmd.Env = env
	launch(t, s, cmd, func() string {
		if found := ollamaListens.FindSubmatch(s.log.text()); found != nil {
			return "http://" + string(found[1])
		}
		return ""
	})
	createModel(t, s, binary, env, modelfile(path, o))
	return s
}

// modelfile describes a model. Ollama uses a template in the weights only if it knows
// that template, and prompts without any otherwise: it does not know Qwen's.
func modelfile(path string, o Options) string {
	text := fmt.Sprintf("FROM %s\nPARAMETER num_thread %d\n", path, o.Threads)
	if strings.HasPrefix(filepath.Base(path), "qwen2.5") {
		text += "PARAMETER stop <|im_end|>\nTEMPLATE \"\"\"" + chatML + "\"\"\"\n"
	}
	return text
}

// createModel makes the server's model from the weights. If it exists already, Ollama finds
// the data and finishes at once.
func createModel(t testing.TB, s *Server, binary string, env []string, text string) {
	t.Helper()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "Modelfile")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "create", s.Model, "-f", file)
	cmd.Env = append(env, "OLLAMA_HOST="+u.Host)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("Ollama makes no model of %s: %v\n%s", s.Model, err, out)
	}
}
