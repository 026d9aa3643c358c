package sandbox

import (
	"fmt"
	"iter"
	"strings"
	"sync"
)

// denyList decides by name alone which paths are secret. allow may soften the built-in list; deny always applies.
type denyList struct {
	builtin, deny, allow *ruleset
}

// builtinDeny is compiled once and read-only afterwards.
var builtinDeny = sync.OnceValue(func() *ruleset {
	rules := make([]rule, len(secrets))
	for i, s := range secrets {
		r, ok := parseRule(strings.ToLower(s.pattern))
		if !ok {
			panic("sandbox: deny list: bad pattern " + s.pattern)
		}
		r.kind = s.kind
		rules[i] = r
	}
	return compileRules(rules)
})

func newDenyList(deny, allow []string) (*denyList, error) {
	list := &denyList{builtin: builtinDeny()}
	var err error
	if list.deny, err = compileUser("deny", deny); err != nil {
		return nil, err
	}
	list.allow, err = compileUser("allow", allow)
	return list, err
}

// compileUser parses the user's patterns. A pattern that can match nothing is an error: on a deny list it would
// look like protection without being any.
func compileUser(list string, patterns []string) (*ruleset, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	rules := make([]rule, len(patterns))
	for i, p := range patterns {
		r, ok := parseRule(foldPattern(p))
		if !ok || r.negate {
			return nil, fmt.Errorf("%s pattern %q: not a pattern; write a name, a path or a glob such as *.sqlite, without the ! before it", list, p)
		}
		rules[i] = r
	}
	return compileRules(rules), nil
}

func foldPattern(p string) string {
	p, ascii := foldASCII(p)
	if !ascii {
		p = foldUnicode(p)
	}
	return p
}

// denied reports whether a plain path, or any directory above it, is secret. k is the kind of its last component.
func (d *denyList) denied(path string, k kind) bool {
	if path == "." {
		return false
	}
	folded := foldPath(path)
	allowed := false
	for end, name := range eachComponent(folded) {
		component := kindDir
		if end == len(folded) {
			component = k
		}
		if d.deniesComponent(folded[:end], name, component, &allowed) {
			return true
		}
	}
	return false
}

// deniedIn does what denied does, for a path whose directory is known not to be denied. Walks and scans use it: it
// checks only the last component, and folds the others only if a rule needs them.
func (d *denyList) deniedIn(path string, k kind) bool {
	if d.allow != nil {
		return d.denied(path, k) // allowing a directory also allows everything below it
	}
	_, name := splitPath(path)
	if !isFolded(name) {
		name = foldName(name)
	}
	here := name
	if d.deny != nil || d.builtin.tails.mayContain(name) {
		here = foldPath(path)
	}
	return d.deniesComponent(here, name, k, new(bool))
}

// deniedDir reports whether an absolute path, without its leading slash, is a secret directory or inside one. Short
// names are not refused here, since Windows gives temporary directories such names.
func (d *denyList) deniedDir(path string) bool {
	folded := foldPath(path)
	for end, name := range eachComponent(folded) {
		here := folded[:end]
		if matchesPositive(d.builtin, here, name, kindDir) && (d.allow == nil || d.allow.match(here, name, kindDir) < 0) {
			return true
		}
	}
	return false
}

// eachComponent yields the end offset and the name of each component of a plain path.
func eachComponent(path string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for start := 0; start < len(path); {
			end := len(path)
			if i := strings.IndexByte(path[start:], '/'); i >= 0 {
				end = start + i
			}
			if !yield(end, path[start:end]) {
				return
			}
			start = end + 1
		}
	}
}

// deniesComponent reports whether one component is denied, given its folded name and the folded path that ends with it.
// allowed carries an allow rule from a directory to its contents.
func (d *denyList) deniesComponent(path, name string, k kind, allowed *bool) bool {
	if d.deny != nil && d.deny.match(path, name, k) >= 0 {
		return true
	}
	if *allowed {
		return false
	}
	if !d.builtinMatch(path, name, k) {
		*allowed = d.allow != nil && d.allow.match(path, name, k) >= 0
		return false
	}
	*allowed = d.allow != nil && d.allow.match(path, name, k) >= 0
	return !*allowed
}

func (d *denyList) builtinMatch(path, name string, k kind) bool {
	if d.builtin == nil {
		return false
	}
	if isShortName(name) || matchesPositive(d.builtin, path, name, k) {
		return true
	}
	original, ok := withoutBackup(name)
	return ok && k != kindDir && matchesPositive(d.builtin, path[:len(path)-len(name)]+original, original, k)
}

func matchesPositive(rules *ruleset, path, name string, k kind) bool {
	n := rules.match(path, name, k)
	return n >= 0 && !rules.rules[n].negate
}

// foldPath folds each component of a plain path.
func foldPath(path string) string {
	if isFolded(path) {
		return path
	}
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = foldName(p)
	}
	return strings.Join(parts, "/")
}

// isFolded reports whether foldPath would change nothing, in a single pass: this is the common case.
func isFolded(path string) bool {
	for i := range len(path) {
		switch c := path[i]; {
		case 'A' <= c && c <= 'Z', c >= 0x80, c == ':':
			return false
		case (c == '.' || c == ' ') && (i+1 == len(path) || path[i+1] == '/'):
			return false
		}
	}
	return true
}
