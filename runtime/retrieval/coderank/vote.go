package coderank

import (
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/idents"
)

// Votes for the ways to name a file; each further mention of a kind counts less.
const (
	voteFrame     = 1.0
	votePath      = 1.0
	voteModule    = 0.7
	voteDirectory = 0.15
	votePackage   = 0.4
	voteFade      = 0.75
	// voteTies is the maximum number of files that one mention may mean; with more, the mention
	// says nothing.
	voteTies = 3
)

// Factors of mentions that say less than others. Measured on public bug reports.
const (
	trustImported = .3 // the user's own snippet imports it
	trustInit     = .3 // __init__.py in a trace: everything passes through it
	trustOther    = .2 // not a source file: the user's configuration, or a listing
)

// trustFactor returns the factor of a mention by its kind.
func (n Named) trustFactor(in Intent) float64 {
	switch {
	case n.Imported:
		return trustImported
	case path.Base(n.Path) == "__init__.py":
		return trustInit
	case n.Kind == NamedPath && path.Ext(n.Path) != "" && !IsSource(n.Path) && !in.Path && !in.Config && !in.Docs:
		return trustOther
	}
	return 1
}

// functionAt returns the function of the frame with the i-th line.
func (n Named) functionAt(i int) string {
	switch {
	case i == 0:
		return n.Func
	case i <= len(n.Funcs):
		return n.Funcs[i-1]
	}
	return ""
}

// frame is a line that a trace names.
type frame struct {
	file string
	line int
}

// resolveNamed resolves the mentions in the question to files of the tree, by the longest path suffix.
// Mentions that resolve to no file, or to too many, are ignored.
func (r *Ranker) resolveNamed() {
	r.named, r.lines, r.pointed = map[string]float64{}, map[string][]int{}, nil
	r.frames = map[frame]string{}
	q := r.plan.query
	named := withOddNames(q, r.files)
	if len(named) == 0 {
		return
	}
	byBase := map[string][]string{}
	for _, n := range named {
		for _, p := range n.guessPaths() {
			byBase[strings.ToLower(path.Base(p))] = nil
		}
	}
	for i := range r.files {
		p := r.files[i].path
		for _, key := range baseKeys(p) {
			if _, ok := byBase[key]; ok {
				byBase[key] = append(byBase[key], p)
			}
		}
	}
	for _, n := range named {
		r.voteFor(n, byBase)
	}
}

// withOddNames adds to the named files those whose names no path pattern finds in the question, because they
// contain a blank or a colon. Files that are named only by a part of an odd name are left out.
func withOddNames(q *Query, files []counted) []Named {
	text := strings.ToLower(q.Text)
	rest := text
	var odd []Named
	for i := range files {
		base := files[i].path[strings.LastIndexByte(files[i].path, '/')+1:]
		if len(base) > maxOdd || !strings.ContainsAny(base, " :,;'\"()&") || path.Ext(base) == "" || len(odd) == maxNamed {
			continue
		}
		base = strings.ToLower(base)
		at := wholeIn(text, base)
		if at < 0 || slices.ContainsFunc(odd, func(n Named) bool { return n.Path == base }) {
			continue
		}
		n := Named{Path: base, Kind: NamedPath, Rank: len(odd)}
		if line := lineBehind.FindStringSubmatch(text[at+len(base):]); line != nil {
			n.Line = parseNumber(line[1])
		}
		odd = append(odd, n)
		rest = strings.ReplaceAll(rest, base, "\n")
	}
	if len(odd) == 0 {
		return q.Named
	}
	for _, n := range q.Named {
		if strings.Contains(rest, strings.ToLower(n.Path)) {
			odd = append(odd, n)
		}
	}
	return odd
}

// lineBehind matches the line number after the name of a file.
var lineBehind = lazyregexp.New(`^:(\d+)\b`)

// wholeIn returns the first position of name in text that is not right after a part of a word, or -1.
func wholeIn(text, name string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return -1
		}
		at := from + i
		if at == 0 || !idents.WordByte(text[at-1]) {
			return at
		}
		from = at + 1
	}
}

// maxOdd is the maximum length in bytes of a name that withOddNames looks for.
const maxOdd = 100

// baseKeys returns the lower-case names under which a file is looked up: its name, its name without
// extension, and for an index file the name of its directory.
func baseKeys(p string) []string {
	base := strings.ToLower(path.Base(p))
	stem := strings.TrimSuffix(base, path.Ext(base))
	keys := []string{base}
	if stem != base {
		keys = append(keys, stem)
	}
	if d := path.Base(path.Dir(p)); indexNames[stem] && d != "." {
		keys = append(keys, strings.ToLower(d))
	}
	return keys
}

