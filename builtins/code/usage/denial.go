package usage

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/relation"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/retrieval/match"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

//go:embed lists/unread.txt
var unreadList string

//go:embed lists/dispatch.txt
var dispatchList string

// doubt holds the evidence against "nothing calls this definition". People delete code on such an
// answer, so it is given only if there is no doubt.
type doubt struct {
	aliases []trail  // other names under which it is imported or exported
	trails  []trail  // where its name occurs outside code that is parsed
	unseen  []string // possible callers that a search for its name misses
}

// trail is a place and what it holds.
type trail struct{ what, ref string }

// These bound the report of each kind of doubt.
const (
	maxTrails     = 3
	maxUnseen     = 3
	maxAbove      = 12 // lines above a definition that are searched for decorators
	trailsPerFile = 20
)

func (d *doubt) none() bool { return len(d.aliases)+len(d.trails)+len(d.unseen) == 0 }

// refs returns the places that String names.
func (d *doubt) refs() (out []string) {
	for _, list := range [][]trail{d.aliases, d.trails} {
		for _, t := range list[:min(len(list), maxTrails)] {
			out = append(out, t.ref)
		}
	}
	return out
}

// String describes the doubt in sentences, each preceded by a space.
func (d *doubt) String() string {
	var b strings.Builder
	if len(d.aliases) > 0 {
		b.WriteString(" It has another name: ")
		for i, t := range d.aliases[:min(len(d.aliases), maxTrails)] {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "`%s` (%s)", t.what, t.ref)
		}
		b.WriteString(moreOf(len(d.aliases)) + ", by which it may be called.")
	}
	last := ""
	for _, t := range d.trails[:min(len(d.trails), maxTrails)] {
		switch {
		case last == "":
			b.WriteString(" Its name stands " + t.what + " at ")
		case last == t.what:
			b.WriteString(", ")
		default:
			b.WriteString(", " + t.what + " at ")
		}
		b.WriteString(t.ref)
		last = t.what
	}
	if last != "" {
		b.WriteString(moreOf(len(d.trails)) + ", from where it may be called.")
	}
	if n := min(len(d.unseen), maxUnseen); n > 0 {
		b.WriteString(" It may be called unseen: " + strings.Join(d.unseen[:n], "; ") + ".")
	}
	return b.String()
}

func moreOf(n int) string {
	if n <= maxTrails {
		return ""
	}
	return fmt.Sprintf(" and %d more", n-maxTrails)
}

// denyUses reports that no call or use of a definition is known.
func (d *doubt) denyUses(name, place, verb string) string {
	if d.none() {
		return fmt.Sprintf("`%s`%s is not %s anywhere else in the tree.", name, place, verb)
	}
	noun := "use"
	if verb == "called" {
		noun = "call"
	}
	return fmt.Sprintf("No %s of `%s`%s was found under its own name.%s", noun, name, place, d)
}

// doubtOf looks for uses that a search for calls misses: the name in strings, in data and in
// unsupported languages, aliases of it, and calls by computed names.
func (u *Uses) doubtOf(ctx context.Context, env *catalog.Env, of rooted) (doubt, error) {
	var out doubt
	var root *sandbox.Root
	for _, r := range env.Roots.Roots() {
		if r.Name() == of.root {
			root = r
		}
	}
	if root == nil {
		return out, nil
	}
	s, err := newDoubtScan(env, root, of)
	if err != nil {
		return out, err
	}
	files, err := s.listFiles(ctx)
	if err != nil {
		return out, err
	}
	found := make([]fileDoubt, len(files))
	workers := make([]doubtWorker, source.CountWorkers(env))
	for i := range workers {
		workers[i] = doubtWorker{s.matcher.NewScanner(), source.NewParser(env)}
	}
	visit := sandbox.Visitor{
		Read: func(w, i int, e sandbox.Entry, data []byte, v sandbox.Version) {
			found[i] = s.scanFile(ctx, &workers[w], env.Roots.Ref(root, e.Path), data, v)
		},
		Skipped: func(_, i int, why error) { found[i].skipped = symbols.Language(files[i].Path) != "" },
	}
	if env.Cache != nil {
		visit.Known = func(int, int, sandbox.Version) bool { return false }
	}
	_, err = root.ScanVersions(ctx, files, len(workers), visit)
	if err := errors.Join(err, ctx.Err()); err != nil {
		return out, err
	}
	s.gather(&out, found)
	out.unseen = append(out.unseen, u.outsideCallers(of)...)
	return out, nil
}

