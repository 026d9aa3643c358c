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

// Directory is what a configuration that comes with a project is called.
const Directory = ".compactor"

// Query says where a configuration may be.
type Query struct {
	Flag, Env string   // as --config and $COMPACTOR_CONFIG name it
	Work      string   // where compactor is started
	User      string   // directory of the user's configurations, such as ~/.config; "" for none
	Roots     []string // that the command line names
	Trust     bool     // the user answers for the named directory, wherever it lies
}

// Place is where a configuration was found, and whose it is.
type Place struct {
	Layers  []config.Layer
	Dir     string // the directory that commands are about; "" for the embedded configuration alone
	Display string // Dir as messages show it
	Project string // the directory that a project's configuration belongs to; "" where Dir is the user's own
}

// Find says which directories make up the configuration. The user's own always
// counts; over it lies the one that was named, else .compactor in the working
// directory. That one is of a project where it is called .compactor or lies in a
// repository or in a root, whoever named it: the place decides.
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
	if same(named, own) {
		return p, nil
	}
	named = filepath.Clean(named) // with a slash at its end a link would be followed unseen
	home := ""
	if !q.Trust {
		home = projectOf(q, named, own)
	}
	if info, err := os.Lstat(named); home != "" && err == nil && info.Mode()&os.ModeSymlink != 0 {
		return p, fmt.Errorf("%s (%s) is a link, and what a project says is not taken through one: name the directory it leads to with --config, or put a copy in its place",
			shown(q.Work, named), how)
	}
	if how == Directory && !isDir(named) {
		return p, nil
	}
	p.Project = home
	p.add(q, named, home != "")
	return p, nil
}

// Own is a directory of the user's own.
func Own(work, dir string) Place {
	p := Place{Dir: dir, Display: shown(work, dir)}
	p.Layers = []config.Layer{{Dir: dir, Display: p.Display}}
	return p
}

// Command is what a user types to look at what waits, and to allow it.
func (p Place) Command() string {
	if p.Display == Directory {
		return "compactor allow"
	}
	return "compactor allow " + shellWord(p.Display)
}

// inHome is a directory below the user's own as a shell takes it.
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

// shellWord is a word as it can be pasted into a shell: a project may have named
// its directories so that one would obey.
func shellWord(word string) string {
	if rest, ok := strings.CutPrefix(word, "~/"); ok { // which quotes would keep from its meaning
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
	p.Dir, p.Display = dir, shown(q.Work, dir)
	p.Layers = append(p.Layers, config.Layer{Dir: dir, Display: p.Display, Project: project})
}

// projectOf is the directory of the project that a configuration came with, or
// "" where it is the user's own.
func projectOf(q Query, dir, own string) string {
	real := Real(dir)
	if filepath.Base(real) == Directory {
		return filepath.Dir(real)
	}
	if top := repository(real); top != "" {
		return top
	}
	for _, r := range append(slices.Clone(q.Roots), q.Work) {
		// A working directory such as / or the home directory says nothing: the user's
		// own configuration lies in it as well.
		if r = Real(r); Within(real, r) && !Within(Real(q.User), r) {
			return r
		}
	}
	return ""
}

// marks are what the top of a repository holds.
var marks = []string{".git", ".hg", ".jj", ".svn"}

// repository is the top of the repository around a directory, "" for none.
func repository(dir string) string {
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

// Within reports whether a path is a directory or lies below it. Both are real
// paths (see Real).
func Within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Real is a path itself, whatever link or name leads to it. What does not exist
// yet is taken as it is named, below what does.
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

func same(a, b string) bool {
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

// shown is a directory as messages name it: from the working directory or from the
// home directory where it lies in one of them, else by whichever way is shorter.
func shown(work, dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	rel, err := filepath.Rel(work, abs)
	if err == nil && filepath.IsLocal(rel) {
		if strings.HasPrefix(rel, "~") { // a name, which a shell would take for the home directory
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
