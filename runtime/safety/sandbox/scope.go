package sandbox

// scope holds the ignore rules that apply in one directory. Rules come in three classes; as in ripgrep, .ignore wins
// over .gitignore, which wins over .git/info/exclude, and within one class the file nearest to the name wins. As in
// git, the last two do not apply to a tracked file.
type scope struct {
	ignore, git, exclude *level

	tree        tree // the tree to read an index from
	index       *gitIndex
	trackedOnly bool // the directory is ignored, but has tracked files
}

// level is one ignore file, linked to those above it.
type level struct {
	above *level
	base  string // the directory of the file with its closing slash, "" at the root
	way   string // from the directory of the file to the root, with a closing slash; "" for a file in the root
	rules *ruleset
}

// Names of the files that rules are read from. A link with such a name is not followed, as in git.
const (
	ignoreFile    = ".ignore"
	gitignoreFile = ".gitignore"
	gitDir        = ".git"
	excludeFile   = ".git/info/exclude"
)

// maxIgnoreFile limits an ignore file, in bytes; a longer one is assumed to be a mistake and not read.
const maxIgnoreFile = 256 << 10

// classify reports whether a plain path is left out. It looks only at the path's own name: ignored directories above it
// are entered only for their tracked files, and no rule brings back an untracked one.
func (s scope) classify(path, name string, k kind) sight {
	ignored, ruled := s.ignore.applyRules(path, name, k)
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
	ignored, ruled := s.git.applyRules(path, name, k)
	if !ruled {
		ignored, _ = s.exclude.applyRules(path, name, k)
	}
	return ignored
}

// applyRules applies the nearest rule that matches a path. ruled is false if there is none.
func (l *level) applyRules(path, name string, k kind) (ignored, ruled bool) {
	for ; l != nil; l = l.above {
		if n := l.rules.match(l.way+path[len(l.base):], name, k); n >= 0 {
			return !l.rules.rules[n].negate, true
		}
	}
	return false, false
}

// enterDir returns the rules for a directory: those from above and its own. has reports which of the rule files exist.
func (s scope) enterDir(path string, d directory, has ruleFiles) scope {
	base := ""
	if path != "." {
		base = path + "/"
	}
	if has.gitDir && s.trackedOnly && !s.index.tracks(path, kindFile) { // not a submodule but a repository that git ignores
		has.gitDir = false
	}
	if has.gitDir && base != "" { // another repository: the rules of the enclosing one end here
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

// addLevel reads one ignore file. An unreadable file has no rules: that shows more names, but never more secrets.
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

// ruleFiles tells which rule files a directory has. gitFile means that its .git is a file, as in submodules and linked
// worktrees.
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

// controlDirs belong to version control. Listings leave them out unless Options.Hidden is set; .git and .hg are also
// denied.
var controlDirs = map[string]bool{
	".git": true, ".hg": true, ".svn": true, ".bzr": true, ".jj": true, ".sl": true, "_darcs": true, ".pijul": true, "CVS": true,
}

// installedDirs hold what some program installed and can install again. By default they are left out only in a root
// whose top has neither version control nor an ignore file: if one of these exists, it says what counts, and a
// node_modules that it does not name is there on purpose (as a test fixture, say).
var installedDirs = map[string]bool{
	"node_modules": true, "bower_components": true, "__pycache__": true, ".venv": true, ".tox": true, ".nox": true,
	".mypy_cache": true, ".pytest_cache": true, ".ruff_cache": true, ".gradle": true, ".terraform": true, ".next": true,
	".nuxt": true, ".svelte-kit": true, ".parcel-cache": true, ".turbo": true, ".eggs": true, ".cache": true,
}

// habits tells which directories are left out by their name alone.
type habits struct{ control, installed bool }

func (h habits) skips(name string, k kind) bool {
	return k == kindDir && (h.control && controlDirs[name] || h.installed && installedDirs[name])
}

// topSpeaks reports whether the names at the top of a root show that its owner decides what counts.
func topSpeaks(l *listing) bool {
	for i := range l.items {
		if name := l.name(i); controlDirs[name] || name == gitignoreFile || name == ignoreFile {
			return true
		}
	}
	return false
}
