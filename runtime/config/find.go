package config

import (
	"os"
	"path/filepath"
)

// InWork is how a configuration is found that came with the working directory:
// with a repository, perhaps, that somebody else has written.
const InWork = ".compactor"

// FindDir says which directory holds the user's configuration, and by what it
// was found: the flag, $COMPACTOR_CONFIG, .compactor in the working directory,
// or compactor in the user's configuration directory. An empty dir means the
// built-in configuration alone. The first two are taken as given, so that
// Load can say that they do not exist; the others only where they do.
func FindDir(flag, env, cwd, userConfigDir string) (dir, how string) {
	switch {
	case flag != "":
		return flag, "--config"
	case env != "":
		return env, "$COMPACTOR_CONFIG"
	}
	if local := filepath.Join(cwd, InWork); isDir(local) {
		return local, InWork
	}
	if userConfigDir != "" {
		if home := filepath.Join(userConfigDir, "compactor"); isDir(home) {
			return home, "user configuration"
		}
	}
	return "", "built-in"
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
