package process

import (
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

func home(env []string) string {
	if runtime.GOOS == "windows" {
		return lookup(env, "USERPROFILE")
	}
	return lookup(env, "HOME")
}

// usualPlaces returns the directories where installers put programs, those of the user first. They are tried if neither
// PATH has the program: some installers, such as nvm, change only the profile of interactive shells.
func usualPlaces(env []string) []string {
	var dirs []string
	below := func(root string, names ...string) {
		for _, name := range names {
			if root != "" {
				dirs = append(dirs, filepath.Join(root, filepath.FromSlash(name)))
			}
		}
	}
	h := home(env)
	below(h, ".local/bin")
	if newest := newestNode(h); newest != "" {
		dirs = append(dirs, newest)
	}
	below(h, ".volta/bin", ".bun/bin", ".deno/bin", ".cargo/bin", "go/bin", ".asdf/shims", ".local/share/mise/shims",
		".local/share/fnm/aliases/default/bin", ".nix-profile/bin")
	switch runtime.GOOS {
	case "windows":
		below(lookup(env, "APPDATA"), "npm")
		below(lookup(env, "LOCALAPPDATA"), "Programs/Python/Launcher", "Microsoft/WinGet/Links", "Volta/bin")
		below(lookup(env, "ProgramFiles"), "nodejs", "Docker/Docker/resources/bin")
		return dirs
	case "darwin":
		dirs = append(dirs, "/opt/homebrew/bin", "/Applications/Docker.app/Contents/Resources/bin")
	case "linux":
		dirs = append(dirs, "/home/linuxbrew/.linuxbrew/bin", "/snap/bin")
	}
	return append(dirs, "/usr/local/bin", "/usr/bin", "/bin")
}

// newestNode returns the directory of nvm's newest Node.js, or "".
func newestNode(home string) string {
	if home == "" {
		return ""
	}
	dirs, _ := filepath.Glob(filepath.Join(home, ".nvm", "versions", "node", "v*", "bin"))
	if len(dirs) == 0 {
		return ""
	}
	return slices.MaxFunc(dirs, func(a, b string) int { return slices.Compare(nodeVersion(a), nodeVersion(b)) })
}

// nodeVersion returns the version number in .../v20.11.1/bin.
func nodeVersion(dir string) (v []int) {
	for part := range strings.SplitSeq(strings.TrimPrefix(filepath.Base(filepath.Dir(dir)), "v"), ".") {
		n, _ := strconv.Atoi(part)
		v = append(v, n)
	}
	return v
}
