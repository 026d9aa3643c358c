package answers

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Case is one question and what a right answer to it says.
type Case struct {
	ID         string      `json:"id"`
	Kind       string      `json:"kind"`
	Repo       string      `json:"repo,omitempty"`   // owner/name, if cases are about several repositories
	Commit     string      `json:"commit,omitempty"` // whose tree is asked about; "" for the directory as it is
	Question   string      `json:"question"`
	Earlier    string      `json:"earlier,omitempty"` // the question before it, if it is a follow-up
	Answerable *bool       `json:"answerable,omitempty"`
	Gold       []string    `json:"gold,omitempty"` // path, path:line or path:first-last
	Nuggets    []Nugget    `json:"nuggets,omitempty"`
	Forbidden  []Forbidden `json:"forbidden,omitempty"`
}

// Nugget is one fact: at least Min of its alternatives must be said, by default one. An
// alternative is a whole identifier or literal in any case, re:… with a regular expression,
// or @path[:first-last] for a reference to that place.
type Nugget struct {
	Need   []string `json:"need"`
	Min    int      `json:"min,omitempty"`
	Weight float64  `json:"weight,omitempty"`
	Why    string   `json:"why,omitempty"`
}

// Forbidden is something that is wrong in an answer to this question.
type Forbidden struct {
	Match []string `json:"match"`
	Why   string   `json:"why,omitempty"`
}

// answerable reports whether the tree holds an answer to the question.
func (c Case) answerable() bool {
	if c.Answerable != nil {
		return *c.Answerable
	}
	return len(c.Nuggets)+len(c.Gold) > 0
}

// ReadCases reads one case per line. Empty lines are skipped, and so are unknown fields,
// since files come from many tools.
func ReadCases(in io.Reader, name string) ([]Case, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 8<<20)
	seen := map[string]int{}
	var list []Case
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var c Case
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s:%d: not a case: %w", name, n, err)
		}
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if first, twice := seen[c.ID]; twice {
			return nil, fmt.Errorf("%s:%d: id %q stands on line %d already", name, n, c.ID, first)
		}
		seen[c.ID] = n
		list = append(list, c)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf(`%s holds no case; write one JSON object a line: {"id","kind","question","gold":["path:10-20"],"nuggets":[{"need":["name"]}]}`, name)
	}
	return list, nil
}

func (c Case) check() error {
	switch {
	case c.ID == "":
		return fmt.Errorf("a case needs an id")
	case strings.TrimSpace(c.Question) == "":
		return fmt.Errorf("case %s has no question", c.ID)
	case c.Answerable != nil && *c.Answerable && len(c.Nuggets)+len(c.Gold) == 0:
		return fmt.Errorf("case %s is answerable and has neither nuggets nor gold", c.ID)
	}
	for i, n := range c.Nuggets {
		if len(n.Need) == 0 {
			return fmt.Errorf("case %s: nugget %d needs an alternative", c.ID, i+1)
		}
		if n.Weight < 0 || n.Min < 0 || n.Min > len(n.Need) {
			return fmt.Errorf("case %s: nugget %d: weight must not be negative, and min be at most the number of alternatives", c.ID, i+1)
		}
		if err := checkPatterns(c.ID, n.Need); err != nil {
			return err
		}
	}
	for _, f := range c.Forbidden {
		if err := checkPatterns(c.ID, f.Match); err != nil {
			return err
		}
	}
	return nil
}

func checkPatterns(id string, list []string) error {
	for _, alt := range list {
		if pattern, ok := strings.CutPrefix(alt, "re:"); ok {
			if _, err := compilePattern(pattern); err != nil {
				return fmt.Errorf("case %s: %q: %w", id, alt, err)
			}
		}
	}
	return nil
}
