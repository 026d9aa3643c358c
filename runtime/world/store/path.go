package store

import (
	"path/filepath"
	"runtime"
	"strings"
)

// defaultName is the default file name of the store.
const defaultName = "compactor.db"

// DefaultPath returns the default place of the store: $XDG_STATE_HOME/compactor/compactor.db, or below ~/.local/state
// without that variable; on macOS below ~/Library/Application Support; on Windows below %LOCALAPPDATA%. It is "" if
// the environment does not name the home directory.
func DefaultPath(getenv func(string) string) string {
	dir := stateDir(runtime.GOOS, getenv)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "compactor", defaultName)
}

func stateDir(system string, getenv func(string) string) string {
	below := func(variable string, parts ...string) string {
		if base := getenv(variable); base != "" {
			return strings.Join(append([]string{base}, parts...), "/")
		}
		return ""
	}
	switch system {
	case "windows":
		if dir := below("LOCALAPPDATA"); dir != "" {
			return dir
		}
		return below("USERPROFILE", "AppData", "Local")
	case "darwin", "ios":
		return below("HOME", "Library", "Application Support")
	}
	if dir := getenv("XDG_STATE_HOME"); strings.HasPrefix(dir, "/") { // the standard says to ignore a relative one
		return dir
	}
	return below("HOME", ".local", "state")
}

// Suffixes of the files next to the store.
const (
	usageEnding    = "-usage.db"
	timelineEnding = "-timeline.db"
)

// fileBeside returns the file with a suffix next to the store at url, or "" for a store in memory. A database server
// keeps everything in one place, so its url is returned unchanged.
func fileBeside(url, ending string) string {
	if OnServer(url) {
		return url
	}
	scheme, place := splitURL(url)
	if scheme != "sqlite" || place == "" || place == ":memory:" {
		return ""
	}
	return strings.TrimSuffix(place, ".db") + ending
}
