package modeltest

import (
	"bytes"
	"slices"
	"sync"
)

// record stores the output of a server.
type record struct {
	mu    sync.Mutex
	bytes []byte
}

// Write never fails.
func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bytes = append(r.bytes, p...)
	return len(p), nil
}

func (r *record) text() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.bytes)
}

// tail returns the last n bytes, without the list of routes that Ollama begins with.
func (r *record) tail(n int) []byte {
	var kept []byte
	for line := range bytes.Lines(r.text()) {
		if !bytes.Contains(line, []byte("GIN-debug")) {
			kept = append(kept, line...)
		}
	}
	return bytes.TrimSpace(kept[max(0, len(kept)-n):])
}
