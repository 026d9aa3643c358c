// Package modeltest starts real model servers for tests: llama.cpp's own and Ollama,
// each as a process of its own on a port that the system chose.
//
// The environment says what to start; .ci/test-model sets these variables:
//
//	COMPACTOR_TEST_LLAMA    a Python that has xllamacpp, llama.cpp's server
//	COMPACTOR_TEST_OLLAMA   Ollama's binary
//	COMPACTOR_TEST_WEIGHTS  a directory of weights, NAME.gguf
//	COMPACTOR_TEST_MODELS   which of them, by name; unset means all
//
// If one is not set, a test that needs it is skipped and says so. Tests that need a
// real model have RealModel in their names.
//
// Only tests import it.
package modeltest

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Names of environment variables.
const (
	envLlama   = "COMPACTOR_TEST_LLAMA"
	envOllama  = "COMPACTOR_TEST_OLLAMA"
	envWeights = "COMPACTOR_TEST_WEIGHTS"
	envModels  = "COMPACTOR_TEST_MODELS"
)

// Kind is a program that serves models.
type Kind string

// The programs. An openai adapter works with both, an ollama adapter only with Ollama.
const (
	LlamaServer  Kind = "llama.cpp"
	OllamaServer Kind = "Ollama"
)

// Options configure a server. The zero value is a small chat server.
type Options struct {
	Window  int  // tokens of context of one request; 0 is 2048
	Slots   int  // concurrent requests; 0 is 1
	Threads int  // compute threads; 0 is 1, the fastest on a machine with other work
	Embed   bool // serve vectors instead of chat, if the server must choose
}

func (o Options) withDefaults() Options {
	o.Window = cmp.Or(o.Window, 2048)
	o.Slots = cmp.Or(o.Slots, 1)
	o.Threads = cmp.Or(o.Threads, 1)
	return o
}

// Pair is a server and weights that are available here.
type Pair struct {
	Kind    Kind
	Weights string
}

// String returns the pair as a subtest's name.
func (p Pair) String() string { return string(p.Kind) + "/" + p.Weights }

// Start starts the pair.
func (p Pair) Start(t testing.TB, o Options) *Server {
	t.Helper()
	if p.Kind == OllamaServer {
		return Ollama(t, p.Weights, o)
	}
	return Llama(t, p.Weights, o)
}

// All returns every available pair, sorted. It skips the test if there is none.
func All(t testing.TB) []Pair {
	t.Helper()
	names := Weights(t)
	var pairs []Pair
	for _, k := range []struct {
		kind Kind
		env  string
	}{{LlamaServer, envLlama}, {OllamaServer, envOllama}} {
		if os.Getenv(k.env) == "" {
			continue
		}
		for _, n := range names {
			pairs = append(pairs, Pair{k.kind, n})
		}
	}
	if len(pairs) == 0 {
		t.Skipf("no model server: %s and %s are not set (make test-model sets them)", envLlama, envOllama)
	}
	return pairs
}

// Weights returns the names of the available weights, sorted. It skips the test if
// there are none.
func Weights(t testing.TB) []string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(requireEnv(t, envWeights, "model weights"), "*.gguf"))
	chosen := strings.Fields(os.Getenv(envModels))
	var names []string
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".gguf")
		if len(chosen) == 0 || slices.Contains(chosen, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		t.Skipf("no model weights in %s", os.Getenv(envWeights))
	}
	slices.Sort(names)
	return names
}

// weightsPath returns the path of weights. It skips the test if they do not exist.
func weightsPath(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(requireEnv(t, envWeights, "model weights"), name+".gguf")
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no weights %s (make test-model gets them)", name)
	}
	return path
}

// requireEnv returns an environment variable. It skips the test if it is not set.
func requireEnv(t testing.TB, env, what string) string {
	t.Helper()
	value := os.Getenv(env)
	if value == "" {
		t.Skipf("no %s: %s is not set (make test-model sets it)", what, env)
	}
	return value
}
