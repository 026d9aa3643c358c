package code

import (
	"context"
	"path"
	"slices"
	"strings"

	"compactor/builtins/code/match"
	"compactor/builtins/code/symbols"
	"compactor/runtime/catalog"
	"compactor/runtime/contract"
	"compactor/runtime/sandbox"
)

// SymbolsInput is what code.symbols takes: a file, or a name, or both.
type SymbolsInput struct {
	Path  string `json:"path,omitempty" doc:"file whose definitions are listed"`
	Name  string `json:"name,omitempty" doc:"name to find in the whole tree: Close, Pool.Close or fs::read"`
	Kind  string `json:"kind,omitempty" doc:"keep one kind" enum:"function,method,class,interface,struct,enum,trait,type,constant,variable,field,member,macro,module,prototype,table,heading,key"`
	Under string `json:"under,omitempty" doc:"directory to look for the name in; all roots when left out"`
	Limit int    `json:"limit" doc:"definitions returned at most" default:"100" min:"1" max:"1000"`
}

// SymbolsOutput lists definitions by path and line.
type SymbolsOutput struct {
	Symbols   []Symbol `json:"symbols" doc:"definitions, by path and line"`
	Total     int      `json:"total" doc:"definitions found, also beyond the limit"`
	Truncated bool     `json:"truncated" doc:"there is more than is listed"`
	Notes     string   `json:"notes,omitempty" doc:"what was cut or left out"`
}

// Symbol is one definition.
type Symbol struct {
	Ref       string `json:"ref" doc:"path:line of the name"`
	EndLine   int    `json:"end_line" doc:"last line of the definition"`
	Kind      string `json:"kind" doc:"what it is: function, method, class, heading ..."`
	Name      string `json:"name" doc:"the name alone"`
	Container string `json:"container,omitempty" doc:"class, receiver, namespace or heading around it"`
	Signature string `json:"signature,omitempty" doc:"its head on one line, secrets masked"`
	Doc       string `json:"doc,omitempty" doc:"first sentence of its comment, secrets masked"`
}

// Symbols is code.symbols: the definitions of a file, or of a name.
func Symbols(redact ...Redact) catalog.Builtin {
	return catalog.New("code.symbols", "list the definitions of a file, or find those of a name in the whole tree", catalog.Roots,
		func(ctx context.Context, env *catalog.Env, in SymbolsInput) (SymbolsOutput, error) {
			s := symbolCall{in: in, redact: all(redact), name: parseName(in.Name)}
			s.in.Limit = within(in.Limit, 1, 1000)
			var found []symbolFile
			var err error
			switch {
			case strings.TrimSpace(in.Path) != "":
				found, err = s.outline(ctx, env)
			case s.name.base != "":
				found, err = s.search(ctx, env)
			default:
				err = inputError("code.symbols", "give path, to list a file's definitions, or name, to find those of a name")
			}
			if err != nil {
				return SymbolsOutput{}, err
			}
			return s.answer(ctx, env, found)
		})
}

type symbolCall struct {
	in     SymbolsInput
	redact Redact
	name   symbolName
	said   notes
}

// symbolFile is a file with the definitions that were asked for.
type symbolFile struct {
	root *sandbox.Root
	rel  string
	defs []symbols.Def
}

