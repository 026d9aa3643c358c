package library

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Digest reads the whole collection and returns a digest of its contents: the documents, their
// texts and passages, and the postings of the existing passages. It is the same for the same files,
// whatever happened on the way: it does not depend on which segments the postings are in, nor on
// when the space was learnt.
func (l *Library) Digest(ctx context.Context) (sum string, err error) {
	err = l.view(ctx, func(v View, at *loaded) error {
		h := sha256.New()
		for _, d := range at.docs {
			c, err := v.Content(ctx, d.Content)
			if err != nil {
				return fmt.Errorf("%s: %w", d.URI, err)
			}
			if len(c.Chunks) != d.Chunks {
				return fmt.Errorf("%s has %d passages, and the index %d", d.URI, len(c.Chunks), d.Chunks)
			}
			fmt.Fprintln(h, digest(d.URI, d.ID, d.Version, d.Content, d.Kind, d.Title, c.Text), c.Tags, c.Chunks)
		}
		fmt.Fprintln(h, at.index.Digest())
		sum = hex.EncodeToString(h.Sum(nil))
		return nil
	})
	return sum, err
}
