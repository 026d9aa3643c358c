package task

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/quote"
	"github.com/compactor-mcp/compactor/runtime/tokens"
)

// Check is what a program can check of a model's reply.
type Check struct {
	Name  string
	Doc   string // one line, for people
	Most  bool   // takes a number of tokens
	Roots bool   // looks below the roots of the role

	// fields are the names of those that it looks at where the role names none; nil is
	// every text.
	fields []string
	// says tells what is wrong with a text, in words that can be put before a model;
	// "" where nothing is.
	says func(ctx context.Context, e *Evidence, text string, most int) string
}

// The outcomes of a check that failed.
const (
	Drop     = "drop"     // the item
	Retry    = "retry"    // once, quoting what failed
	Fallback = "fallback" // what stands there without a model
)

// Evidence is what a reply is held against.
type Evidence struct {
	Shown      string        // the data that was put before the model
	Candidates []string      // texts of those that were shown, and their references
	Tree       contract.Tree // of the roots that the role may read; nil where there are none

	grounds   *Grounds
	unspaced  string
	untouched bool
}

// Checks lists all checks, by name.
func Checks() []Check {
	return []Check{
		{Name: "candidates", Doc: "is one of the candidates that were shown", says: isCandidate},
		{Name: "grounded", Doc: "identifiers and numbers stand in what was shown", says: isGrounded},
		{Name: "quotes", Doc: "quotes stand verbatim in what was shown", fields: []string{"quote", "quotes"}, says: isQuoted},
		{Name: "references", Doc: "references resolve", Roots: true, fields: []string{"reference", "references", "ref", "refs"}, says: resolves},
		{Name: "tokens", Doc: "has most tokens at most", Most: true, says: isShort},
	}
}

// CheckNamed returns the check of that name.
func CheckNamed(name string) (Check, bool) {
	list := Checks()
	i := slices.IndexFunc(list, func(c Check) bool { return c.Name == name })
	if i < 0 {
		return Check{}, false
	}
	return list[i], true
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
	if part := e.grounds.unknown(text); part != "" {
		return "says " + part + ", which stands nowhere in the data"
	}
	return ""
}

// isQuoted takes no notice of how white space stands, and of marks around a quote.
func isQuoted(_ context.Context, e *Evidence, text string, _ int) string {
	if !e.untouched {
		e.unspaced, e.untouched = spaced(quote.Neutral(e.Shown)), true
	}
	text = strings.TrimSpace(strings.Trim(spaced(quote.Neutral(text)), "\"'`“”„…"))
	if text == "" || !strings.Contains(e.unspaced, text) {
		return "does not stand in the data letter by letter"
	}
	return ""
}

func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

func resolves(ctx context.Context, e *Evidence, text string, _ int) string {
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
