// Package egress is the one way out: what a pipeline made is redacted, what it
// quotes is made harmless, its references are held against the tree, and it is
// cut to the token budget, in this order. Nothing that a client, a terminal or a
// file gets comes from anywhere else.
//
// It knows no job. What goes first where a reply is too long says the type of the
// value, in schema.Trim; whether the value is the whole reply or a part of one that
// an expression made, is all the same.
package egress

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// DefaultTokens is the size of a reply where nobody says otherwise.
const DefaultTokens = 1000

// Filter lets values out. It is safe for concurrent use.
type Filter struct {
	redactor *redact.Redactor
	pages    contract.Tree // what of pages may be referred to; nil for nothing
	library  contract.Tree // documents that may be, where no file below the roots is meant; nil for none
}

// New makes a filter with that redactor.
func New(r *redact.Redactor) *Filter { return &Filter{redactor: r} }

// Citing is the filter for a request that has read pages: references to what of them
// was cited resolve.
func (d *Filter) Citing(pages contract.Tree) *Filter { return &Filter{d.redactor, pages, d.library} }

// Beside is the filter for a request that has searched documents: references to them
// resolve where none below the roots does.
func (d *Filter) Beside(documents contract.Tree) *Filter {
	return &Filter{d.redactor, d.pages, documents}
}

// Out returns the JSON of v as it may leave, in at most tokens tokens (0 is
// DefaultTokens). typ is what is known of its type, nil for nothing: what has an
// order of cutting is cut by it, and the rest loses the ends of its longest lists.
// remarks are on the call itself; they are noted where the value has a place for them.
func (d *Filter) Out(ctx context.Context, v any, typ *schema.Schema, roots *sandbox.Set, tokens int, remarks ...string) (out json.RawMessage, err error) {
	if tokens <= 0 {
		tokens = DefaultTokens
	}
	raw, err := rawjson.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("reply of type %T has no JSON form: %w", v, err)
	}
	if _, ok := v.(contract.Whole); ok { // what a server said: of its text no word is taken apart
		raw, _, err = d.redactor.JSON(ctx, raw, redact.Frame{Clean: sanitize.Controls, Message: true})
		return raw, withheld(err)
	}
	raw, found, err := d.redactor.JSON(ctx, raw, redact.Frame{Clean: sanitize.Text})
	if err != nil {
		return nil, withheld(err)
	}
	n, err := parse(raw)
	if err != nil {
		return nil, err
	}
	dropped := verify(ctx, newTree(roots, d.pages, d.library), n)
	list := trims(n, typ)
	for _, t := range list {
		t.count(t.s.Trim.Masked, found)
		t.count(t.s.Trim.Dropped, dropped)
	}
	for _, text := range remarks {
		remark(n, list, d.Line(text))
	}
	defer cutting(ctx, n.json, &out)()
	fit(n, list, tokens)
	return shrink(n, tokens), nil
}

// withheld says that a reply does not leave, and why.
func withheld(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the reply is withheld: %w", err)
}

// Text masks a text that stays inside: a prompt, say.
func (d *Filter) Text(s string) string {
	s, _ = d.redactor.Redact(s)
	return s
}

// Line is a text as it may leave by itself, in an error or a log: masked, and
// with nothing in it that its reader would obey.
func (d *Filter) Line(s string) string {
	s = d.Text(s)
	if clean := sanitize.Text(s); clean != s {
		return d.Text(clean)
	}
	return s
}

// verify drops the entries of every "references" list that do not resolve.
func verify(ctx context.Context, tree contract.Tree, n *node) (dropped int) {
	n.visit(func(key string, list *node) {
		if key != "references" || list.delim != '[' {
			return
		}
		kept := list.kids[:0]
		for _, k := range list.kids {
			if k.isStr && contract.Resolves(ctx, tree, contract.ParseReference(k.text)) != nil {
				dropped++
				continue
			}
			kept = append(kept, k)
		}
		list.kids = kept
	})
	return dropped
}
