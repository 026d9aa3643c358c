package consent

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/install"
)

// List is a file that maps the real path of each configuration directory to digests of
// what its user has allowed. It is read at each use, as another process may have
// written it. It is a separate file and not a table of the store, because it is read
// before anything is opened, and a project must not choose its location.
type List struct {
	path string // "" allows nothing
}

// Allowed returns the list in a state directory. If state is "" or relative, the list
// allows nothing: a relative path would depend on where compactor is started.
func Allowed(state string) List {
	if !filepath.IsAbs(state) {
		return List{}
	}
	return List{filepath.Join(state, "allowed.json")}
}

// Path returns the path of the file, or "" if the list allows nothing.
func (l List) Path() string { return l.path }

// Has reports whether the item with this digest was allowed for the configuration directory dir.
func (l List) Has(dir, digest string) bool {
	of, err := l.read()
	return err == nil && slices.Contains(of[Real(dir)], digest)
}

// maxDigests limits the digests kept per directory; the newest are kept. Several are
// kept because branches differ, and going back to one should not require consent again.
const maxDigests = 512

// Add allows the items of reach for dir, in addition to what is allowed already.
func (l List) Add(dir string, reach *Effects) error {
	if l.path == "" {
		return errors.New("there is no state directory that could remember what you allow: set HOME, or XDG_STATE_HOME")
	}
	return l.changeLocked(func(of map[string][]string) bool {
		dir := Real(dir)
		list := of[dir]
		for _, item := range reach.Items {
			list = append(slices.DeleteFunc(list, func(d string) bool { return d == item.Digest }), item.Digest)
		}
		of[dir] = list[max(0, len(list)-maxDigests):]
		return true
	})
}

// Forget withdraws all that was allowed for a directory, and reports whether anything was.
func (l List) Forget(dir string) (had bool, err error) {
	if l.path == "" {
		return false, nil
	}
	err = l.changeLocked(func(of map[string][]string) bool {
		had = len(of[Real(dir)]) > 0
		delete(of, Real(dir))
		return had
	})
	return had && err == nil, err
}

// lockAge is the age at which a lock is stale: the process that holds it must have died.
const lockAge = 20 * time.Second

// lockWait limits the wait for the lock. It is a variable for tests.
var lockWait = 5 * time.Second

// changeLocked edits the list under a lock between processes. Otherwise a process that had
// read the list earlier could restore what another one has withdrawn since.
func (l List) changeLocked(edit func(of map[string][]string) bool) error {
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	lock := l.path + ".lock"
	for end := time.Now().Add(lockWait); ; time.Sleep(10 * time.Millisecond) {
		f, err := os.OpenFile(lock, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			_ = f.Close()
			break
		}
		if info, old := os.Stat(lock); old == nil && time.Since(info.ModTime()) > lockAge {
			_ = os.Remove(lock)
		}
		if time.Now().After(end) {
			return fmt.Errorf("another compactor is writing %s; try again, or remove %s if there is none: %w", l.path, lock, err)
		}
	}
	defer os.Remove(lock)
	of, err := l.read()
	if err != nil || !edit(of) {
		return err
	}
	return l.write(of)
}

func (l List) write(of map[string][]string) error {
	data, err := json.MarshalIndent(of, "", "  ")
	if err != nil {
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
		return nil, fmt.Errorf("%s is damaged: remove it, and allow again what you trust", l.path)
	}
	return of, nil
}
