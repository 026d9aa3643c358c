package sandbox

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestIgnoreFiles holds single ignore files against paths, in git's meaning. "x/" is a directory.
func TestIgnoreFiles(t *testing.T) {
	tests := []struct{ name, file, ignored, visible string }{
		{"a name holds at any depth", "build", "build a/build build/", "builds a/b/rebuild"},
		{"a slash in front anchors", "/build", "build", "a/build"},
		{"a slash in the middle anchors", "a/b", "a/b", "x/a/b a/b/c"},
		{"a slash at the end asks for a directory", "build/", "build/ a/build/", "build a/build"},
		{"star stays in one component", "/a*c", "ac abc", "a/c a/bc"},
		{"star without a slash", "*.log", "x.log a/y.log .log", "x.logs"},
		{"question mark is one byte", "?.go", "a.go", ".go ab.go"},
		{"two stars in front", "**/foo", "foo a/foo a/b/foo", "foobar a/foo/x"},
		{"two stars in front of a path", "**/a/b", "a/b x/a/b x/y/a/b", "a/x/b xa/b"},
		{"two stars at the end", "a/**", "a/b a/b/c", "a x/a/b"},
		{"two stars in the middle", "a/**/b", "a/b a/x/b a/x/y/b", "ab a/xb x/a/b"},
		{"two stars, two times", "**/a/**/b", "a/b x/a/y/z/b", "b a"},
		{"two stars in a name are one", "foo**bar", "foobar fooxbar", "foo/bar foo/x/bar"},
		{"only stars", "**", "a a/b", ""},
		{"set", "[ab].txt", "a.txt b.txt", "c.txt ab.txt"},
		{"negated sets", "[!ab].txt\n[^c].md", "c.txt a.md", "a.txt c.md"},
		{"range and class", "x[0-9]\ny[[:alpha:]]", "x5 yq", "xa y5"},
		{"bracket first in a set", "a[]]b", "a]b", "ab a[b"},
		{"hyphen last in a set", "a[b-]c", "a-c abc", "a,c"},
		{"set that is not closed matches nothing", "a[b\nc", "c", "ab a[b"},
		{"class that is none matches nothing", "a[[:nope:]]\nc", "c", "an"},
		{"comment", "#a\n\\#b", "#b", "#a"},
		{"negation", "*.log\n!keep.log", "x.log", "keep.log a/keep.log"},
		{"the last line wins", "!a\na\n!b\nb\n!b", "a", "b"},
		{"escaped exclamation mark", "\\!a", "!a", "a"},
		{"escaped star", "a\\*b", "a*b", "axb"},
		{"spaces at the end", "a  \nb\\ \nc\\  ", "a", "b c"},
		{"backslash at the end matches nothing", "a\\\nb", "b", "a"},
		{"tab stays", "a\t", "", "a"},
		{"CRLF", "a\r\nb\r\n", "a b", "c"},
		{"byte order mark", "\ufeffa\nb", "a b", ""},
		{"blank lines", "\n\n  \na\n", "a", "b"},
		{"two slashes match nothing", "a//b\n//c\nd//", "", "a/b c d/"},
		{"slash alone", "/\n!", "", "a !"},
		{"case counts", "Build", "Build", "build"},
		{"extension after dots", "*.tar.gz\n*.min.*", "a.tar.gz a.min.js", "a.gz amin.js"},
		{"star in a directory", "a/*/c", "a/b/c", "a/c a/b/b/c"},
		{"star at the end of a path", "a/*", "a/b a/b/", "a/b/c"},
		{"directory negated", "*\n!*/\n!*.go", "x.txt a/x.txt", "x.go a/ a/b/ a/x.go"},
		{"anchored with wildcard", "/doc/*.txt", "doc/a.txt", "doc/s/a.txt x/doc/a.txt"},
		{"escaped slash anchors too", `a\/b`, "a/b", "x/a/b"},
		{"set does not match a slash", "a[/]b\nc[!x]d", "cyd", "a/b c/d"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			top := scope{git: &level{rules: compileRules(parseIgnore(tt.file))}}
			for want, paths := range map[bool]string{true: tt.ignored, false: tt.visible} {
				for _, path := range strings.Fields(paths) {
					k := kindFile
					if strings.HasSuffix(path, "/") {
						path, k = strings.TrimSuffix(path, "/"), kindDir
					}
					_, name := splitPath(path)
					if got := top.classify(path, name, k) == ignoredName; got != want {
						t.Errorf("%q: ignored %v, want %v", path, got, want)
					}
				}
			}
		})
	}
}

