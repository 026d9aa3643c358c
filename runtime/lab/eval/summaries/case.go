package summaries

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Case is a tool result and what later calls needed from it.
type Case struct {
	ID        string          `json:"id"`
	Kind      string          `json:"kind"`
	Source    string          `json:"source,omitempty"`
	Server    *string         `json:"server,omitempty"`
	Tool      *string         `json:"tool,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Task      *string         `json:"task,omitempty"`
	Recent    json.RawMessage `json:"recent,omitempty"` // earlier calls: [{tool, arguments, result}]
	Result    string          `json:"result"`
	Needed    []string        `json:"needed"`
}

// maxCase limits a line of a file of cases, in bytes.
const maxCase = 64 << 20

// ReadCases reads one case per line. Empty lines and unknown fields are skipped.
func ReadCases(in io.Reader, name string) ([]Case, error) {
	var list []Case
	seen := map[string]int{}
	err := eachLine(in, name, func(n int, line []byte) error {
		var c Case
		if err := json.Unmarshal(line, &c); err != nil {
			return fmt.Errorf("not a case: %w", err)
		}
		if err := c.check(); err != nil {
			return err
		}
		if first, twice := seen[c.ID]; twice {
			return fmt.Errorf("id %q stands on line %d already", c.ID, first)
		}
		seen[c.ID] = n
		list = append(list, c)
		return nil
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf(`%s holds no case; write one JSON object a line: {"id","kind","task","arguments","result","needed":["an identifier of the result"]}`, name)
	}
	return list, err
}

// check returns an error for a case that cannot be scored.
func (c Case) check() error {
	switch {
	case c.ID == "":
		return fmt.Errorf("a case without an id")
	case c.Result == "":
		return fmt.Errorf("case %s: result is missing", c.ID)
	case len(c.Needed) == 0:
		return fmt.Errorf("case %s: needed is missing: the identifiers that later calls used", c.ID)
	}
	src := readSource(c.Result)
	for _, x := range c.Needed {
		if x == "" || !occurs(x, src.text, src.decoded) {
			return fmt.Errorf("case %s: needed %q is not in the result", c.ID, x)
		}
	}
	return nil
}

// Told is a summary that was made elsewhere.
type Told struct {
	ID      string `json:"id"`
	Budget  int    `json:"budget,omitempty"` // in tokens; 0 for all
	Summary string `json:"summary"`
}

// ReadTold reads one summary per line.
func ReadTold(in io.Reader, name string) (list []Told, err error) {
	err = eachLine(in, name, func(_ int, line []byte) error {
		var t Told
		if err := json.Unmarshal(line, &t); err != nil || t.ID == "" {
			return fmt.Errorf(`not a summary {"id","budget","summary"}: %.60q`, line)
		}
		list = append(list, t)
		return nil
	})
	return list, err
}

// Find returns the summary of a case at a budget, or "" if none is listed.
func Find(list []Told, id string, budget int) string {
	i := slices.IndexFunc(list, func(t Told) bool { return t.ID == id && (t.Budget == budget || t.Budget == 0) })
	if i < 0 {
		return ""
	}
	return list[i].Summary
}

func eachLine(in io.Reader, name string, fn func(n int, line []byte) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxCase)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		if err := fn(n, lines.Bytes()); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
