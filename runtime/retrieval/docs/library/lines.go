package library

import (
	"context"
	"strings"
)

// Lines makes a set what references to its documents are held against: an address as a
// search gives it, and no shorter form, has the lines of its text.
func (s Set) Lines(ctx context.Context, address string) (int, error) {
	at, _, err := s.locate(ctx, address)
	if err == nil && at.URI != address {
		err = ErrUnknown
	}
	if err != nil {
		return 0, err
	}
	return strings.Count(strings.TrimSuffix(at.Text, "\n"), "\n") + 1, nil
}
