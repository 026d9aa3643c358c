package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Renew opens a store like Open; one that is damaged is moved aside and a new one begun. moved is where the old file is
// now, or which schema has the old tables, "" when it was sound. The approvals in it have to be given again: call it only
// when the user asks for it, while no other process uses the file.
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

// moveAside renames a file and its journals to the first free of file.damaged-1, -2, …
func moveAside(path string) (string, error) {
	const most = 1000
	for n := 1; n <= most; n++ {
		target := fmt.Sprintf("%s.damaged-%d", path, n)
		if _, err := os.Lstat(target); err == nil {
			continue
		}
		// The journals first: should the rest not happen, the file has lost its last changes, but no new file meets an
		// old journal.
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
