package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// progress is the one line that a user sees while waiting; nothing is written if the output
// is not a terminal.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	width int
}

func newProgress(w io.Writer) *progress {
	t, ok := w.(*terminal)
	if !ok || os.Getenv("TERM") == "dumb" {
		return &progress{}
	}
	return &progress{w: t.to, width: terminalWidth(t.fd)}
}

func (p *progress) show(at catalog.Progress) {
	if p.w == nil {
		return
	}
	text := oneLine(at.Line())
	if at.Total > 0 {
		text = drawBar(at.Done, at.Total) + " " + text
	}
	if r := []rune(text); len(r) > p.width-1 {
		text = string(r[:p.width-1])
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.w, "\r\x1b[K%s", text)
}

func drawBar(done, total int) string {
	const cells = 12
	n := min(done*cells/total, cells)
	return "[" + strings.Repeat("█", n) + strings.Repeat("·", cells-n) + "]"
}

func (p *progress) clear() {
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprint(p.w, "\r\x1b[K")
}
