//go:build unix

package process

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// recordEnd is the extension of a record's file.
const recordEnd = ".groups"

// record is a file with the running groups. Its owner holds a lock on it, which ends with the owner: a file that can be
// locked was left by a crash.
type record struct {
	dir, id string
	file    *os.File
}

func newRecord(dir, id string) *record { return &record{dir: dir, id: id} }

// write replaces the file with one that is complete and locked before it gets its name.
func (r *record) write(trees map[*tree]bool) error {
	if r.dir == "" {
		return nil
	}
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(r.dir, r.id+".*.new")
	if err != nil {
		return err
	}
	var text strings.Builder
	text.WriteString(markLine(r.id))
	for t := range trees {
		text.WriteString(t.addLine())
	}
	_, err = file.WriteString(text.String())
	if err == nil {
		err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	if err == nil {
		err = os.Rename(file.Name(), r.path())
	}
	if err != nil {
		file.Close()
		os.Remove(file.Name())
		return err
	}
	if r.file != nil {
		r.file.Close()
	}
	r.file = file
	return nil
}

func (r *record) path() string { return filepath.Join(r.dir, r.id+recordEnd) }

func (r *record) remove() {
	if r.file != nil {
		os.Remove(r.path())
		r.file.Close()
		r.file = nil
	}
}

// sweep ends the groups in records without an owner, and removes the records.
func sweep(dir string, log *slog.Logger) {
	names, _ := filepath.Glob(filepath.Join(dir, "*"+recordEnd))
	fresh, _ := filepath.Glob(filepath.Join(dir, "*.new"))
	for _, name := range append(names, fresh...) {
		if err := sweepOne(name); err != nil {
			log.Warn("programs of an earlier run", "record", name, "error", err)
		}
	}
}

func sweepOne(name string) error {
	file, err := os.OpenFile(name, os.O_RDWR|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil // removed meanwhile, or not ours
	}
	defer file.Close()
	if unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return nil // its owner is alive
	}
	f, _ := readFamily(file)
	for group, start := range f.groups { // it may be old: only the original leader counts, or the marker
		if start == "" || startOf(group) != start {
			delete(f.groups, group)
		}
	}
	if len(f.mark) < len(newID()) { // truncated: it would match anything
		f.mark = ""
	}
	if err := f.end(guardGrace); err != nil {
		return err
	}
	if err := os.Remove(name); err != nil {
		return fmt.Errorf("it cannot be removed: %w", err)
	}
	return nil
}
