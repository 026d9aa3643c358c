package selection

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// Session is one line of a log: the tools that a session called, in that order.
type Session struct {
	ID     string    `json:"session"`
	Source string    `json:"source,omitempty"`
	Task   string    `json:"task,omitempty"`
	Tools  []string  `json:"tools"` // server/tool
	Start  time.Time `json:"start,omitzero"`
}

// MaxLine limits a line of a log, in bytes.
const MaxLine = 16 << 20

// want says what a line must hold.
const want = `want {"session": "id", "source": "…", "task": "…", "tools": ["server/tool", …]}`

// ReadLog reads a log of one JSON object per line. Empty lines and unknown members are
// skipped. The first line that is not a session is an error with its line number.
func ReadLog(in io.Reader, name string) ([]Session, error) {
	scan := bufio.NewScanner(in)
	scan.Buffer(make([]byte, 64<<10), MaxLine)
	var list []Session
	seen := map[string]int{}
	n := 0
	for scan.Scan() {
		n++
		line := bytes.TrimSpace(scan.Bytes())
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if len(line) == 0 {
			continue
		}
		s, err := readLine(line)
		if err == nil && seen[s.ID] > 0 {
			err = fmt.Errorf("session %q stands on line %d already", s.ID, seen[s.ID])
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		seen[s.ID] = n
		list = append(list, s)
	}
	switch err := scan.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%s:%d: the line is longer than %d MiB", name, n+1, MaxLine>>20)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case len(list) == 0:
		return nil, fmt.Errorf("%s holds no session; %s, one a line", name, want)
	}
	return list, nil
}

// readLine parses and checks one session.
func readLine(line []byte) (Session, error) {
	var s Session
	err := json.Unmarshal(line, &s)
	var at *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &at):
		return s, fmt.Errorf("no JSON at byte %d: %w; %s", at.Offset, err, want)
	case errors.As(err, &kind) && kind.Field == "":
		return s, fmt.Errorf("a JSON %s is not a session; %s", kind.Value, want)
	case errors.As(err, &kind):
		return s, fmt.Errorf("%s is a JSON %s; %s", kind.Field, kind.Value, want)
	case err != nil:
		return s, fmt.Errorf("%w; %s", err, want)
	case s.ID == "":
		return s, fmt.Errorf("session is missing or empty; %s", want)
	case len(s.Tools) == 0:
		return s, fmt.Errorf("session %q has no tools; %s", s.ID, want)
	}
	for i, t := range s.Tools {
		if t == "" {
			return s, fmt.Errorf("session %q: tools[%d] is empty; want server/tool", s.ID, i)
		}
	}
	return s, nil
}
