package clients

import (
	"os"
	"path/filepath"
	"strings"
)

// Place is a machine as far as the places of files depend on it.
type Place struct {
	Home   string
	GOOS   string
	Getenv func(string) string
}

// File is where the client keeps the user's servers: in the first of its
// directories that is there, or else where it would make one.
func (p Place) File(c Client) string {
	files := p.Files(c)
	for _, f := range files {
		if _, err := os.Stat(filepath.Dir(f)); err == nil {
			return f
		}
	}
	return files[0]
}

// Files lists where the client's files of the user may be. A variable that
// names its directory leaves no other.
func (p Place) Files(c Client) []string {
	var out []string
	for _, f := range c.Files {
		path, named := p.Expand(f)
		if named {
			return []string{path}
		}
		if path != "" {
			out = append(out, path)
		}
	}
	return out
}

// Expand makes a path of a pattern: it begins with ~ for the home directory,
// %data% for where programs keep what belongs to a user, %config% for where
// those of Unix do on every system but Windows, or $NAME for the directory
// that a variable names. That one is "" where the variable is not set.
func (p Place) Expand(pattern string) (path string, named bool) {
	first, rest, _ := strings.Cut(pattern, "/")
	dir := ""
	switch {
	case first == "~":
		dir = p.Home
	case first == "%data%":
		dir = p.data()
	case first == "%config%":
		dir = p.config()
	case strings.HasPrefix(first, "$"):
		if dir = p.Getenv(first[1:]); dir == "" {
			return "", false
		}
		named = true
	}
	return filepath.Join(dir, filepath.FromSlash(rest)), named
}

func (p Place) data() string {
	if p.GOOS == "darwin" {
		return filepath.Join(p.Home, "Library", "Application Support")
	}
	return p.config()
}

func (p Place) config() string {
	if p.GOOS == "windows" {
		if dir := p.Getenv("APPDATA"); dir != "" {
			return dir
		}
		return filepath.Join(p.Home, "AppData", "Roaming")
	}
	if dir := p.Getenv("XDG_CONFIG_HOME"); dir != "" && p.GOOS != "darwin" {
		return dir
	}
	return filepath.Join(p.Home, ".config")
}

// Has reports whether the client seems to be installed: its file is there, or
// the directory that is for it alone.
func (p Place) Has(c Client) bool {
	for _, f := range p.Files(c) {
		if _, err := os.Stat(f); err == nil {
			return true
		}
		if dir := filepath.Dir(f); dir != filepath.Clean(p.Home) {
			if _, err := os.Stat(dir); err == nil {
				return true
			}
		}
	}
	return false
}
