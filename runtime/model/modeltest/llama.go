package modeltest

import (
	_ "embed"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

//go:embed llama.py
var llamaProgram string

var llamaListens = regexp.MustCompile(`(?m)READY http://(\S+)$`) // its own log may stand before it on the line

// Llama starts llama.cpp's server with the named weights. The test is skipped
// where either is not to be had.
func Llama(t testing.TB, weights string, o Options) *Server {
	t.Helper()
	o = o.filled()
	python, path := need(t, envLlama, "llama.cpp server"), file(t, weights)
	mode := "chat"
	if o.Embed {
		mode = "embed"
	}
	s := &Server{Kind: LlamaServer, Model: weights, Window: o.Window, Slots: o.Slots}
	launch(t, s, exec.Command(python, "-c", llamaProgram, path, weights, mode,
		strconv.Itoa(o.Window), strconv.Itoa(o.Slots), strconv.Itoa(o.Threads)), llamaListens)
	return s
}
