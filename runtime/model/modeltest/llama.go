package modeltest

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

//go:embed llama.py
var llamaProgram string

// Llama starts llama.cpp's server with the named weights. It skips the test if either
// is not available.
func Llama(t testing.TB, weights string, o Options) *Server {
	t.Helper()
	o = o.withDefaults()
	python, path := requireEnv(t, envLlama, "llama.cpp server"), weightsPath(t, weights)
	mode := "chat"
	if o.Embed {
		mode = "embed"
	}
	s := &Server{Kind: LlamaServer, Model: weights, Window: o.Window, Slots: o.Slots}
	// The address is passed in a file: threads of the server write to both outputs at
	// any time, even into the middle of a line.
	address := filepath.Join(t.TempDir(), "address")
	launch(t, s, exec.Command(python, "-c", llamaProgram, path, weights, mode,
		strconv.Itoa(o.Window), strconv.Itoa(o.Slots), strconv.Itoa(o.Threads), address),
		func() string {
			text, _ := os.ReadFile(address) // does not exist until the server listens
			return string(text)
		})
	return s
}
