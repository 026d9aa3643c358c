package task

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// Check is a property of a model's reply that a program can check.
type Check struct {
	Name  string
	Doc   string // one line, for people
	Most  bool   // takes a number of tokens
	Roots bool   // reads below the roots of the role

	// names lists the fields that it checks if the role names none and the output has any
	// of them; otherwise it checks every text.
	names []string
	// says describes what is wrong with a text, in words that can be shown to a model; it
	// returns "" if nothing is.
	says func(ctx context.Context, e *Evidence, text string, most int) string
}

// The consequences of a failed check.
const (
	Drop     = "drop"     // drop the item
	Retry    = "retry"    // ask again once, quoting what failed
	Fallback = "fallback" // use the result without a model
)

// Evidence is what a reply is checked against.
type Evidence struct {
	Shown      string        // the data shown to the model
	Candidates []string      // texts and references of the candidates shown
	Tree       contract.Tree // of the roots that the role may read; nil if there are none

	grounds   *Grounds
	unspaced  string
	untouched bool
}

// Checks lists all checks, by name.
func Checks() []Check {
	return []Check{
		{Name: "candidates", Doc: "is one of the candidates that were shown", says: isCandidate},
		{Name: "grounded", Doc: "identifiers and numbers stand in what was shown", says: isGrounded},
		{Name: "quotes", Doc: "quotes stand verbatim in what was shown", names: []string{"quote", "quotes"}, says: isQuoted},
		{Name: "references", Doc: "references resolve", Roots: true, names: []string{"reference", "references", "ref", "refs"}, says: isReference},
		{Name: "tokens", Doc: "has no more than `most` tokens", Most: true, says: isShort},
	}
}

// CheckNamed returns the check with the given name.
func CheckNamed(name string) (Check, bool) {
	list := Checks()
	i := slices.IndexFunc(list, func(c Check) bool { return c.Name == name })
	if i < 0 {
		return Check{}, false
	}
	return list[i], true
}

// Texts lists the fields of an output that hold texts, with a dotted path for nested ones: "issues.quote".
func Texts(out *schema.Schema) []string { return textsOf(out, "") }

func textsOf(s *schema.Schema, path string) []string {
	for s != nil && s.Type == schema.Array {
		s = s.Items
	}
	switch {
	case s == nil:
		return nil
	case path != "" && (s.Type == schema.String && len(s.Enum) == 0 || s.Open != nil):
		return []string{path}
	}
	var out []string
	for _, f := range s.Fields {
		at := f.Name
		if path != "" {
			at = path + "." + f.Name
		}
		out = append(out, textsOf(f.Schema, at)...)
	}
	return out
}

// Among selects from an output's texts those that the check looks at if the role names none.
func (c Check) Among(texts []string) []string {
	var own []string
	for _, path := range texts {
		if slices.Contains(c.names, path[strings.LastIndexByte(path, '.')+1:]) {
			own = append(own, path)
		}
	}
	if len(own) > 0 {
		return own
	}
	return texts
}

func isCandidate(_ context.Context, e *Evidence, text string, _ int) string {
	if slices.Contains(e.Candidates, text) {
		return ""
	}
	return "is none of the candidates"
}

func isGrounded(_ context.Context, e *Evidence, text string, _ int) string {
	if e.grounds == nil {
		e.grounds = NewGrounds("", "", e.Shown)
	}
	if part := e.grounds.firstUnknown(text); part != "" {
		return "says " + part + ", which stands nowhere in the data"
	}
	return ""
}

// isQuoted ignores differences in white space and quotation marks around a quote.
func isQuoted(_ context.Context, e *Evidence, text string, _ int) string {
	if !e.untouched {
		e.unspaced, e.untouched = normalizeSpace(sanitize.Neutral(e.Shown)), true
	}
	text = strings.TrimSpace(strings.Trim(normalizeSpace(sanitize.Neutral(text)), "\"'`“”„…"))
	if text == "" || !strings.Contains(e.unspaced, text) {
		return "does not stand in the data letter by letter"
	}
	return ""
}

func normalizeSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

func isReference(ctx context.Context, e *Evidence, text string, _ int) string {
	if e.Tree == nil {
		return "leads nowhere: there are no files"
	}
	if contract.Resolves(ctx, e.Tree, contract.ParseReference(text)) != nil {
		return "leads nowhere"
	}
	return ""
}

func isShort(_ context.Context, _ *Evidence, text string, most int) string {
	if most <= 0 || tokens.Fits(text, most) {
		return ""
	}
	return fmt.Sprintf("is longer than %d tokens", most)
}
