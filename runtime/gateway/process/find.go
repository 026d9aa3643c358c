package process

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// ErrNotFound says that a program is in none of the places searched.
var ErrNotFound = errors.New("command not found")

// Find returns the path of a program as the user's own terminal would find it. A chat program that was started from a
// dock or menu has a short PATH that lacks "npx": Find searches the PATH of env, then that of the user's login shell
// (SHELL of env, asked once, for at most 2 s), then the usual directories of installers. The error wraps [ErrNotFound],
// names the places and says what to do.
func Find(ctx context.Context, name string, env []string) (string, error) {
	own := filepath.SplitList(lookup(env, "PATH"))
	if path := lookIn(own, name, env); path != "" {
		return path, nil
	}
	login, shell := loginPath(ctx, env)
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if path := lookIn(login, name, env); path != "" {
		return path, nil
	}
	usual := usualPlaces(env)
	if path := lookIn(usual, name, env); path != "" {
		return path, nil
	}
	return "", notFound(name, own, shell, usual)
}

// lookIn returns the first program of that name in dirs. Relative directories are skipped: their meaning depends on
// where compactor was started.
func lookIn(dirs []string, name string, env []string) string {
	for _, dir := range dirs {
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, candidate := range fileNames(name, env) {
			if path := filepath.Join(dir, candidate); whyNot(path) == nil {
				return path
			}
		}
	}
	return ""
}

// fileNames returns the possible file names of a command: on Windows with each extension in PATHEXT.
func fileNames(name string, env []string) []string {
	if runtime.GOOS != "windows" {
		return []string{name}
	}
	endings := lookup(env, "PATHEXT")
	if endings == "" {
		endings = ".COM;.EXE;.BAT;.CMD"
	}
	var all []string
	for ending := range strings.SplitSeq(endings, ";") {
		if ending != "" && strings.EqualFold(filepath.Ext(name), ending) {
			return []string{name}
		}
		all = append(all, name+strings.ToLower(ending))
	}
	return all
}

// whyNot returns why a file cannot be started, or nil if it can.
func whyNot(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("is not there")
	case err != nil:
		return fmt.Errorf("cannot be looked at: %w", err)
	case info.IsDir():
		return errors.New("is a directory, not a program")
	case !info.Mode().IsRegular():
		return errors.New("is not a program")
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0:
		return errors.New("is not executable; chmod +x makes it so")
	}
	return nil
}

// locate returns the absolute path of a command's program. A relative path with a separator starts at the command's
// directory, one with ~ at the user's home.
func locate(ctx context.Context, c Command, env []string) (string, error) {
	path := c.Path
	if path == "" {
		return "", fmt.Errorf("%s names no program; give its command", c.owner())
	}
	if !strings.ContainsAny(path, separators()) {
		return Find(ctx, path, env)
	}
	if rest, ok := strings.CutPrefix(path, "~"); ok && strings.IndexAny(rest, separators()) == 0 {
		path = filepath.Join(home(env), rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.Dir, path)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for _, candidate := range fileNames(path, env) {
		if err = whyNot(candidate); err == nil {
			return candidate, nil
		}
	}
	return "", fmt.Errorf("%s, the program of %s, %w", path, c.owner(), err)
}

func separators() string {
	if runtime.GOOS == "windows" {
		return `/\`
	}
	return "/"
}

// withDirectory prepends dir to the PATH unless it is on it: an npx must find the node next to it.
func withDirectory(env []string, dir string) []string {
	path := lookup(env, "PATH")
	if slices.Contains(filepath.SplitList(path), dir) {
		return env
	}
	if path != "" {
		dir += string(filepath.ListSeparator) + path
	}
	return withVariable(env, "PATH", dir)
}

// makers are the products that provide the commands commonly used to start servers.
var makers = map[string]string{
	"npx": "Node.js (https://nodejs.org)", "node": "Node.js (https://nodejs.org)", "npm": "Node.js (https://nodejs.org)",
	"uvx": "uv (https://docs.astral.sh/uv)", "uv": "uv (https://docs.astral.sh/uv)",
	"docker": "Docker (https://docs.docker.com)", "bunx": "Bun (https://bun.sh)", "bun": "Bun (https://bun.sh)",
	"deno": "Deno (https://deno.com)", "python": "Python (https://python.org)", "python3": "Python (https://python.org)",
	"dotnet": ".NET (https://dotnet.microsoft.com)", "java": "a Java runtime", "go": "Go (https://go.dev)",
}

// notFound returns an error that gives the advice before the places: the list is long, and whoever shows the message
// may cut it.
func notFound(name string, own []string, shell string, usual []string) error {
	if len(own) == 0 {
		own = []string{"empty"}
	}
	do := "install it, or write its full path as the command"
	if maker := makers[name]; maker != "" {
		do = "install " + maker + ", or write the full path of " + name + " as the command"
	}
	if runtime.GOOS != "windows" {
		do += " (a terminal tells it: command -v " + name + ")"
	}
	return fmt.Errorf("%w: %q; %s; it was looked for on the PATH (%s)%s and in the usual places (%s)", ErrNotFound, name, do,
		someOf(own), shell, someOf(usual))
}

// someOf names the first directories of a list, without repetitions, and counts the rest: a developer's PATH has
// dozens.
func someOf(dirs []string) string {
	const most = 5
	var once []string
	for _, d := range dirs {
		if d != "" && !slices.Contains(once, d) {
			once = append(once, d)
		}
	}
	if n := len(once) - most; n > 1 {
		return strings.Join(once[:most], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(once, ", ")
}