// outsideCallers returns possible callers outside the tree: a library that has a supertype, or an
// interface.
func (u *Uses) outsideCallers(of rooted) (out []string) {
	if of.Lang == symbols.PowerShell {
		return []string{"with other letters in upper case, which are not searched"}
	}
	own := source.LastIdentifier(of.Container)
	if of.Kind != symbols.KindMethod || own == "" {
		return nil
	}
	for _, above := range u.heads[of.root][own] {
		if of.Lang == symbols.Go {
			break // an embedded type never calls methods of the embedding type
		}
		if _, known := u.heads[of.root][above]; !known && relation.IsTypeName(above) && above != "object" && above != "Object" {
			out = append(out, fmt.Sprintf("by `%s`, which `%s` extends", above, own))
		}
	}
	if of.Lang == symbols.Go && of.Exported {
		out = append(out, "by a library, through an interface")
	}
	return out[:min(len(out), 1)]
}

// doubtScan is the search for doubt about one definition.
type doubtScan struct {
	env      *catalog.Env
	root     *sandbox.Root
	of       rooted
	module   string // name by which scripts import its file
	dispatch []dispatch
	matcher  *match.Matcher
	words    []string
	callers  []string // other languages whose code can call it, and their file extensions
	unread   []string // those of them in the tree that are searched only as text
}

// dispatch is a construct that calls by a computed name.
type dispatch struct {
	lang symbols.Lang
	word string
	is   *regexp.Regexp
}

var readDispatch = sync.OnceValue(func() (out []dispatch) {
	for line := range strings.Lines(dispatchList) {
		if f := strings.SplitN(strings.TrimSpace(line), " ", 3); len(f) == 3 && f[0] != "#" {
			out = append(out, dispatch{symbols.Lang(f[0]), f[1], regexp.MustCompile(f[2])})
		}
	}
	return out
})

func newDoubtScan(env *catalog.Env, root *sandbox.Root, of rooted) (*doubtScan, error) {
	s := &doubtScan{env: env, root: root, of: of, words: []string{of.Name}}
	for _, d := range readDispatch() {
		if relation.SameFamily(d.lang, of.Lang) {
			s.dispatch = append(s.dispatch, d)
			if d.word != "-" && !slices.Contains(s.words, d.word) {
				s.words = append(s.words, d.word)
			}
		}
	}
	if relation.SameFamily(of.Lang, symbols.JavaScript) {
		if s.module = moduleName(of.Path); s.module != of.Name {
			s.words = append(s.words, s.module)
		}
	}
	var err error
	s.matcher, err = match.Any(s.words, match.Options{Word: true})
	return s, err
}

// moduleName returns the last part of the path by which a script imports a file.
func moduleName(p string) string {
	p = strings.TrimSuffix(p, path.Ext(p))
	if path.Base(p) == "index" && path.Dir(p) != "." {
		p = path.Dir(p)
	}
	return path.Base(p)
}

// listFiles lists the files to search, in any language, and records the extensions that are not
// parsed.
func (s *doubtScan) listFiles(ctx context.Context) ([]sandbox.Entry, error) {
	known, err := source.SurveyRoot(ctx, s.env, s.root)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(unreadList) {
		if f := strings.Fields(line); len(f) > 1 && f[0] != "#" && relation.SameFamily(symbols.Lang(f[0]), s.of.Lang) {
			s.callers = append(s.callers, f[1:]...)
		}
	}
	var out []sandbox.Entry
	for i, f := range known.Files {
		if coderank.BucketOf(f.Path, nil) == coderank.Vendored || isProse(f.Path) {
			continue
		}
		ext := strings.ToLower(path.Ext(f.Path))
		if slices.Contains(s.callers, ext) && symbols.Language(f.Path) == "" && !slices.Contains(s.unread, ext) {
			s.unread = append(s.unread, ext)
		}
		if source.MayContain(known.Words[i], s.words, 1) {
			out = append(out, f)
		}
	}
	slices.Sort(s.unread)
	return out, nil
}

