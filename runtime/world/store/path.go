package store

import (
	"path/filepath"
	"runtime"
	"strings"
)

// defaultName is what the store is called when nobody names it.
const defaultName = "compactor.db"

// DefaultPath is where the store goes when nobody names a place: $XDG_STATE_HOME/compactor/compactor.db, else
// ~/.local/state; on macOS ~/Library/Application Support; on Windows %LOCALAPPDATA%. It is "" when the environment does
// not say where the home is.
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

// The names of files beside the store end like this.
const (
	usageEnding    = "-usage.db"
	timelineEnding = "-timeline.db"
)

// beside is a file that stands beside the store at a URL; "" for a store in memory. A database server has all in one
// place.
func beside(url, ending string) string {
	if OnServer(url) {
		return url
	}
	scheme, place := split(url)
	if scheme != "sqlite" || place == "" || place == ":memory:" {
		return ""
	}
	return strings.TrimSuffix(place, ".db") + ending
}