var indexNames = set(`__init__ index mod lib`)

// guessPaths returns the paths that a mention may mean, the likeliest first.
func (n Named) guessPaths() []string {
	if n.Kind != NamedModule {
		return []string{strings.Trim(n.Path, "/")}
	}
	p := strings.ReplaceAll(n.Path, ".", "/")
	out := []string{p}
	for range 2 { // the last parts may be a class and a method
		i := strings.LastIndexByte(p, '/')
		if i < 0 || !strings.Contains(p[:i], "/") {
			break
		}
		p = p[:i]
		out = append(out, p)
	}
	return out
}

func (r *Ranker) voteFor(n Named, byBase map[string][]string) {
	weight := map[NamedKind]float64{NamedFrame: voteFrame, NamedPath: votePath, NamedModule: voteModule}[n.Kind]
	weight *= n.trustFactor(r.plan.query.Intent)
	for range n.Rank {
		weight *= voteFade
	}
	for _, g := range n.guessPaths() {
		files := longestSuffix(g, byBase[strings.ToLower(path.Base(g))], n.Kind == NamedModule)
		if len(files) == 0 {
			continue
		}
		if len(files) <= voteTies {
			for _, f := range files {
				r.named[f] += weight / float64(len(files))
				for i, line := range append([]int{n.Line}, n.More...) {
					r.recordLine(f, line, n.functionAt(i))
				}
			}
		}
		return
	}
	if n.Kind == NamedPath {
		r.voteDir(strings.Trim(n.Path, "/"), weight)
	}
}

// recordLine records a line that the question names, and the order in which files were named with a
// line.
func (r *Ranker) recordLine(file string, line int, function string) {
	if line > 0 && len(r.lines[file]) < maxPlaces && !slices.Contains(r.lines[file], line) {
		if r.lines[file] == nil {
			r.pointed = append(r.pointed, file)
		}
		r.lines[file] = append(r.lines[file], line)
		if function != "" {
			r.frames[frame{file, line}] = function
		}
	}
}

// traceFirst puts the files of a bare stack trace before all others, the
// deepest frame in the project's own code first.
func (r *Ranker) traceFirst() {
	if !r.plan.query.Intent.Trace {
		return
	}
	for _, d := range r.docs {
		if at := slices.Index(r.pointed, d.path); at >= 0 && d.bucket != Vendored {
			d.score += traceBonus * float64(len(r.pointed)-at)
		}
	}
}

// traceBonus is more than any file scores by its words.
const traceBonus = 100

// voteDir lifts the files under a directory that the question names. A scoped package, such as
// @acme/billing, is a directory with its last name.
func (r *Ranker) voteDir(dir string, weight float64) {
	weight *= voteDirectory
	switch scope, name, ok := strings.Cut(dir, "/"); {
	case !ok:
		return
	case strings.HasPrefix(scope, "@"):
		dir, weight = name, votePackage
	}
	for i := range r.files {
		p := r.files[i].path
		if strings.HasPrefix(p, dir+"/") || strings.Contains(p, "/"+dir+"/") {
			r.named[p] += weight
		}
	}
}

// longestSuffix keeps the files that share the most trailing path parts with the mention. A mention
// of several parts must share at least two of them: any other index.js is not meant. A module must
// be shared whole.
func longestSuffix(mention string, files []string, whole bool) []string {
	want := strings.Split(strings.ToLower(mention), "/")
	need := min(len(want), 2)
	if whole {
		need = len(want)
	}
	best, out := need, []string(nil)
	for _, f := range files {
		switch n := sharedParts(want, f); {
		case n > best:
			best, out = n, append(out[:0], f)
		case n == best:
			out = append(out, f)
		}
	}
	return out
}

// sharedParts counts the trailing parts that a mention shares with a file,
// whose extension, or index name, the mention may leave out.
func sharedParts(want []string, file string) int {
	best := 0
	low := strings.ToLower(file)
	bare := strings.TrimSuffix(low, path.Ext(low))
	forms := []string{low, bare}
	if indexNames[path.Base(bare)] {
		forms = append(forms, path.Dir(bare))
	}
	for _, form := range forms {
		have := strings.Split(form, "/")
		n := 0
		for n < len(want) && n < len(have) && want[len(want)-1-n] == have[len(have)-1-n] {
			n++
		}
		best = max(best, n)
	}
	return best
}