// TestIgnoreInTrees lists whole trees: nested files, precedence, directories that are excluded.
func TestIgnoreInTrees(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		opt   Options
		under string
		want  string
	}{
		{"nested files win", map[string]string{".gitignore": "*.log", "a/.gitignore": "!keep.log", "a/keep.log": "", "a/x.log": "", "keep.log": ""},
			Options{}, ".", ".gitignore a/.gitignore a/keep.log"},
		{"nothing comes back out of an excluded directory", map[string]string{".gitignore": "a/\n!a/keep", "a/keep": "", "b": ""},
			Options{}, ".", ".gitignore b"},
		{"but out of excluded names in it", map[string]string{".gitignore": "a/*\n!a/keep", "a/keep": "", "a/x": ""},
			Options{}, ".", ".gitignore a/keep"},
		{"anchors start at their file", map[string]string{"a/.gitignore": "/x\nb/y", "a/x": "", "a/b/x": "", "a/b/y": "", "x": "", "b/y": ""},
			Options{}, ".", "a/.gitignore a/b/x b/y x"},
		{".ignore wins over .gitignore", map[string]string{".ignore": "!a.log\nb.txt", ".gitignore": "*.log\n!b.txt", "a.log": "", "b.log": "", "b.txt": ""},
			Options{}, ".", ".gitignore .ignore a.log"},
		{"exclude is the weakest", map[string]string{".git/info/exclude": "*.a\n*.b\n*.c", ".gitignore": "!*.a", "x.a": "", "x.b": "", "sub/.ignore": "!*.c", "sub/x.c": ""},
			Options{}, ".", ".gitignore sub/.ignore sub/x.c x.a"},
		{"rules of the repository around end at another one", map[string]string{".gitignore": "*.log", ".ignore": "*.tmp", "sub/.git/HEAD": "", "sub/a.log": "", "sub/a.tmp": "", "b.log": ""},
			Options{}, ".", ".gitignore .ignore sub/a.log"},
		{"switched off", map[string]string{".gitignore": "*.log", "a.log": "", ".git/HEAD": "", "x.pem": ""},
			Options{NoIgnore: true}, ".", ".gitignore a.log"},
		{"dot files are listed", map[string]string{".github/x.yml": "", ".editorconfig": "", ".vscode/s.json": ""},
			Options{}, ".", ".editorconfig .github/x.yml .vscode/s.json"},
		{"version control is not", map[string]string{".git/HEAD": "", ".hg/x": "", ".svn/x": "", "CVS/Root": "", ".jj/x": "", "a": ""},
			Options{}, ".", "a"},
		{"hidden lists what is not denied", map[string]string{".git/HEAD": "", ".svn/x": "", "node_modules/x": "", "a": ""},
			Options{Hidden: true}, ".", ".svn/x a node_modules/x"},
		{"installed things without version control", map[string]string{"node_modules/x.js": "", "a/__pycache__/x": "", ".venv/y": "", "a.js": "", "node_modules.md": ""},
			Options{}, ".", "a.js node_modules.md"},
		{"installed things that the ignore file does not name", map[string]string{".gitignore": "x", "test/node_modules/x.js": "", "a.js": ""},
			Options{}, ".", ".gitignore a.js test/node_modules/x.js"},
		{"below a directory the rules above it hold", map[string]string{".gitignore": "*.log\n/a/b/x", "a/.gitignore": "*.tmp", "a/b/x": "", "a/b/y": "", "a/b/y.log": "", "a/b/y.tmp": "", "c": ""},
			Options{}, "a/b", "a/b/y"},
		{"an ignored directory can be asked for", map[string]string{".gitignore": "gen/\n*.log", "gen/a.go": "", "gen/b.log": ""},
			Options{}, "gen", "gen/a.go"},
		{"and an ignored file", map[string]string{".gitignore": "*.log", "b.log": "", "c.log": ""},
			Options{}, "b.log", "b.log"},
		{"order is by bytes", map[string]string{"a/x": "", "a-b": "", "a.go": "", "a0": "", "a-b.d/y": "", "A": "", "aé": "", "a/x/../b": ""},
			Options{}, ".", "A a-b a-b.d/y a.go a/b a/x a0 aé"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := plant(t, tt.files)
			eachMode(t, func(t *testing.T, m mode) {
				got := filesOf(t, m.open(t, dir, tt.opt), tt.under)
				if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestIgnoreFileThatIsTooLarge(t *testing.T) {
	r := modes[0].open(t, plant(t, map[string]string{".gitignore": "a\n" + strings.Repeat("#", maxIgnoreFile), "a": ""}), Options{})
	if got := filesOf(t, r, "."); len(got) != 2 {
		t.Errorf("%q", got)
	}
}

func TestDenyListPatterns(t *testing.T) {
	for _, s := range secrets {
		if _, ok := parseRule(s.pattern); !ok {
			t.Errorf("%q is no pattern", s.pattern)
		}
	}
	for _, bad := range []string{"", "#x", "!x", "[a", "a//b", "x\\"} {
		if _, err := OpenRoot("code", t.TempDir(), Options{Deny: []string{bad}}); err == nil || !strings.Contains(err.Error(), "pattern") {
			t.Errorf("deny pattern %q: %v", bad, err)
		}
	}
}