// outline finds the definitions of one file. It is booked here, before it is
// read; booking it again when it is quoted costs nothing.
func (s *symbolCall) outline(ctx context.Context, env *catalog.Env) ([]symbolFile, error) {
	file, _, _ := parsePlace(s.in.Path)
	root, _, e, err := findPlace(ctx, env, file)
	if err != nil {
		return nil, err
	}
	if e.Dir {
		return nil, coded(&sandbox.PathError{Root: root.Name(), Path: e.Path, Err: sandbox.ErrIsDir, Hint: "name a file in it, or give name and under"})
	}
	q, err := quote(ctx, env, root, e.Path, nil)
	if limit, ok := spent(err); ok {
		s.said.add("not read: %s", limit.Error())
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if symbols.Detect(e.Path, q.data) == "" {
		s.said.add("definitions are not read from files of this kind")
	}
	return []symbolFile{{root, e.Path, s.keep(symbols.Scan(e.Path, q.data))}}, nil
}

// keep drops definitions of another name or kind.
func (s *symbolCall) keep(defs []symbols.Def) []symbols.Def {
	var kept []symbols.Def
	for _, d := range defs {
		if (s.in.Kind == "" || s.in.Kind == string(d.Kind)) && s.name.is(d) {
			kept = append(kept, d)
		}
	}
	return kept
}

// search finds the definitions of a name: as it is written, and where there
// are none, ignoring case.
func (s *symbolCall) search(ctx context.Context, env *catalog.Env) ([]symbolFile, error) {
	found, err := s.scan(ctx, env)
	if err != nil || len(found) > 0 {
		return s.name.nearest(found), err
	}
	s.name.fold = true
	found, err = s.scan(ctx, env)
	if len(found) > 0 {
		s.said.add("no definition is written exactly so; case was ignored")
	}
	return s.name.nearest(found), err
}

// scan parses every file that holds the name at all.
func (s *symbolCall) scan(ctx context.Context, env *catalog.Env) ([]symbolFile, error) {
	list, err := branches(ctx, env, s.in.Under)
	if err != nil {
		return nil, err
	}
	m, err := match.Compile(s.name.base, match.Options{Literal: true, IgnoreCase: s.name.fold})
	if err != nil {
		return nil, inputError("code.symbols", "name: %w", err)
	}
	limited, cancel := scanTime(ctx, env.Scan)
	defer cancel()
	var found []symbolFile
	for _, b := range list {
		files, _, err := b.files(limited)
		if err != nil && limited.Err() == nil {
			return nil, err
		}
		more, err := s.scanBranch(limited, env, b, files, m)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if limited.Err() != nil {
		cutByTime(env, &s.said)
	}
	return found, nil
}

func (s *symbolCall) scanBranch(ctx context.Context, env *catalog.Env, b branch, files []sandbox.Entry, m *match.Matcher) ([]symbolFile, error) {
	perFile := make([][]symbols.Def, len(files))
	scanners := make([]*match.Scanner, max(env.Workers, 1))
	for i := range scanners {
		scanners[i] = m.NewScanner()
	}
	_, err := b.root.Scan(ctx, files, len(scanners), func(worker, i int, e sandbox.Entry, data []byte) {
		has := false
		err := scanners[worker].Lines(ctx, data, func(match.Line) bool { has = true; return false })
		if has && err == nil {
			perFile[i] = s.keep(symbols.Scan(e.Path, data))
		}
	})
	if err != nil {
		return nil, coded(err)
	}
	var found []symbolFile
	for i, defs := range perFile {
		if len(defs) > 0 {
			found = append(found, symbolFile{b.root, files[i].Path, defs})
		}
	}
	return found, nil
}

// answer books the files that are quoted and masks what is taken from them.
func (s *symbolCall) answer(ctx context.Context, env *catalog.Env, found []symbolFile) (SymbolsOutput, error) {
	out := SymbolsOutput{Symbols: []Symbol{}}
	for _, f := range found {
		out.Total += len(f.defs)
		room := s.in.Limit - len(out.Symbols)
		if room == 0 {
			continue
		}
		q, err := quote(ctx, env, f.root, f.rel, s.redact)
		limit, refused := spent(err)
		switch {
		case refused:
			s.said.add("signatures left out of some files: %s", limit.Error())
			out.Truncated = true
		case ctx.Err() != nil:
			return SymbolsOutput{}, ctx.Err()
		case err != nil:
			s.said.add("%s changed during the search", env.Roots.Ref(f.root, f.rel))
			continue
		}
		ref := env.Roots.Ref(f.root, f.rel)
		for _, d := range maskDefs(f.rel, f.defs[:min(len(f.defs), room)], q) {
			out.Symbols = append(out.Symbols, symbolOf(ref, d))
		}
	}
	out.Truncated = out.Truncated || len(out.Symbols) < out.Total || len(found) == 0 && len(s.said) > 0
	out.Notes = s.said.String()
	return out, nil
}

func symbolOf(ref string, d symbols.Def) Symbol {
	return Symbol{
		Ref: contract.Reference{Path: ref, Line: d.Line}.String(), EndLine: d.EndLine,
		Kind: string(d.Kind), Name: d.Name, Container: d.Container, Signature: d.Signature, Doc: d.Doc,
	}
}

// maskDefs takes signatures and comments from the masked text. They are cut
// short, and a secret that was cut is not to be told from other text. Without
// a text there are none.
func maskDefs(rel string, defs []symbols.Def, q *page) []symbols.Def {
	if q != nil && string(q.data) == q.masked {
		return defs
	}
	type key struct {
		line int
		name string
	}
	clean := map[key]symbols.Def{}
	if q != nil {
		for _, d := range symbols.Scan(rel, []byte(q.masked)) {
			clean[key{d.Line, d.Name}] = d
		}
	}
	out := make([]symbols.Def, len(defs))
	for i, d := range defs {
		c := clean[key{d.Line, d.Name}]
		d.Signature, d.Doc = c.Signature, c.Doc
		out[i] = d
	}
	return out
}

// symbolName is a name as it is asked for: Close, or Pool.Close.
type symbolName struct {
	base      string
	container string
	fold      bool // ignore case
}

// parseName splits at the last separator of any language. Brackets that
// people put behind functions do not belong to the name.
func parseName(s string) symbolName {
	s = strings.TrimSuffix(strings.TrimSpace(s), "()")
	cut, width := -1, 0
	for _, sep := range []string{".", "::", "#", "->", `\`} {
		if i := strings.LastIndex(s, sep); i > cut && i > 0 && i+len(sep) < len(s) && !strings.Contains(s, " ") {
			cut, width = i, len(sep)
		}
	}
	if cut < 0 {
		return symbolName{base: s}
	}
	return symbolName{base: s[cut+width:], container: s[:cut]}
}

// is reports whether a definition has the name. A container is matched by its
// last part: Pool matches engine.Pool. A definition without a container has
// the name too, as what stands before it may be a package; see nearest.
func (n symbolName) is(d symbols.Def) bool {
	switch {
	case n.base == "":
		return true
	case !n.equal(n.base, d.Name):
		return false
	case n.container == "" || d.Container == "":
		return true
	}
	return n.equal(lastPart(n.container), lastPart(d.Container))
}

func (n symbolName) equal(a, b string) bool {
	return a == b || n.fold && strings.EqualFold(a, b)
}

// nearest keeps the definitions that fit a qualified name best: those in a
// container of that name; else those in a directory or file of that name, as
// in io.ReadAll; else all.
func (n symbolName) nearest(found []symbolFile) []symbolFile {
	if n.container == "" {
		return found
	}
	owner := lastPart(n.container)
	for _, fits := range []func(rel string, d symbols.Def) bool{
		func(_ string, d symbols.Def) bool { return d.Container != "" },
		func(rel string, _ symbols.Def) bool { return n.equal(owner, path.Base(path.Dir(rel))) },
		func(rel string, _ symbols.Def) bool {
			return n.equal(owner, strings.TrimSuffix(path.Base(rel), path.Ext(rel)))
		},
	} {
		var kept []symbolFile
		for _, f := range found {
			f.defs = slices.DeleteFunc(slices.Clone(f.defs), func(d symbols.Def) bool { return !fits(f.rel, d) })
			if len(f.defs) > 0 {
				kept = append(kept, f)
			}
		}
		if len(kept) > 0 {
			return kept
		}
	}
	return found
}

// lastPart is the last identifier of a container, pointer marks and type
// parameters left out.
func lastPart(s string) string {
	if i := strings.IndexAny(s, "[<"); i > 0 {
		s = s[:i]
	}
	s = strings.Trim(s, "*&() ")
	if i := strings.LastIndexAny(s, `.:#>\/ `); i >= 0 {
		return s[i+1:]
	}
	return s
}
