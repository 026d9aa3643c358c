package usage

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/lang/relation"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/retrieval/match"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// useFinder finds what a file says about the targets' names. Each worker has one.
type useFinder struct {
	lines   *match.Scanner
	parser  source.Parser
	reader  relation.Reader
	spots   []spot
	quiet   [][2]int
	callees definer
	big     bool // parse files of any size
}

// spot is one occurrence of a name.
type spot struct{ target, line, at int }

// usesPerFile bounds the mentions of one name in one file, so that a table of a million entries
// does not become a million mentions.
const usesPerFile = 2000

// fileUse is what one file has of the names, by their index.
type fileUse struct {
	bucket   coderank.Bucket
	lang     symbols.Lang
	mentions [][]relation.Usage
	defs     [][]relation.Def
	aliases  [][]relation.Alias
	types    []symbols.Def
	tests    [][2]int // lines of tests inside a non-test file
	cut      bool
	later    bool // too big to be parsed in parallel with others
	size     int  // of such a file
	defines  bool // such a file seems to define one of the names
}

// bigFile is the size in bytes above which a file is parsed after the others.
const bigFile = 256 << 10

func (u *useFinder) find(ctx context.Context, ref string, data []byte, v sandbox.Version, targets []Target) *fileUse {
	bucket := coderank.BucketOf(ref, data[:min(len(data), 1024)])
	lang := symbols.Detect(ref, data)
	if usesNothing(ref, bucket) || lang == "" {
		return nil
	}
	u.spots = u.spots[:0]
	cut, defines := false, false
	_ = u.lines.Lines(ctx, data, func(l match.Line) bool { // the scan itself notices a cancelled context
		text := data[l.Start:l.End]
		u.callees.line(text, l.Number)
		if source.IsCommentLine(text) {
			return true
		}
		for i := range targets {
			for from := 0; ; {
				at := source.IndexWord(text[from:], targets[i].Name)
				if at < 0 {
					break
				}
				at += from
				from = at + len(targets[i].Name)
				here := definesHere(text[:at])
				defines = defines || here
				if bucket == coderank.Test && !callShape(text[from:]) && !here {
					continue // tests that only mention the name do not matter
				}
				if cut = len(u.spots) >= usesPerFile*len(targets); cut {
					return false
				}
				u.spots = append(u.spots, spot{i, l.Number, l.Start + at})
			}
		}
		return true
	})
	if len(u.spots) == 0 {
		return nil
	}
	if len(data) > bigFile && !u.big {
		return &fileUse{later: true, size: len(data), defines: defines, bucket: bucket}
	}
	defs, spans := u.parser.Parse(v, ref, data)
	if !u.dropQuietSpots(spans) {
		return nil
	}
	out := &fileUse{bucket: bucket, cut: cut, lang: lang,
		mentions: make([][]relation.Usage, len(targets)), defs: make([][]relation.Def, len(targets)), aliases: make([][]relation.Alias, len(targets))}
	u.reader.Open(relation.Source{Path: ref, Lang: out.lang, Data: data, Defs: defs, Quiet: u.quiet})
	u.resolveSpots(targets, out)
	if out.lang == symbols.Rust && bucket != coderank.Test {
		out.tests = rustTests(data, defs)
	}
	for _, d := range defs {
		for i := range targets {
			if d.Name == targets[i].Name && IsTraceable(d.Kind) {
				out.defs[i] = append(out.defs[i], relation.Def{Def: d, Path: ref, Lang: out.lang, Test: bucket == coderank.Test || bucket == coderank.Docs || inLines(out.tests, d.Line)})
			}
		}
	}
	out.types = keepIf(defs, func(d symbols.Def) bool { return relation.IsHead(lang, &d) })
	return out
}

// usesNothing reports whether mentions in the file are not uses: a manual only names things, and
// vendored or generated code does not matter.
func usesNothing(ref string, b coderank.Bucket) bool {
	return b == coderank.Docs && !coderank.IsSource(ref) || b == coderank.Vendored || b == coderank.Generated
}

// resolveSpots resolves the spots, and adds uses under import aliases.
func (u *useFinder) resolveSpots(targets []Target, out *fileUse) {
	for _, s := range u.spots {
		if m, ok := u.reader.Resolve(targets[s.target].Name, s.line, s.at); ok {
			out.mentions[s.target] = append(out.mentions[s.target], m)
		}
	}
	for i := range targets {
		out.aliases[i] = u.reader.Aliases(targets[i].Name)
		if more := u.reader.LookAliases(out.aliases[i], usesPerFile); len(more) > 0 {
			out.mentions[i] = append(out.mentions[i], more...)
			slices.SortStableFunc(out.mentions[i], func(a, b relation.Usage) int { return cmp.Compare(a.Line, b.Line) })
		}
	}
}

// dropQuietSpots removes the spots that are not in code, and reports whether any are left.
func (u *useFinder) dropQuietSpots(spans []source.Span) bool {
	u.setQuiet(spans)
	src := relation.Source{Quiet: u.quiet}
	u.spots = slices.DeleteFunc(u.spots, func(s spot) bool { return src.IsQuiet(s.at) })
	return len(u.spots) > 0
}

// setQuiet stores the spans of a file that are not code.
func (u *useFinder) setQuiet(spans []source.Span) {
	u.quiet = u.quiet[:0]
	for _, s := range spans {
		u.quiet = append(u.quiet, [2]int{int(s.From), int(s.To)})
	}
}

// callShape reports whether the text after a name may be a call.
func callShape(after []byte) bool {
	if len(after) == 0 { // a shell command
		return true
	}
	switch after[0] {
	case '(', '<', '!', '[', '{', ':', ' ', '?', '.', ',', ')':
		return true
	}
	return false
}

// definesHere reports whether the text before a name ends in a word that defines it.
func definesHere(before []byte) bool {
	before = bytes.Trim(before, " \t")
	if len(before) == 0 {
		return false
	}
	at := bytes.LastIndexAny(before, " \t") + 1
	switch last := bytes.TrimRight(before[at:], "*&"); string(last) {
	case "func", "def", "fn", "fun", "function", "class", "struct", "interface", "enum", "trait", "type", "macro_rules!",
		"#define", "record", "protocol", "object", "module", "function*":
		return true
	default: // a Go method: func (p *Pool) admit
		return bytes.HasPrefix(before, []byte("func")) && (len(before) == 4 || before[4] == ' ' || before[4] == '\t') && bytes.HasSuffix(last, []byte(")"))
	}
}
