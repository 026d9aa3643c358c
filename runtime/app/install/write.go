package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/compactor-mcp/compactor/runtime/gateway/clients"
)

// Write puts the entry into a client's file and keeps everything else byte for byte.
// What the user has added to an entry of that name stays. The old file is kept with the
// suffix .bak. changed reports whether anything had to be written.
func Write(c clients.Client, path, name string, e Entry) (changed bool, err error) {
	return rewrite(c, path, func(old []byte) ([]byte, error) {
		f := fileOf(c)
		next, err := f.put(old, name, e)
		if err == nil {
			err = checkEdit(f, old, next, c.Key, name, e.fields())
		}
		return next, err
	})
}

// Remove removes the entry, and reports whether it was there.
func Remove(c clients.Client, path, name string) (changed bool, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return rewrite(c, path, func(old []byte) ([]byte, error) {
		f := fileOf(c)
		next, err := f.remove(old, name)
		if err == nil {
			err = checkEdit(f, old, next, c.Key, name, nil)
		}
		return next, err
	})
}

// file edits and decodes one file format.
type file interface {
	put(old []byte, name string, e Entry) ([]byte, error)
	remove(old []byte, name string) ([]byte, error)
	decode(text []byte) (map[string]any, error)
}

func fileOf(c clients.Client) file {
	if c.Format == clients.TOML {
		return tomlFile{c.Key}
	}
	return jsonFile{c.Key}
}

// Size limits of files: Claude Code's file also holds its history, and TOML keys can
// nest without limit.
const (
	maxFile = 64 << 20
	maxTOML = 1 << 20
)

var (
	bom   = []byte("\ufeff")
	utf16 = [][]byte{[]byte("\xff\xfe"), []byte("\xfe\xff")}
)

func rewrite(c clients.Client, path string, edit func([]byte) ([]byte, error)) (changed bool, err error) {
	if info, err := os.Stat(path); err == nil && (!info.Mode().IsRegular() || info.Size() > maxFile) {
		return false, fmt.Errorf("%s: is not a file of less than 64 MiB, and none that %s would read", path, c.Title)
	}
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if c.Format == clients.TOML && len(old) > maxTOML {
		return false, fmt.Errorf("%s: is larger than 1 MiB; change it by hand (--print shows the entry)", path)
	}
	for _, mark := range utf16 {
		if bytes.HasPrefix(old, mark) {
			return false, fmt.Errorf("%s: is UTF-16; save it as UTF-8, which %s reads", path, c.Title)
		}
	}
	text, marked := bytes.CutPrefix(old, bom)
	next, err := edit(text)
	if err != nil {
		return false, fmt.Errorf("%s: %w; nothing was changed: mend the file, or change it by hand (--print shows the entry)", path, err)
	}
	if bytes.Equal(text, next) {
		return false, nil
	}
	if marked {
		next = append(bytes.Clone(bom), next...)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return false, err
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if len(old) > 0 {
		if err := writeAtomic(path+".bak", old, mode); err != nil {
			return false, err
		}
	}
	return true, replace(path, next, mode)
}

// Replace atomically writes a file that only the user can read: a power failure leaves the old content or the new. If
// path is a link, its target is replaced.
func Replace(path string, data []byte) error { return replace(path, data, 0o600) }

func replace(path string, data []byte, mode fs.FileMode) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return writeAtomic(path, data, mode)
}

// KeepOld saves the previous content of a file next to it, with the suffix .bak. A link of that name is replaced and
// not followed, since its target must not change.
func KeepOld(path string, data []byte) error { return writeAtomic(path+".bak", data, 0o600) }

func writeAtomic(path string, data []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".compactor-*.tmp") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if mode != 0o600 && runtime.GOOS != "windows" {
		err = errors.Join(err, f.Chmod(mode))
	}
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// newline returns the line ending of a text.
func newline(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}
