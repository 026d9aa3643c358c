package sandbox

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/glob"
)

// A ruleset is a list of rules compiled for speed: the last rule that matches decides. Most rules are names, extensions
// or literal paths and are found by one map lookup; only the rest is tried one by one, last first, and only while a
// rule later than the best match so far could still match.
type ruleset struct {
	rules []rule
	names index[latest]   // literal last components
	exts  index[latest]   // "*.go" under "go"
	paths index[latest]   // literal anchored paths
	tails index[[]int]    // "**/a/b" by its last component
	head  [256][]globRule // patterns for names by their first byte, a literal
	tail  [256][]globRule // patterns for names that start with a wildcard, by their last byte, a literal
	loose []globRule      // patterns for names that neither start nor end with a literal
	globs []globRule      // anchored patterns with wildcards
}

// latest holds for each kind of rule the highest number of a rule that matches, plus one.
type latest [3]int

func (l *latest) add(k kind, number int) { l[k] = number + 1 }

// lastFor returns the number of the last rule that applies to kind k, or -1.
func (l latest) lastFor(k kind) int {
	if k == kindDir {
		return max(l[kindAny], l[kindDir]) - 1
	}
	return max(l[kindAny], l[kindFile]) - 1
}

// index is a map with a cheap test in front: most names match no rule, and few share first byte and length with a key.
type index[V any] struct {
	values map[string]V
	sizes  [256]uint64 // by first byte, one bit for each length of a key; lengths from 63 on share a bit
}

func (x *index[V]) put(key string, v V) {
	if x.values == nil {
		x.values = map[string]V{}
	}
	x.values[key] = v
	if key != "" {
		x.sizes[key[0]] |= 1 << min(len(key), 63)
	}
}

// mayContain reports whether key can be in the index.
func (x *index[V]) mayContain(key string) bool {
	return key != "" && x.sizes[key[0]]&(1<<min(len(key), 63)) != 0
}

func (x *index[V]) get(key string) (v V) {
	if x.mayContain(key) {
		v = x.values[key]
	}
	return v
}

// globRule is a rule with the literal text at its ends, as a cheap test before matching.
type globRule struct {
	number int
	prefix string // for paths: whole components, with the closing slash
	suffix string // "" for paths
}

func (g *globRule) mayMatch(text string) bool {
	return strings.HasPrefix(text, g.prefix) && strings.HasSuffix(text, g.suffix)
}

func compileRules(rules []rule) *ruleset {
	set := &ruleset{rules: rules}
	for i, r := range rules {
		if r.segments != nil {
			set.addPath(i, r)
		} else {
			set.addName(i, r)
		}
	}
	return set
}

func (s *ruleset) addName(i int, r rule) {
	if text, ok := plainText(r.name); ok {
		putRule(&s.names, text, r.kind, i)
		return
	}
	if ext, ok := strings.CutPrefix(r.name, "*."); ok && ext != "" && !strings.ContainsAny(ext, `*?[\.`) {
		putRule(&s.exts, ext, r.kind, i)
		return
	}
	first, last := r.name[0], r.name[len(r.name)-1]
	switch {
	case !strings.ContainsRune(`*?[\`, rune(first)):
		s.head[first] = append(s.head[first], globRule{number: i, prefix: r.name[:strings.IndexAny(r.name, `*?[\`)]})
	case !strings.ContainsRune(`*?]`, rune(last)) && !strings.Contains(r.name, `\`):
		s.tail[last] = append(s.tail[last], globRule{number: i, suffix: r.name[strings.LastIndexAny(r.name, `*?]`)+1:]})
	default:
		s.loose = append(s.loose, globRule{number: i})
	}
}

func (s *ruleset) addPath(i int, r rule) {
	literal := make([]string, 0, len(r.segments))
	for _, seg := range r.segments {
		text, ok := plainText(seg)
		if !ok {
			break
		}
		literal = append(literal, text)
	}
	if len(literal) == len(r.segments) {
		putRule(&s.paths, strings.Join(literal, "/"), r.kind, i)
		return
	}
	if n := len(r.segments); n > 1 && r.segments[0] == "**" {
		if last, ok := plainText(r.segments[n-1]); ok {
			s.tails.put(last, append(s.tails.values[last], i))
			return
		}
	}
	prefix := ""
	if len(literal) > 0 {
		prefix = strings.Join(literal, "/") + "/"
	}
	s.globs = append(s.globs, globRule{number: i, prefix: prefix})
}

func putRule(x *index[latest], key string, k kind, number int) {
	l := x.values[key]
	l.add(k, number)
	x.put(key, l)
}

// match returns the number of the rule that decides about a plain path, or -1. The path is relative to the directory of
// the rules, and name is its last component.
func (s *ruleset) match(path, name string, k kind) int {
	best := s.names.get(name).lastFor(k)
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		best = max(best, s.exts.get(name[dot+1:]).lastFor(k))
	}
	if s.paths.values != nil {
		best = max(best, s.paths.get(path).lastFor(k))
	}
	best = s.tryNames(s.head[name[0]], name, k, best)
	best = s.tryNames(s.tail[name[len(name)-1]], name, k, best)
	best = s.tryNames(s.loose, name, k, best)
	best = s.tryTails(s.tails.get(name), path, k, best)
	return s.tryGlobs(path, k, best)
}

func (s *ruleset) tryNames(globs []globRule, name string, k kind, best int) int {
	for i := len(globs) - 1; i >= 0 && globs[i].number > best; i-- {
		g := &globs[i]
		if r := &s.rules[g.number]; g.mayMatch(name) && r.appliesTo(k) && glob.Bytes.Match(r.name, name) {
			return g.number
		}
	}
	return best
}

func (s *ruleset) tryTails(numbers []int, path string, k kind, best int) int {
	for i := len(numbers) - 1; i >= 0 && numbers[i] > best; i-- {
		if r := &s.rules[numbers[i]]; r.appliesTo(k) && glob.Bytes.MatchPath(r.segments, path) {
			return numbers[i]
		}
	}
	return best
}

func (s *ruleset) tryGlobs(path string, k kind, best int) int {
	for i := len(s.globs) - 1; i >= 0 && s.globs[i].number > best; i-- {
		g := &s.globs[i]
		if r := &s.rules[g.number]; g.mayMatch(path) && r.appliesTo(k) && glob.Bytes.MatchPath(r.segments, path) {
			return g.number
		}
	}
	return best
}

// appliesTo reports whether a rule applies to names of kind k. Links and special files count as files, as in git.
func (r *rule) appliesTo(k kind) bool {
	return r.kind == kindAny || (r.kind == kindDir) == (k == kindDir)
}
