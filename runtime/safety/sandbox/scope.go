package sandbox

// scope is the ignore rules that hold in one directory. Rules come in three classes; as in ripgrep, .ignore wins over
// .gitignore wins over .git/info/exclude, and in one class the file nearest to the name wins. As in git, the last two
// say nothing about a file that is tracked.
type scope struct {
	ignore, git, exclude *level

	tree        tree // what an index is read from
	index       *gitIndex
	trackedOnly bool // the directory is ignored, and has files that are tracked
}

// level is one ignore file and those above it.
type level struct {
	above *level
	base  string // the directory of the file with its closing slash, "" at the root
	way   string // from the directory of the file to the root, with a closing slash; "" for a file in the root
	rules *ruleset
}

// Names of the files that rules are read from. Links in their place are not followed, as in git.
const (
	ignoreFile    = ".ignore"
	gitignoreFile = ".gitignore"
	gitDir        = ".git"
	excludeFile   = ".git/info/exclude"
)

// maxIgnoreFile bounds an ignore file in bytes; what is longer is taken for a mistake and not read.
const maxIgnoreFile = 256 << 10

// judge says whether a plain path is left out. Only its own name is looked at: directories above it that are ignored are
// entered for their tracked files alone, and no rule brings back another.
func (s scope) judge(path, name string, k kind) sight {
	ignored, ruled := s.ignore.judge(path, name, k)
	switch {
	case ignored:
		return ignoredName
	case ruled && !s.trackedOnly:
		return visibleName
	case !s.trackedOnly && !s.gitIgnores(path, name, k):
		return visibleName
	case s.index.tracks(path, k):
		return trackedName
	}
	return ignoredName
}

// gitIgnores reports whether git would leave out a path that it does not track.
func (s scope) gitIgnores(path, name string, k kind) bool {
	ignored, ruled := s.git.judge(path, name, k)
	if !ruled {
		ignored, _ = s.exclude.judge(path, name, k)
	}
	return ignored
}

// judge returns what the rule nearest to a path says, if there is one.
func (l *level) judge(path, name string, k kind) (ignored, ruled bool) {
	for ; l != nil; l = l.above {
		if n := l.rules.match(l.way+path[len(l.base):], name, k); n >= 0 {
			return !l.rules.rules[n].negate, true
		}
	}
	return false, false
}

// enter gives the rules that hold in a directory: those from above and its own. has tells which of the files are there.
func (s scope) enter(path string, d directory, has ruleFiles) scope {
	base := ""
	if path != "." {
		base = path + "/"
	}
	if has.gitDir && s.trackedOnly && !s.index.tracks(path, kindFile) { // no submodule, but a repository that git ignores
		has.gitDir = false
	}
	if has.gitDir && base != "" { // another repository: the rules of the one around it end here
		s.git, s.exclude, s.trackedOnly = nil, nil, false
	}
	if has.gitDir {
		s.index = newIndex(s.tree, base)
		s.exclude = addLevel(s.exclude, base, d, excludeFile)
	}
	if has.gitignore {
		s.git = addLevel(s.git, base, d, gitignoreFile)
	}
	if has.ignore {
		s.ignore = addLevel(s.ignore, base, d, ignoreFile)
	}
	return s
}

// addLevel reads one ignore file. A file that cannot be read has no rules: that shows more names, never more secrets.
func addLevel(above *level, base string, d directory, name string) *level {
	f, m, err := d.openFile(name)
	if err != nil {
		return above
	}
	defer f.close()
	data, err := readAll(f, m.size, maxIgnoreFile, nil, false)
	if err != nil {
		return above
	}
	rules := parseIgnore(string(data))
	if len(rules) == 0 {
		return above
	}
	return &level{above: above, base: base, rules: compileRules(rules)}
}

// ruleFiles tells which of the files that rules come from a directory has. gitFile says that its .git is a file, as in
// submodules and linked worktrees.
type ruleFiles struct{ ignore, gitignore, gitDir, gitFile bool }

func (l *listing) ruleFiles() ruleFiles {
	var has ruleFiles
	for i := range l.items {
		switch l.name(i) {
		case ignoreFile:
			has.ignore = true
		case gitignoreFile:
			has.gitignore = true
		case gitDir:
			has.gitDir, has.gitFile = true, l.items[i].kind == kindFile
		}
	}
	return has
}

// controlDirs belong to version control. They are left out of listings unless Options.Hidden; .git and .hg are denied
// besides.
var controlDirs = map[string]bool{
	".git": true, ".hg": true, ".svn": true, ".bzr": true, ".jj": true, ".sl": true, "_darcs": true, ".pijul": true, "CVS": true,
}

// installedDirs hold what some program put there and can put there again. They are left out by habit only in a root
// whose top has neither version control nor an ignore file: where one of these is, it says what counts, and a
// node_modules that it does not name is there on purpose (as a test fixture, say).
var installedDirs = map[string]bool{
	"node_modules": true, "bower_components": true, "__pycache__": true, ".venv": true, ".tox": true, ".nox": true,
	".mypy_cache": true, ".pytest_cache": true, ".ruff_cache": true, ".gradle": true, ".terraform": true, ".next": true,
	".nuxt": true, ".svelte-kit": true, ".parcel-cache": true, ".turbo": true, ".eggs": true, ".cache": true,
}

// habits says which directories are left out by their name alone.
type habits struct{ control, installed bool }

func (h habits) skips(name string, k kind) bool {
	return k == kindDir && (h.control && controlDirs[name] || h.installed && installedDirs[name])
}

// topSpeaks reports whether the names at the top of a root say that its owner decides what counts.
func topSpeaks(l *listing) bool {
	for i := range l.items {
		if name := l.name(i); controlDirs[name] || name == gitignoreFile || name == ignoreFile {
			return true
		}
	}
	return false
}
