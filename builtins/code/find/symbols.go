package find

import (
	"context"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/match"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// SymbolsInput is the input of code.symbols: a file, or a name, or both.
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

// Symbols returns code.symbols, which lists the definitions of a file, or of a name.
func Symbols(redact ...source.Redactor) catalog.Builtin {
	return catalog.New("code.symbols", "list the definitions of a file, or find those of a name in the whole tree", catalog.Roots,
		func(ctx context.Context, env *catalog.Env, in SymbolsInput) (SymbolsOutput, error) {
			s := symbolCall{in: in, redact: source.JoinRedactors(redact), name: ParseSymbolName(in.Name)}
			s.in.Limit = clampLimit(in.Limit, 1, 1000)
			found, err := s.findSymbols(ctx, env)
			if err != nil {
				return SymbolsOutput{}, err
			}
			return s.answer(ctx, env, found)
		})
}

func (s *symbolCall) findSymbols(ctx context.Context, env *catalog.Env) ([]symbolFile, error) {
	switch {
	case strings.TrimSpace(s.in.Path) != "":
		return s.ofAnyKind(ctx, env, s.outline)
	case s.name.Base != "":
		return s.ofAnyKind(ctx, env, s.search)
	}
	return nil, source.InputError("code.symbols", "give path, to list a file's definitions, or name, to find those of a name")
}

// ofAnyKind falls back to definitions of the name that are of another kind if none is of the
// requested kind: a class in one language is a struct in another.
func (s *symbolCall) ofAnyKind(ctx context.Context, env *catalog.Env, find func(context.Context, *catalog.Env) ([]symbolFile, error)) ([]symbolFile, error) {
	before := s.name
	found, err := find(ctx, env)
	if err != nil || s.in.Kind == "" || s.name.Base == "" || countDefinitions(found) > 0 {
		return found, err
	}
	kind := s.in.Kind
	s.in.Kind, s.name = "", before
	if found, err = find(ctx, env); countDefinitions(found) > 0 {
		s.said.add("none is a %s; other kinds are listed", kind)
	}
	return found, err
}

func countDefinitions(files []symbolFile) int {
	n := 0
	for _, f := range files {
		n += len(f.defs)
	}
	return n
}

type symbolCall struct {
	in     SymbolsInput
	redact source.Redactor
	name   SymbolName
	said   noteList
}

// symbolFile is a file with its matching definitions.
type symbolFile struct {
	root *sandbox.Root
	rel  string
	defs []symbols.Def
}

// outline finds the definitions of one file.
func (s *symbolCall) outline(ctx context.Context, env *catalog.Env) ([]symbolFile, error) {
	file, _, _ := source.ParsePlace(s.in.Path)
	root, _, e, err := source.ResolvePath(ctx, env, file)
	if err != nil {
		return nil, err
	}
	if e.Dir {
		return nil, source.WithCode(&sandbox.PathError{Root: root.Name(), Path: e.Path, Err: sandbox.ErrIsDir, Hint: "name a file in it, or give name and under"})
	}
	data, err := root.ReadFile(ctx, e.Path, nil)
	if err != nil {
		return nil, source.WithCode(err)
	}
	if symbols.Detect(e.Path, data) == "" {
		s.said.add("definitions are not read from files of this kind")
	}
	return []symbolFile{{root, e.Path, s.keep(symbols.Scan(e.Path, data))}}, nil
}

// keep drops definitions of another name or kind.
func (s *symbolCall) keep(defs []symbols.Def) []symbols.Def {
	var kept []symbols.Def
	for _, d := range defs {
		if (s.in.Kind == "" || s.in.Kind == string(d.Kind)) && s.name.matches(d) {
			kept = append(kept, d)
		}
	}
	return kept
}

// search finds the definitions of a name, exactly as written or, failing that, ignoring case.
func (s *symbolCall) search(ctx context.Context, env *catalog.Env) ([]symbolFile, error) {
	found, err := s.scan(ctx, env)
	if err != nil || len(found) > 0 {
		return s.name.keepNearest(found), err
	}
	s.name.fold = true
	found, err = s.scan(ctx, env)
	if len(found) > 0 {
		s.said.add("no definition is written exactly so; case was ignored")
	}
	return s.name.keepNearest(found), err
}

// scan parses every file that contains the name.
func (s *symbolCall) scan(ctx context.Context, env *catalog.Env) ([]symbolFile, error) {
	list, err := resolveSubtrees(ctx, env, s.in.Under)
	if err != nil {
		return nil, err
	}
	m, err := match.Compile(s.name.Base, match.Options{Literal: true, IgnoreCase: s.name.fold})
	if err != nil {
		return nil, source.InputError("code.symbols", "name: %w", err)
	}
	limited, cancel := source.LimitScan(ctx, env.Scan)
	defer cancel()
	var found []symbolFile
	seen := 0
	for _, b := range list {
		files, _, err := b.files(limited)
		if err != nil && limited.Err() == nil {
			return nil, err
		}
		seen += len(files)
		more, err := s.scanSubtree(limited, env, b, files, m)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	env.Ledger.Scanned(seen)
	if limited.Err() != nil {
		s.said.addTimeCut(env, "under")
	}
	return found, nil
}

func (s *symbolCall) scanSubtree(ctx context.Context, env *catalog.Env, b subtree, files []sandbox.Entry, m *match.Matcher) ([]symbolFile, error) {
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
		return nil, source.WithCode(err)
	}
	var found []symbolFile
	for i, defs := range perFile {
		if len(defs) > 0 {
			found = append(found, symbolFile{b.root, files[i].Path, defs})
		}
	}
	return found, nil
}

// answer masks and books the text that it quotes. A definition that the ledger refuses is listed
// without its signature.
func (s *symbolCall) answer(ctx context.Context, env *catalog.Env, found []symbolFile) (SymbolsOutput, error) {
	out := SymbolsOutput{Symbols: []Symbol{}}
	for _, f := range found {
		out.Total += len(f.defs)
		f.defs = f.defs[:min(len(f.defs), s.in.Limit-len(out.Symbols))]
		if len(f.defs) == 0 {
			continue
		}
		p, err := source.OpenMasked(ctx, env, f.root, f.rel, s.redact)
		if err == nil {
			err = p.Mask(ctx, 1, len(p.Raw))
		}
		if ctx.Err() != nil {
			return SymbolsOutput{}, ctx.Err()
		}
		if err != nil {
			s.said.addCut("%s changed during the search", env.Roots.Ref(f.root, f.rel))
			continue
		}
		out.Symbols = append(out.Symbols, s.quote(env, p, f)...)
	}
	out.Truncated = s.said.partial || len(out.Symbols) < out.Total
	out.Notes = s.said.String()
	return out, nil
}

func (s *symbolCall) quote(env *catalog.Env, p *source.MaskedFile, f symbolFile) []Symbol {
	var list []Symbol
	size := 0
	for _, d := range maskDefs(f.rel, f.defs, p) {
		list = append(list, symbolOf(p.Ref, d))
		size += len(d.Signature) + len(d.Doc)
	}
	if !bookQuote(env, p.Ref, size, &s.said, "signatures left out of some files") {
		for i := range list {
			list[i].Signature, list[i].Doc = "", ""
		}
	}
	return list
}

func symbolOf(ref string, d symbols.Def) Symbol {
	return Symbol{
		Ref: contract.Reference{Path: ref, Line: d.Line}.String(), EndLine: d.EndLine,
		Kind: string(d.Kind), Name: d.Name, Container: d.Container, Signature: d.Signature, Doc: d.Doc,
	}
}

// maskDefs takes signatures and comments from the masked text. They are shortened, and a truncated
// secret could no longer be recognized.
func maskDefs(rel string, defs []symbols.Def, p *source.MaskedFile) []symbols.Def {
	if slices.Equal(p.Raw, p.Masked) {
		return defs
	}
	type key struct {
		line int
		name string
	}
	clean := map[key]symbols.Def{}
	for _, d := range symbols.Scan(rel, []byte(strings.Join(p.Masked, "\n"))) {
		clean[key{d.Line, d.Name}] = d
	}
	out := make([]symbols.Def, len(defs))
	for i, d := range defs {
		c := clean[key{d.Line, d.Name}]
		d.Signature, d.Doc = c.Signature, c.Doc
		out[i] = d
	}
	return out
}
