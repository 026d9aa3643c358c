package find

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	globs "github.com/compactor-mcp/compactor/runtime/base/glob"
)

// These bound one pattern. Groups multiply: without a bound, forty bytes such as {a,b}{a,b}...
// would cost more than a whole scan.
const (
	maxGlob     = 512 // bytes
	maxGlobForm = 64  // patterns after expanding the groups
)

// A glob is a file pattern: * and ? within a name, ** for any number of directories, [a-z], groups
// {a,b}. It is case-sensitive. A pattern without a slash matches names anywhere; one that ends in a
// slash matches all files below.
type glob struct {
	forms []globForm // one per expansion of the groups
}

type globForm struct {
	pattern  string
	segments []string
	name     bool // match against the last path component only
	literal  bool // has no wildcard
}

func parseGlob(pattern string) (glob, error) {
	fail := func(why string) (glob, error) {
		return glob{}, fmt.Errorf("glob %q: %s", shortenInput(pattern), why)
	}
	switch {
	case strings.TrimSpace(pattern) == "":
		return fail("the pattern is empty; ** matches every file")
	case len(pattern) > maxGlob:
		return fail(fmt.Sprintf("longer than %d bytes", maxGlob))
	}
	expanded, err := globs.Groups(strings.TrimSpace(pattern), maxGlobForm)
	if err != nil {
		return fail(err.Error())
	}
	var g glob
	for _, p := range expanded {
		f, err := newGlobForm(p)
		if err != nil {
			return fail(err.Error())
		}
		g.forms = append(g.forms, f)
	}
	return g, nil
}

func newGlobForm(p string) (globForm, error) {
	anchored := strings.HasPrefix(p, "/") || strings.HasPrefix(p, "./")
	p = strings.TrimLeft(strings.TrimPrefix(p, "./"), "/")
	if p == "" || strings.HasSuffix(p, "/") {
		p += "**"
	}
	if err := globs.Check(p); err != nil {
		return globForm{}, err
	}
	segments, ok := globs.Runes.Split(deepen(p))
	if !ok {
		return globForm{}, errors.New("a set names a class of characters that is not known")
	}
	return globForm{
		pattern:  p,
		segments: segments,
		name:     !anchored && !strings.Contains(p, "/") && p != "**",
		literal:  !strings.ContainsAny(p, `*?[\`),
	}, nil
}

// deepen reads src/**.go as src/**/*.go. Other globs read it as src/*.go, which authors of such
// patterns never mean.
func deepen(p string) string {
	parts := strings.Split(p, "/")
	for i, s := range parts {
		if rest, ok := strings.CutPrefix(s, "**"); ok && rest != "" && len(parts) > 1 {
			parts[i] = "**/*" + strings.TrimLeft(rest, "*")
		}
	}
	return strings.Join(parts, "/")
}

// match reports whether a file's path matches the pattern.
func (g glob) match(path string) bool {
	return slices.ContainsFunc(g.forms, func(f globForm) bool { return f.match(path) })
}

func (f globForm) match(path string) bool {
	if f.name {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	if f.literal {
		return f.pattern == path
	}
	return globs.Runes.MatchPath(f.segments, path)
}

// below reports whether the pattern matches the path or a directory above it.
func (g glob) below(path string, only func(globForm) bool) bool {
	for _, f := range g.forms {
		if !only(f) {
			continue
		}
		for end := len(path); end > 0; end = strings.LastIndexByte(path[:end], '/') {
			if f.match(path[:end]) {
				return true
			}
		}
	}
	return false
}

// A globList narrows a search as ripgrep's -g does: the last matching pattern decides, and !
// excludes. If any pattern includes, files that match none are excluded. Excluding a directory
// excludes what is below.
type globList struct {
	globs    []glob
	negated  []bool
	includes bool
}

func parseGlobs(patterns []string) (globList, error) {
	var l globList
	for _, p := range patterns {
		p, negated := strings.CutPrefix(strings.TrimSpace(p), "!")
		g, err := parseGlob(p)
		if err != nil {
			return globList{}, err
		}
		l.globs = append(l.globs, g)
		l.negated = append(l.negated, negated)
		l.includes = l.includes || !negated
	}
	return l, nil
}

// keepsFile reports whether a file is kept. names are all names of the file: relative to its root,
// relative to the searched directory, and its reference.
func (l globList) keepsFile(names ...string) bool {
	for i := len(l.globs) - 1; i >= 0; i-- {
		for _, name := range names {
			if l.negated[i] && l.globs[i].below(name, anyForm) {
				return false
			}
			if !l.negated[i] && (l.globs[i].match(name) || l.globs[i].below(name, literalForm)) {
				return true
			}
		}
	}
	return !l.includes
}

func anyForm(globForm) bool       { return true }
func literalForm(f globForm) bool { return f.literal }
