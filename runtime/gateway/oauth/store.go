package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Store keeps logins in a directory that only its user can read: one file each, replaced as a whole, and a lock file
// next to it, because other processes renew tokens too.
type Store struct {
	dir  string
	ring Ring
}

// Ring stores secrets by name, as the system's keyring does.
type Ring interface {
	Get(name string) (string, error)
	Set(name, value string) error
	Delete(name string) error
}

// Open returns the store in a directory, created on first write. With a nil ring, secrets are kept in the files.
func Open(dir string, ring Ring) *Store { return &Store{dir: dir, ring: ring} }

// InFiles returns the same store, which keeps new secrets in its files.
func (s *Store) InFiles() *Store { return &Store{dir: s.dir, ring: fileRing{s.ring}} }

// fileRing reads from a keyring, and stores nothing new.
type fileRing struct{ Ring }

var errFull = errors.New("nothing new is kept there")

// Set always fails.
func (fileRing) Set(string, string) error { return errFull }

// Get reads from the keyring, if there is one.
func (r fileRing) Get(name string) (string, error) {
	if r.Ring == nil {
		return "", errFull
	}
	return r.Ring.Get(name)
}

// Delete deletes from the keyring, if there is one.
func (r fileRing) Delete(name string) error {
	if r.Ring == nil {
		return nil
	}
	return r.Ring.Delete(name)
}

// State returns the login of a server, without asking the user or the keyring.
func (s *Store) State(of Server) State {
	r, err := s.readFile(of.loginKey())
	if err != nil {
		return State{Needed: err.Error()}
	}
	if r == nil {
		return State{}
	}
	return r.state()
}

func (s *Store) path(key string) string { return filepath.Join(s.dir, key+".json") }

// stamp distinguishes versions of a login's file.
type stamp struct {
	time time.Time
	size int64
}

func (s *Store) stamp(key string) stamp {
	info, err := os.Lstat(s.path(key))
	if err != nil {
		return stamp{}
	}
	return stamp{info.ModTime(), info.Size()}
}

const maxRecord = 256 << 10

// readFile reads the file of a login; nil for none. It refuses a link, and a file that others could have read.
func (s *Store) readFile(key string) (*record, error) {
	path := s.path(key)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is a link or no file, and not followed: remove it", path)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("%s can be read by others (mode %#o): remove it, and take its login back at the server", path, info.Mode().Perm())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		if err == nil && opened.Mode().IsRegular() {
			f.Close()
			return s.readFile(key) // it was replaced meanwhile
		}
		return nil, errors.Join(err, fmt.Errorf("%s is not a file", path))
	}
	data, err := io.ReadAll(io.LimitReader(f, maxRecord))
	if err != nil {
		return nil, err
	}
	r := &record{}
	if json.Unmarshal(data, r) != nil {
		return nil, fmt.Errorf("%s is damaged: remove it", path)
	}
	return r, nil
}

// read reads a login with its secrets, wherever they are stored.
func (s *Store) read(key string) (*record, error) {
	r, err := s.readFile(key)
	if r == nil || err != nil {
		return nil, err
	}
	if r.Secrets == nil {
		r.Secrets = &secrets{}
	}
	if !r.Keyring || r.Needed != "" {
		return r, nil
	}
	if s.ring == nil {
		return nil, errors.New("its login is in the system's keyring, which cannot be asked here: log in again with --file, or start compactor where there is a keyring")
	}
	text, err := s.ring.Get(key)
	if err == nil {
		err = json.Unmarshal([]byte(text), r.Secrets)
	}
	if err != nil {
		return nil, errors.New("its login is in the system's keyring, which does not give it: unlock it, or log in again with --file")
	}
	return r, nil
}

// write stores a login, with its secrets in the keyring if that accepts them. The caller holds the login's lock.
func (s *Store) write(key string, r *record) error {
	if err := s.ensureDir(); err != nil {
		return err
	}
	kept := *r
	kept.Keyring = false
	if s.ring != nil {
		text, err := json.Marshal(r.Secrets)
		if err != nil {
			return err
		}
		if s.ring.Set(key, string(text)) == nil {
			kept.Keyring, kept.Secrets = true, nil
		} else if r.Keyring {
			_ = s.ring.Delete(key)
		}
	}
	r.Keyring = kept.Keyring
	data, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return err
	}
	return s.replace(key, append(data, '\n'))
}

// ensureDir creates the directory, and makes sure that only its user can read it. It refuses a link in its place.
func (s *Store) ensureDir() error {
	if s.dir == "" {
		return errors.New("there is no state directory that could keep a login: set HOME, or XDG_STATE_HOME")
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(s.dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is a link or no directory: remove it", s.dir)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return os.Chmod(s.dir, 0o700)
	}
	return nil
}

// replace writes a file atomically. A link of that name is replaced, not followed.
func (s *Store) replace(key string, data []byte) error {
	f, err := os.CreateTemp(s.dir, key+".*.new") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), s.path(key))
}

// remove deletes a login. The caller holds its lock.
func (s *Store) remove(key string, r *record) error {
	if r != nil && r.Keyring && s.ring != nil {
		_ = s.ring.Delete(key)
	}
	err := os.Remove(s.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

const lockEvery = 20 * time.Millisecond

// withLock runs fn while no other process does so for the same login.
func (s *Store) withLock(ctx context.Context, key string, fn func() error) error {
	if err := s.ensureDir(); err != nil {
		return err
	}
	path := filepath.Join(s.dir, key+".lock")
	f, err := openLock(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer f.Close() // and the lock with it
	for !tryLock(f) {
		select {
		case <-time.After(lockEvery):
		case <-ctx.Done():
			return fmt.Errorf("another compactor is renewing this login and does not end: %w", ctx.Err())
		}
	}
	return fn()
}
