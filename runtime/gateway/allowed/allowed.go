// Package allowed remembers which servers of a directory's own configuration
// its user lets start. Who clones a repository gets its .compactor with it, and
// must not start its programs, or send its keys anywhere, by looking around in it.
package allowed

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"compactor/runtime/install"
)

// List is a file that holds, for each directory, digests of how servers are
// reached. It is read at each look: another process may have written it.
type List struct {
	path string // "" allows nothing
}

// In is the list of a state directory.
func In(state string) List {
	if state == "" {
		return List{}
	}
	return List{filepath.Join(state, "allowed.json")}
}

// Has reports whether a server of a directory may be reached as its digest says.
func (l List) Has(dir, digest string) bool {
	of, err := l.read()
	return err == nil && slices.Contains(of[real(dir)], digest)
}

// Add allows servers of a directory, beside those that are allowed already.
func (l List) Add(dir string, digests ...string) error {
	if l.path == "" {
		return errors.New("there is no state directory that could remember it: name the configuration with --config")
	}
	of, err := l.read()
	if err != nil {
		return err
	}
	dir = real(dir)
	for _, d := range digests {
		if !slices.Contains(of[dir], d) {
			of[dir] = append(of[dir], d)
		}
	}
	data, err := json.MarshalIndent(of, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	return install.Replace(l.path, append(data, '\n'))
}

func (l List) read() (map[string][]string, error) {
	of := map[string][]string{}
	data, err := os.ReadFile(l.path)
	if l.path == "" || errors.Is(err, fs.ErrNotExist) {
		return of, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &of); err != nil || of == nil {
		return nil, fmt.Errorf("%s is damaged: remove it, and allow the servers again", l.path)
	}
	return of, nil
}

// real is the directory itself, whatever link or name leads to it.
func real(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if path, err := filepath.EvalSymlinks(dir); err == nil {
		dir = path
	}
	return dir
}