// isProse reports whether the file is a document for people, which names code but does not call it.
func isProse(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".txt", ".po", ".pot", ".svg", ".tex", ".map", ".lock", ".snap", ".sum":
		return true
	case ".mdx":
		return false
	}
	switch symbols.Language(p) {
	case symbols.Markdown, symbols.AsciiDoc, symbols.RST:
		return true
	}
	return false
}

// fileDoubt is the evidence from one file.
type fileDoubt struct {
	doubt
	defaults []trail // local names for another module's default export
	dispatch string  // the first place that calls by a computed name
	handedOn string  // decorator or trait of the definition that may pass it to a caller
	anyName  bool    // it is the default export, so importers choose its name
	skipped  bool
}

func (s *doubtScan) gather(out *doubt, found []fileDoubt) {
	skipped, named := 0, ""
	anyName := slices.ContainsFunc(found, func(f fileDoubt) bool { return f.anyName })
	for _, f := range found {
		out.trails = append(out.trails, f.trails...)
		out.aliases = append(out.aliases, f.aliases...)
		if anyName {
			out.aliases = append(out.aliases, f.defaults...)
		}
		if f.dispatch != "" && named == "" {
			named = f.dispatch
		}
		if f.handedOn != "" {
			out.unseen = append(out.unseen, fmt.Sprintf("by whatever `%s` above it passes it to", f.handedOn))
		}
		if f.skipped {
			skipped++
		}
	}
	if anyName && len(out.aliases) == 0 {
		out.unseen = append(out.unseen, "as the default export, by names of its importers")
	}
	if named != "" {
		out.unseen = append(out.unseen, "by a computed name, as at "+named)
	}
	if len(s.unread) > 0 {
		out.unseen = append(out.unseen, "from "+strings.Join(s.unread[:min(len(s.unread), 4)], ", ")+" files, which are searched as text alone")
	}
	if skipped > 0 {
		out.unseen = append(out.unseen, "from "+words.Count(skipped, "file")+" that could not be read")
	}
}

type doubtWorker struct {
	lines  *match.Scanner
	parser source.Parser
}

// kinds returns a function that classifies an offset of a file, and parses the file on its first
// call.
func (w *doubtWorker) kinds(ref string, data []byte, v sandbox.Version) func(int) symbols.SpanKind {
	spans := sync.OnceValue(func() []source.Span {
		_, spans := w.parser.Parse(v, ref, data)
		return spans
	})
	return func(at int) symbols.SpanKind {
		all := spans()
		i, _ := slices.BinarySearchFunc(all, at, func(s source.Span, at int) int { return cmp.Compare(int(s.To), at+1) })
		if i < len(all) && int(all[i].From) <= at {
			return all[i].Kind
		}
		return symbols.SpanCode
	}
}

// scanFile collects the evidence of one file.
func (s *doubtScan) scanFile(ctx context.Context, w *doubtWorker, ref string, data []byte, v sandbox.Version) (out fileDoubt) {
	lang := symbols.Detect(ref, data)
	own := ref == s.of.Path
	kind := w.kinds(ref, data, v)
	generated := coderank.BucketOf(ref, data[:min(len(data), 1024)]) == coderank.Generated
	foreign := s.isForeign(ref, lang)
	has := false
	_ = w.lines.Lines(ctx, data, func(l match.Line) bool {
		text := data[l.Start:l.End]
		if source.IsCommentLine(text) {
			return true
		}
		has = true
		at := source.IndexWord(text, s.of.Name)
		if at < 0 || len(out.trails)+len(out.aliases) >= trailsPerFile || own && l.Number >= s.of.Line && l.Number <= s.of.EndLine {
			return true
		}
		here := contract.Reference{Path: ref, Line: l.Number}.String()
		how := howNamed(data, l.Start+at, lang, generated, kind)
		if how == "" && foreign && kind(l.Start+at) == symbols.SpanCode {
			how = "in " + string(lang) + " code"
		}
		if how != "" {
			out.trails = append(out.trails, trail{how, here})
		} else if alias := aliasAt(data, l.Start+at, s.of.Name); alias != "" {
			out.aliases = append(out.aliases, trail{alias, here})
		}
		return true
	})
	if has && relation.SameFamily(lang, s.of.Lang) {
		out.dispatch = s.findDispatch(ref, data, kind)
	}
	if own {
		out.handedOn = handedOn(data, s.of)
		out.anyName = s.module != "" && exportsDefault(data, s.of)
	} else if has && s.module != "" && (lang == "" || relation.SameFamily(lang, s.of.Lang)) {
		out.defaults = s.defaultImports(ref, data)
	}
	return out
}

