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

// unfinished are the names of files that create works on.
var unfinished = lazyregexp.New(`^\.new-[0-9]+\.db(-wal|-shm|-journal)?$`)

// forgottenAfter is when nobody works on such a file any more: it takes milliseconds.
const forgottenAfter = time.Hour

// sweep removes what processes left that were killed while they made a store. Only what is certainly that goes: by name,
// by what is in it, and old by a clock that may have jumped either way.
func sweep(dir string, now time.Time) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range list {
		if !unfinished.MatchString(entry.Name()) {
			continue
		}
		info, err := entry.Info()
		if err != nil || plain(info) != nil || info.Mode().Perm()&0o077 != 0 && ownerOnly || now.Sub(info.ModTime()).Abs() < forgottenAfter {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if isJournal(path) || begun(path) {
			_ = os.Remove(path)
		}
	}
}

// isJournal reports a journal whose file is gone, or is ours.
func isJournal(path string) bool {
	for _, suffix := range journals {
		if file, ok := strings.CutSuffix(path, suffix); ok {
			_, err := os.Lstat(file)
			return os.IsNotExist(err) || begun(file)
		}
	}
	return false
}

// begun reports a file that is a store, or may become one.
func begun(path string) bool {
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
