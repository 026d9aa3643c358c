package contract

import (
	"context"
	"errors"
	"fmt"
)

// Tree knows the files that references are checked against.
type Tree interface {
	// Lines returns the number of lines of the file that a reference names; an error if
	// there is no such file below the roots, or it cannot be read.
	Lines(ctx context.Context, path string) (int, error)
}

// Resolves returns what is wrong with a reference, or nil if one of its readings
// resolves.
func Resolves(ctx context.Context, tree Tree, r Reference) error {
	if r.Path == "" {
		return errors.New("the reference is empty")
	}
	var first error
	for _, reading := range Readings(r.String()) {
		err := checkReading(ctx, tree, reading)
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

func checkReading(ctx context.Context, tree Tree, r Reference) error {
	n, err := tree.Lines(ctx, r.Path)
	if err != nil {
		return err
	}
	if r.Line > max(n, 1) {
		return fmt.Errorf("%s has %d lines", r.Path, n)
	}
	return nil
}
