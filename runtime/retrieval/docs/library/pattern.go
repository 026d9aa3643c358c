package library

import (
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/glob"
)

// maxForms limits the patterns that the groups {a,b} of one pattern expand to.
const maxForms = 64

// Filter selects files by their path below a root: files that match a pattern of include, or all if
// include is empty, without those that match a pattern of exclude. A pattern without a slash is
// matched against the name; one that ends in a slash matches everything below.
type Filter struct{ include, exclude []form }

type form struct {
	segments []string
	name     bool
}

// NewFilter parses patterns. The error names the invalid one.
func NewFilter(include, exclude []string) (f Filter, err error) {
	if f.include, err = parseForms(include); err == nil {
		f.exclude, err = parseForms(exclude)
	}
	return f, err
}

func parseForms(patterns []string) (out []form, err error) {
	for _, p := range patterns {
		list, err := glob.Groups(strings.TrimSpace(p), maxForms)
		if err != nil {
			return nil, fmt.Errorf("glob %q: %w", p, err)
		}
		for _, one := range list {
			anchored := strings.HasPrefix(one, "/") || strings.HasPrefix(one, "./")
			one = strings.TrimLeft(strings.TrimPrefix(one, "./"), "/")
			if strings.HasSuffix(one, "/") {
				one += "**"
			}
			if one == "" {
				return nil, fmt.Errorf("glob %q: the pattern is empty; ** matches every file", p)
			}
			if err := glob.Check(one); err != nil {
				return nil, fmt.Errorf("glob %q: %w", p, err)
			}
			segments, ok := glob.Runes.Split(one)
			if !ok {
				return nil, fmt.Errorf("glob %q: a set names a class of characters that is not known", p)
			}
			out = append(out, form{segments, !anchored && !strings.Contains(one, "/")})
		}
	}
	return out, nil
}

// Takes reports whether a file is selected.
func (f Filter) Takes(path string) bool {
	return (len(f.include) == 0 || matchesAny(f.include, path)) && !matchesAny(f.exclude, path)
}

// Enters reports whether files below a directory may be selected.
func (f Filter) Enters(dir string) bool {
	const some = "/." // stands for any file
	return (len(f.include) == 0 || slices.ContainsFunc(f.include, func(x form) bool { return x.enters(dir) })) && !matchesAny(f.exclude, dir+some)
}

// enters reports whether a file below a directory may match.
func (f form) enters(dir string) bool {
	if f.name {
		return true
	}
	names := strings.Split(dir, "/")
	for i := range names {
		switch {
		case i >= len(f.segments):
			return false
		case f.segments[i] == "**":
			return true
		case !glob.Runes.MatchPath(f.segments[i:i+1], names[i]):
			return false
		}
	}
	return len(f.segments) > len(names)
}

func matchesAny(list []form, path string) bool {
	for _, f := range list {
		p := path
		if f.name {
			p = path[strings.LastIndexByte(path, '/')+1:]
		}
		if glob.Runes.MatchPath(f.segments, p) {
			return true
		}
	}
	return false
}
