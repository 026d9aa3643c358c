package sandbox

import (
	"bytes"
	"context"
	"errors"
)

var errNoRoots = errors.New("no root was searched")

// Lines returns the number of lines of the file that a reference names, or 0 for a directory, which has no lines but
// may be referred to. The text is read into buf, which is returned for use with the next file.
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
