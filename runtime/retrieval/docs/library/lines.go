package library

import (
	"context"
	"strings"
)

// Lines returns the number of lines in the text of a document, to check references. The address
// must be one as a search returns it; shorter forms are unknown.
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
