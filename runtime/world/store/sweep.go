package store

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// unfinished matches the names of files that create works on.
var unfinished = lazyregexp.New(`^\.new-[0-9]+\.db(-wal|-shm|-journal)?$`)

// forgottenAfter is the age at which such a file is abandoned: creating one takes milliseconds.
const forgottenAfter = time.Hour

// sweepUnfinished removes files of processes that were killed while creating a store. It only removes files that are certainly
// such, judging by name, content and age; the age counts in both directions, since the clock may have jumped.
func sweepUnfinished(dir string, now time.Time) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range list {
		if !unfinished.MatchString(entry.Name()) {
			continue
		}
		info, err := entry.Info()
		if err != nil || checkPlain(info) != nil || info.Mode().Perm()&0o077 != 0 && ownerOnly || now.Sub(info.ModTime()).Abs() < forgottenAfter {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if isJournal(path) || isBegun(path) {
			_ = os.Remove(path)
		}
	}
}

// isJournal reports whether path is a journal whose database is missing or ours.
func isJournal(path string) bool {
	for _, suffix := range journals {
		if file, ok := strings.CutSuffix(path, suffix); ok {
			_, err := os.Lstat(file)
			return os.IsNotExist(err) || isBegun(file)
		}
	}
	return false
}

// isBegun reports whether a file is a store, or an unfinished one.
func isBegun(path string) bool {
	head, size, err := headOf(path)
	if err != nil {
		return false
	}
	if size == 0 {
		return true
	}
	if len(head) < headerSize || !bytes.HasPrefix(head, magic) {
		return false
	}
	id := binary.BigEndian.Uint32(head[applicationAt:])
	return id == applicationID || id == 0 && binary.BigEndian.Uint32(head[versionAt:]) == 0
}
