package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Renew opens a store like Open. A damaged one is moved aside and replaced by a new one. moved is the new place of
// the old file, or the schema with the old tables; "" if nothing was damaged. All approvals must be given again: call
// Renew only at the user's request, while no other process uses the store.
func Renew(ctx context.Context, url string) (s *Store, moved string, err error) {
	if OnServer(url) {
		return renewServer(ctx, url)
	}
	s, err = Open(ctx, url)
	var damage *Error
	if !errors.Is(err, ErrDamaged) || !errors.As(err, &damage) {
		return s, "", err
	}
	if moved, err = moveAside(damage.Path); err != nil {
		return nil, "", err
	}
	s, err = Open(ctx, url)
	return s, moved, err
}

// moveAside renames a file and its journals, with the first unused suffix of .damaged-1, .damaged-2 and so on.
func moveAside(path string) (string, error) {
	const most = 1000
	for n := 1; n <= most; n++ {
		target := fmt.Sprintf("%s.damaged-%d", path, n)
		if _, err := os.Lstat(target); err == nil {
			continue
		}
		// The journals first: if the rest fails, the file has lost its last changes,
		// but an old journal is never applied to a new file.
		for _, suffix := range []string{"-wal", "-shm", "-journal"} {
			if err := os.Rename(path+suffix, target+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
				return "", fmt.Errorf("store %s: %w; move it away by hand", path, err)
			}
		}
		if err := os.Rename(path, target); err != nil {
			return "", fmt.Errorf("store %s: %w; move it away by hand", path, err)
		}
		return target, nil
	}
	return "", fmt.Errorf("store %s: there are %d damaged ones in %s; move some away", path, most, filepath.Dir(path))
}
