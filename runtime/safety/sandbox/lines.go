package sandbox

import (
	"bytes"
	"context"
	"errors"
)

var errNoRoots = errors.New("no root was searched")

// Lines returns the number of lines of the file that a reference names; 0 for a
// directory, which has none but may be referred to. buf is where the text is read
// to, and is returned for the next file.
func (s *Set) Lines(ctx context.Context, ref string, buf []byte) (n int, _ []byte, err error) {
	if s == nil {
		return 0, buf, errNoRoots
	}
	root, rel, err := s.Resolve(ref)
	if err != nil {
		return 0, buf, err
	}
	if e, err := root.Stat(rel); err != nil || e.Dir {
		return 0, buf, err
	}
	data, err := root.ReadFile(ctx, rel, buf)
	if err != nil {
		return 0, buf, err
	}
	n = bytes.Count(data, []byte{'\n'})
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n, data, nil
}