// isForeign reports whether a file in another language may call the definition.
func (s *doubtScan) isForeign(ref string, lang symbols.Lang) bool {
	return !relation.SameFamily(lang, s.of.Lang) && (slices.Contains(s.callers, strings.ToLower(path.Ext(ref))) || slices.Contains(s.callers, string(lang)))
}

var (
	givenName = lazyregexp.New(`^\s+as\s+([A-Za-z_$][\w$]*)`)
	pairName  = lazyregexp.New(`^\s*(?:=>|:)\s*([A-Za-z_$][\w$]*)`)
	takesOver = lazyregexp.New(`\b(?:import|export|use|using|alias|from)\b`)
)

// asPlainText describes a name in a file whose language is not parsed.
const asPlainText = "as text"

// howNamed describes how the name at an offset occurs; "" for parsed code, comments and export
// lists.
func howNamed(data []byte, at int, lang symbols.Lang, generated bool, kind func(int) symbols.SpanKind) string {
	switch lang {
	case "":
		return asPlainText
	case symbols.YAML, symbols.TOML, symbols.JSON, symbols.Markdown:
		return "in data"
	}
	switch k := kind(at); {
	case k == symbols.SpanComment, k == symbols.SpanString && listsExports(data[:at]):
		return ""
	case k == symbols.SpanString:
		return "in a string"
	case generated:
		return "in generated code"
	}
	return ""
}

// aliasAt returns the name that an import or export gives to the one at an offset, or "".
func aliasAt(data []byte, at int, name string) string {
	after := data[at+len(name):]
	after = after[:min(len(after), 100)]
	if m := givenName.FindStringSubmatch(string(after)); m != nil && m[1] != name {
		return m[1]
	}
	before := data[max(0, at-2000):at]
	before = before[bytes.LastIndexAny(before, ";)}=")+1:]
	if m := pairName.FindStringSubmatch(string(after)); m != nil && m[1] != name && (takesOver.Match(before) || takenApart(after)) {
		return m[1]
	}
	return ""
}

// takenApart reports whether a list of names in braces is the left side of an assignment:
// const { a: b } = require('x').
func takenApart(after []byte) bool {
	_, rest, ok := bytes.Cut(after, []byte("}"))
	return ok && bytes.HasPrefix(bytes.TrimSpace(rest), []byte("="))
}

// listsExports reports whether the text ends inside a Python module's __all__, which lists the
// names that it exports.
func listsExports(before []byte) bool {
	i := bytes.LastIndex(before, []byte("__all__"))
	return i >= 0 && bytes.IndexByte(before[i:], ']') < 0
}

// findDispatch finds the first place of a file that calls by a computed name.
func (s *doubtScan) findDispatch(ref string, data []byte, kind func(int) symbols.SpanKind) string {
	n, next := 0, 0
	for line := range bytes.Lines(data) {
		at := next
		n, next = n+1, next+len(line)
		if len(line) > 1000 || source.IsCommentLine(line) {
			continue
		}
		for _, d := range s.dispatch {
			if d.word != "-" && !bytes.Contains(line, []byte(d.word)) {
				continue
			}
			if m := d.is.FindIndex(line); m != nil && kind(at+m[1]-1) == symbols.SpanCode {
				return contract.Reference{Path: ref, Line: n}.String()
			}
		}
	}
	return ""
}

