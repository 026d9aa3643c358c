package clients

import (
	"os"
	"path/filepath"
	"strings"
)

// Place describes a machine as far as the paths of files depend on it.
type Place struct {
	Home   string
	GOOS   string
	Getenv func(string) string
}

// File returns the file with the user's servers: in the first of the client's directories that exists, or else where
// the client would create one.
func (p Place) File(c Client) string {
	files := p.Files(c)
	for _, f := range files {
		if _, err := os.Stat(filepath.Dir(f)); err == nil {
			return f
		}
	}
	return files[0]
}

// Files lists the possible paths of the client's user files. If a variable names the directory, that is the only one.
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

// Expand resolves a pattern to a path: it begins with ~ for the home directory, %data% for where programs keep a user's
// data, %config% for where Unix programs do on every system but Windows, or $NAME for the directory named by a
// variable. In the last case the path is "" if the variable is not set.
func (p Place) Expand(pattern string) (path string, named bool) {
	first, rest, _ := strings.Cut(pattern, "/")
	dir := ""
	switch {
	case first == "~":
		dir = p.Home
	case first == "%data%":
		dir = p.dataDir()
	case first == "%config%":
		dir = p.configDir()
	case strings.HasPrefix(first, "$"):
		if dir = p.Getenv(first[1:]); dir == "" {
			return "", false
		}
		named = true
	}
	return filepath.Join(dir, filepath.FromSlash(rest)), named
}

func (p Place) dataDir() string {
	if p.GOOS == "darwin" {
		return filepath.Join(p.Home, "Library", "Application Support")
	}
	return p.configDir()
}

func (p Place) configDir() string {
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

// Has reports whether the client seems to be installed: its file exists, or a directory that only it uses.
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
