package supervise

import (
	"bytes"
	"strings"
	"sync"
)

// maxLine limits a line of a program's output, in bytes. A longer one is passed on in parts.
const maxLine = 16 << 10

// lines passes a program's output on by lines, masked, and finds the announcement in it.
type lines struct {
	mu   sync.Mutex
	rest []byte
	cut  bool // rest continues a line
	pass func(line string, whole bool)
}

func (s *Supervisor) newLines(u *unit, mask func(string) string, announced chan<- announcement) *lines {
	return &lines{pass: func(line string, whole bool) {
		if at, ok := parseAnnouncement(line); ok && whole {
			select {
			case announced <- at:
			default: // only the first one counts
			}
		}
		s.printing.Lock()
		defer s.printing.Unlock()
		s.opt.Print(u.Program.Name, mask(line))
	}}
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, b...)
	for {
		i := bytes.IndexByte(l.rest, '\n')
		if i < 0 && len(l.rest) < maxLine {
			return len(b), nil
		}
		cut := i < 0 || i > maxLine
		if cut {
			i = maxLine - 1
		}
		l.emit(l.rest[:i+1], !cut)
		l.rest, l.cut = l.rest[i+1:], cut
	}
}

// flush passes on a last line without an end.
func (l *lines) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.emit(l.rest, true)
	l.rest = nil
}

func (l *lines) emit(line []byte, ends bool) {
	if text := strings.TrimRight(string(line), " \t\r\n"); text != "" {
		l.pass(text, ends && !l.cut)
	}
}
