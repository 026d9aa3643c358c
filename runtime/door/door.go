// Package door is the one way out: what a pipeline made is redacted, its
// references are held against the tree, and it is cut to the token budget, in
// this order. Nothing that a client, a terminal or a file gets comes from
// anywhere else.
package door

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"compactor/runtime/contract"
	"compactor/runtime/sandbox"
)

// DefaultTokens is the size of a reply where nobody says otherwise.
const DefaultTokens = 1000

// Mask masks the secrets of one string and says how many it found.
type Mask func(text string) (masked string, found int)

// Door lets values out. It is safe for concurrent use.
type Door struct{ mask Mask }

// New makes a door with that redactor.
func New(mask Mask) *Door { return &Door{mask: mask} }

// Out returns the JSON of v as it may leave, in at most tokens tokens (0 is
// DefaultTokens). A contract.Report is cut by the worth of its parts; any
// other value loses the ends of its longest lists.
func (d *Door) Out(ctx context.Context, v any, roots *sandbox.Set, tokens int) (json.RawMessage, error) {
	if tokens <= 0 {
		tokens = DefaultTokens
	}
	raw, err := marshal(v)
	if err != nil {
		return nil, fmt.Errorf("reply of type %T has no JSON form: %w", v, err)
	}
	n, err := parse(raw)
	if err != nil {
		return nil, err
	}
	found := 0
	n.eachString(func(s string) string {
		masked, k := d.mask(s)
		found += k
		return masked
	})
	if _, ok := v.(contract.Whole); ok {
		return n.json(), nil
	}
	dropped := verify(ctx, newTree(roots), n)
	if _, ok := v.(contract.Report); !ok {
		return shrink(n, tokens), nil
	}
	var r contract.Report
	if err := json.Unmarshal(n.json(), &r); err != nil {
		return nil, fmt.Errorf("report after masking: %w", err)
	}
	r.Meta.Redacted += found
	r.Meta.Dropped += dropped
	fit(&r, tokens)
	return marshal(r)
}

// Text masks a line for a log, an error or a terminal.
func (d *Door) Text(s string) string {
	s, _ = d.mask(s)
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

// marshal is encoding/json without the escaping of <, > and &, which costs
// tokens and helps nobody outside HTML.
func marshal(v any) (json.RawMessage, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(buf.Bytes(), "\n"), nil
}
