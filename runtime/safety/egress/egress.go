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

// DefaultTokens is the size of a reply for which no limit is given.
const DefaultTokens = 1000

// Filter lets values out. It is safe for concurrent use.
type Filter struct {
	redactor *redact.Redactor
	pages    contract.Tree // pages that may be referred to; nil if there are none
	library  contract.Tree // documents to try for a path that is not a file below the roots; nil if there are none
}

// New returns a filter that redacts with r.
func New(r *redact.Redactor) *Filter { return &Filter{redactor: r} }

// WithCitations returns a filter for a request that has read pages: references to the parts of them that were cited
// resolve.
func (d *Filter) WithCitations(pages contract.Tree) *Filter {
	return &Filter{d.redactor, pages, d.library}
}

// Beside returns a filter for a request that has searched documents: a reference that does not resolve below the
// roots may resolve to one of them.
func (d *Filter) Beside(documents contract.Tree) *Filter {
	return &Filter{d.redactor, d.pages, documents}
}

// Apply returns v as JSON that is safe to send, in at most tokens tokens (0 means DefaultTokens). typ is the type of
// v as far as it is known, and may be nil: values whose type has a cutting order are cut by it, and the rest loses
// the ends of its longest lists. Remarks on the call itself are added where the value has a member for them.
func (d *Filter) Apply(ctx context.Context, v any, typ *schema.Schema, roots *sandbox.Set, tokens int, remarks ...string) (out json.RawMessage, err error) {
	if tokens <= 0 {
		tokens = DefaultTokens
	}
	raw, err := rawjson.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("reply of type %T has no JSON form: %w", v, err)
	}
	if _, ok := v.(contract.Whole); ok { // a server's own answer: it is not cut, and chat tokens in it are not broken
		raw, _, err = d.redactor.JSON(ctx, raw, redact.Frame{Clean: sanitize.Controls, Message: true})
		return raw, wrapWithheld(err)
	}
	raw, found, err := d.redactor.JSON(ctx, raw, redact.Frame{Clean: sanitize.Text})
	if err != nil {
		return nil, wrapWithheld(err)
	}
	n, err := parse(raw)
	if err != nil {
		return nil, err
	}
	dropped := dropUnresolved(ctx, newTree(roots, d.pages, d.library), n)
	list := findTrimmed(n, typ)
	for _, t := range list {
		t.addCount(t.s.Trim.Masked, found)
		t.addCount(t.s.Trim.Dropped, dropped)
	}
	for _, text := range remarks {
		addRemark(n, list, d.Line(text))
	}
	defer watchCut(ctx, n.json, &out)()
	fitToTokens(n, list, tokens)
	return shrink(n, tokens), nil
}

// wrapWithheld wraps the error for which a reply is not sent; nil stays nil.
func wrapWithheld(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the reply is withheld: %w", err)
}

// Text masks secrets in a text that stays inside, such as a prompt.
func (d *Filter) Text(s string) string {
	s, _ = d.redactor.Redact(s)
	return s
}

// Line prepares a text that is sent on its own, in an error or a log: secrets are masked, and anything that its
// reader might obey is removed or broken.
func (d *Filter) Line(s string) string {
	s = d.Text(s)
	if clean := sanitize.Text(s); clean != s {
		return d.Text(clean)
	}
	return s
}

// dropUnresolved drops the entries of every "references" list that do not resolve.
func dropUnresolved(ctx context.Context, tree contract.Tree, n *node) (dropped int) {
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