var (
	defaultExport = lazyregexp.New(`\bexport\s+default\s+(?:async\s+)?(?:function\s*\*?\s*|class\s+|abstract\s+class\s+)?([A-Za-z_$][\w$]*)|\bmodule\.exports\s*=\s*([A-Za-z_$][\w$]*)\s*;?\s*$`)
	defaultFrom   = lazyregexp.New(`(?:\bimport\s+|\b(?:const|let|var)\s+)([A-Za-z_$][\w$]*)\s*(?:,[^'";]*)?(?:\bfrom\s*|=\s*(?:await\s+)?(?:require|import)\(\s*)['"]([^'"]+)['"]|\bexport\s*\{\s*default\s+as\s+([\w$]+)[^'"]*['"]([^'"]+)['"]`)
)

// exportsDefault reports whether the file has the definition or its container as default export,
// which importers name.
func exportsDefault(data []byte, of rooted) bool {
	for line := range bytes.Lines(data) {
		for _, m := range defaultExport.FindAllStringSubmatch(string(line[:min(len(line), 1000)]), -1) {
			if name := m[1] + m[2]; name == of.Name || source.LastIdentifier(of.Container) == name && name != "" {
				return true
			}
		}
	}
	return false
}

// defaultImports returns the names under which a file imports the default export of the
// definition's file.
func (s *doubtScan) defaultImports(ref string, data []byte) (out []trail) {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		m := defaultFrom.FindStringSubmatch(string(line[:min(len(line), 1000)]))
		if m == nil || moduleName(m[2]+m[4]) != s.module && path.Base(m[2]+m[4]) != s.module {
			continue
		}
		if alias := m[1] + m[3]; alias != s.of.Name && len(out) < maxTrails {
			out = append(out, trail{alias, contract.Reference{Path: ref, Line: n}.String()})
		}
	}
	return out
}

var (
	decorates = lazyregexp.New(`^\s*(?:@|#\[|\[)\s*([A-Za-z_][\w.:]*)`)
	inert     = lazyregexp.New(`^(?i:override|deprecated|obsolete|suppress\w*|staticmethod|classmethod|property|(?:\w+\.)?(?:setter|getter|deleter)|(?:\w+\.)?abstractmethod|(?:functools\.)?(?:cache|lru_cache|wraps|cached_property)|(?:typing\.)?(?:overload|override|final)|final|inline\w*|must_use|allow|warn|expect|doc|derive|cfg|cold|track_caller|target_feature|nullable|notnull|nonnull|safevarargs|jvm\w+|throws|discardableresult|objc|mainactor|available|pure|methodimpl|returntypewillchange|spec|doc|typedoc|moduledoc|since|impl)$`)
)

// handedOn returns what above a definition may pass it to a caller: a decorator, or a Rust trait,
// which another crate may use.
func handedOn(data []byte, of rooted) string {
	lines := bytes.Split(data, []byte("\n"))
	if of.Line > len(lines) {
		return ""
	}
	indent := func(l []byte) int { return len(l) - len(bytes.TrimLeft(l, " \t")) }
	for i := of.Line - 2; i >= max(0, of.Line-maxAbove); i-- {
		text := bytes.TrimSpace(lines[i])
		if m := decorates.FindStringSubmatch(string(text)); m != nil {
			if !inert.MatchString(m[1]) {
				return string(bytes.TrimLeft(text[:1], "[")) + m[1]
			}
			continue
		}
		within := len(text) > 0 && (indent(lines[i]) > indent(lines[of.Line-1]) || text[0] == ')' || text[0] == ']')
		if !within && !source.IsCommentLine(lines[i]) {
			break
		}
	}
	if of.Lang != symbols.Rust || of.Container == "" {
		return ""
	}
	for i := min(of.Line-1, len(lines)-1); i >= 0; i-- {
		if text := bytes.TrimSpace(lines[i]); bytes.HasPrefix(text, []byte("impl")) {
			if head, _, ok := bytes.Cut(text, []byte(" for ")); ok {
				return strings.TrimSpace(strings.TrimPrefix(string(head), "impl"))
			}
			return ""
		}
	}
	return ""
}
