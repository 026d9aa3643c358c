package consent

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// Directory is the name of a configuration directory in a project.
const Directory = ".compactor"

// Query holds the places where a configuration may be.
type Query struct {
	Flag, Env string   // values of --config and $COMPACTOR_CONFIG
	Work      string   // where compactor is started
	User      string   // directory of the user's configurations, such as ~/.config; "" for none
	Roots     []string // named on the command line
	Trust     bool     // the user vouches for the named directory, wherever it lies
}

// Place is where a configuration was found, and whether it belongs to a project.
type Place struct {
	Layers  []config.Layer
	Dir     string // the directory that commands refer to; "" for the embedded configuration alone
	Display string // Dir as messages show it
	Project string // the directory of the project that Dir came with; "" if Dir is the user's own
}

// Find returns the directories that make up the configuration. The user's own always counts; on top of it comes the
// directory named by flag or environment, or else .compactor in the working directory. The latter counts as a
// project's if it is called .compactor or lies in a repository or root: its place decides, not the way it was named.
func Find(q Query) (Place, error) {
	var p Place
	own := ""
	if dir := filepath.Join(q.User, "compactor"); q.User != "" && isDir(dir) {
		own = dir
		p.add(q, dir, false)
	}
	named, how := q.Flag, "--config"
	if named == "" {
		named, how = q.Env, "$COMPACTOR_CONFIG"
	}
	if local := filepath.Join(q.Work, Directory); named == "" {
		if _, err := os.Lstat(local); err != nil {
			return p, nil
		}
		named, how = local, Directory
	}
	if isSameFile(named, own) {
		return p, nil
	}
	named = filepath.Clean(named) // with a trailing slash, Lstat would silently follow a link
	home := ""
	if !q.Trust {
		home = projectOf(q, named, own)
	}
	if info, err := os.Lstat(named); home != "" && err == nil && info.Mode()&os.ModeSymlink != 0 {
		return p, fmt.Errorf("%s (%s) is a link, and what a project says is not taken through one: name the directory it leads to with --config, or put a copy in its place",
			displayPath(q.Work, named), how)
	}
	if how == Directory && !isDir(named) {
		return p, nil
	}
	p.Project = home
	p.add(q, named, home != "")
	return p, nil
}

// Own returns the place of a directory that belongs to the user.
func Own(work, dir string) Place {
	p := Place{Dir: dir, Display: displayPath(work, dir)}
	p.Layers = []config.Layer{{Dir: dir, Display: p.Display}}
	return p
}

// Command returns the command that a user types to review and allow what is held.
func (p Place) Command() string {
	if p.Display == Directory {
		return "compactor allow"
	}
	return "compactor allow " + shellWord(p.Display)
}

// inHome returns abs as ~/… for a shell, if it lies below the home directory.
func inHome(abs string) (string, bool) {
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return "", false
	}
	rel, err := filepath.Rel(home, abs)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return "", false
	}
	return "~/" + filepath.ToSlash(rel), true
}

// shellWord quotes a word for pasting into a shell: a project may have chosen directory
// names that the shell would execute.
func shellWord(word string) string {
	if rest, ok := strings.CutPrefix(word, "~/"); ok { // must stay outside of the quotes to be expanded
		return "~/" + shellWord(rest)
	}
	if strings.HasPrefix(word, "-") {
		word = "./" + word
	}
	if !strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+:@%", r)
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func (p *Place) add(q Query, dir string, project bool) {
	p.Dir, p.Display = dir, displayPath(q.Work, dir)
	p.Layers = append(p.Layers, config.Layer{Dir: dir, Display: p.Display, Project: project})
}

// projectOf returns the directory of the project that a configuration came with, or ""
// if it is the user's own.
func projectOf(q Query, dir, own string) string {
	real := Real(dir)
	if filepath.Base(real) == Directory {
		return filepath.Dir(real)
	}
	if top := findRepository(real); top != "" {
		return top
	}
	for _, r := range append(slices.Clone(q.Roots), q.Work) {
		// A working directory such as / or the home directory is no evidence: the
		// user's own configuration lies in it too.
		if r = Real(r); Within(real, r) && !Within(Real(q.User), r) {
			return r
		}
	}
	return ""
}

// marks are the entries that identify the top of a repository.
var marks = []string{".git", ".hg", ".jj", ".svn"}

// findRepository returns the top of the repository that contains dir, or "" if dir is in no repository.
func findRepository(dir string) string {
	for {
		for _, m := range marks {
			if _, err := os.Lstat(filepath.Join(dir, m)); err == nil {
				return dir
			}
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// Within reports whether a path is a directory or lies below it. Both are real paths
// (see Real).
func Within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Real returns the absolute path with all links resolved. If the end of the path does
// not exist yet, only the existing part is resolved.
func Real(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if filepath.Dir(at) == at {
			return path
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

func isSameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// displayPath returns a directory as messages show it: relative to the working directory or the home directory if it lies
// in one of them, else the relative path if it is shorter than the absolute one, else dir as given.
func displayPath(work, dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	rel, err := filepath.Rel(work, abs)
	if err == nil && filepath.IsLocal(rel) {
		if strings.HasPrefix(rel, "~") { // a literal ~ in the name, which a shell would expand to the home directory
			return "./" + filepath.ToSlash(rel)
		}
		return filepath.ToSlash(rel)
	}
	if home, ok := inHome(abs); ok {
		return home
	}
	if err == nil && len(rel) < len(abs) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(strings.TrimSuffix(dir, string(filepath.Separator)))
}
