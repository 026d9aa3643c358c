package process

import (
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// tailSize limits the kept part of a program's stderr, in bytes.
const tailSize = 16 << 10

// secretLength is the length in bytes from which the value of a declared variable is masked in stderr; masking shorter
// ones ("1", "true", "debug") would make the text unreadable.
const secretLength = 8

// tail keeps the end of a stream.
type tail struct {
	mu   sync.Mutex
	buf  []byte
	over bool // the beginning was dropped
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	if len(b) > tailSize {
		b, t.over = b[len(b)-tailSize:], true
	}
	if drop := len(t.buf) + len(b) - tailSize; drop > 0 {
		t.buf = append(t.buf[:0], t.buf[drop:]...)
		t.over = true
	}
	t.buf = append(t.buf, b...)
	return n, nil
}

// lines returns the kept whole lines, without control characters and secrets, with each value of declared replaced by
// the name of its variable: a server that prints its token in an error must not leak it.
func (t *tail) lines(declared map[string]string) []string {
	t.mu.Lock()
	text, over := string(t.buf), t.over
	t.mu.Unlock()
	if over { // the first line may be cut, within a value
		if _, rest, ok := strings.Cut(text, "\n"); ok {
			text = rest
		} else {
			text = text[len(text)/2:]
		}
	}
	text, _ = redact.Default().Redact(strings.ReplaceAll(mask(text, declared), "\r", "\n")) // as a whole: one line may lack its secret's name
	text = redact.Strip(text)
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimRight(line, " \t"); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func mask(text string, declared map[string]string) string {
	var names []string
	for name, v := range declared {
		if len(v) >= secretLength {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { // the longest first: one value may be part of another
		if d := len(declared[b]) - len(declared[a]); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var pairs []string
	for _, name := range names {
		pairs = append(pairs, declared[name], "["+name+"]")
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
