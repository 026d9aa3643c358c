package eval

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// The kinds of questions.
const (
	History    = "history"    // a commit's message; gold is what it changed
	Definition = "definition" // where is X defined?
	Absent     = "absent"     // where is X defined?, of a name that does not exist
)

// Kinds lists them in the order in which they are shown.
var Kinds = []string{History, Definition, Absent}

// Tags of a question.
const (
	TagIdentifier = "ident" // holds something that looks like a name of code
	TagStem       = "stem"  // holds the base name of a gold file as a word
)

// Range is a range of lines, both included, from 1.
type Range [2]int

// Case is one question with the files that answer it.
type Case struct {
	ID       string             `json:"id"`
	Kind     string             `json:"kind"`
	Repo     string             `json:"repo,omitempty"`
	Commit   string             `json:"commit,omitempty"` // where the question comes from
	Parent   string             `json:"parent,omitempty"` // whose tree is searched; "" for the directory as it is
	Question string             `json:"question"`
	Gold     []string           `json:"gold"` // slash-separated, most changed first
	Line     int                `json:"line,omitempty"`
	Lines    map[string][]Range `json:"lines,omitempty"` // right lines by gold file
	Tags     []string           `json:"tags,omitempty"`
}

// Slack is how many lines a reference may be off if only a single line is known.
const Slack = 3

// Known returns the right lines or, if only Line is given, those around it.
func (c Case) Known() map[string][]Range {
	if len(c.Lines) == 0 && c.Line > 0 && len(c.Gold) > 0 {
		return map[string][]Range{c.Gold[0]: {{max(1, c.Line-Slack), c.Line + Slack}}}
	}
	return c.Lines
}

// Prose reports whether a question consists of plain words.
func (c Case) Prose() bool { return len(c.Tags) == 0 }

func (c Case) hasTag(tag string) bool { return slices.Contains(c.Tags, tag) }

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
		return nil, fmt.Errorf("%s holds no case; write one JSON object a line: {\"id\",\"kind\",\"question\",\"gold\":[…]}", name)
	}
	return list, nil
}

func (c Case) check() error {
	switch {
	case c.ID == "":
		return fmt.Errorf("a case needs an id")
	case strings.TrimSpace(c.Question) == "":
		return fmt.Errorf("case %s has no question", c.ID)
	case !slices.Contains(Kinds, c.Kind):
		return fmt.Errorf("case %s: kind %q: want one of %s", c.ID, c.Kind, strings.Join(Kinds, ", "))
	case c.Kind == Absent && len(c.Gold) > 0:
		return fmt.Errorf("case %s is absent and yet has gold files", c.ID)
	case c.Kind != Absent && len(c.Gold) == 0:
		return fmt.Errorf("case %s has no gold file", c.ID)
	}
	return nil
}
