package leads

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/retrieval/match"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

//go:embed lists/vague_names.txt
var vagueNamesList string

// Patterns for the code around a literal.
var (
	// These match how a catalogue key, or a constant or field in code, gets its text.
	messageNamed = lazyregexp.New(`^(?:[\w<>\[\]*&?]+\s+)*?\$?["']?([A-Za-z_$][\w$.-]*)["']?\s*(?::[^=:]{0,60})?(?::=|=|:|\()`)
	namedIn      = lazyregexp.New(`^(?:[\w<>\[\]*&?]+\s+)*?[\[$"']*(?:[\w$]+(?:\.|::|->))*([A-Za-z_$][\w$-]*)["'\]]*\s*(?::[^=:]{0,60})?(?::=|=|:|\()`)
	hashDefine   = lazyregexp.New(`^#\s*define\s+(\w+)`)
	xmlName      = lazyregexp.New(`(?:name|id|key)="([\w.-]+)"`)
	attribute    = lazyregexp.New(`^#\[error|^\[.*\]$|^@\w+`)
	variant      = lazyregexp.New(`^\s*([A-Z]\w*)\s*(?:[({,]|$)`)
	armOf        = lazyregexp.New(`^(?:[\w:]*::)?([A-Z]\w+)\s*(?:\{[^}]*\}|\([^)]*\))?\s*(?:=>|->)`)
	failing      = lazyregexp.New(`\b(?:raise|throw|throws|panic|die|abort|fail|fatal|reject|bail|ensure|return|Err|error|errors|warn|warning|log|logger|logging|print|printf|exception|Exception)\b|Err\(|[Ee]rror\(|panic!|bail!`)
	errorType    = lazyregexp.New(`(?:Error|Exception|Warning|Failure|Fault|Err|NotFound|Problem)$`)
)

// vague holds names that are too common to identify anything.
var vague = sync.OnceValue(func() map[string]bool { return words.Set(vagueNamesList) })

// sitesOf follows a literal to the places that raise it: the function around it or, if it is the
// text of a constant, a type or a catalogue entry, the places that name that.
func sitesOf(ctx context.Context, env *catalog.Env, o origin) ([]messageSite, error) {
	if source.IsImportLine([]byte(o.src.Line(o.line))) {
		return nil, nil // an imported file, not a message
	}
	d, ok := o.src.DefAt(o.line)
	direct := messageSite{src: o.src, line: o.line, last: o.last, def: d, fit: o.fit, said: o.said}
	h, held := holderOf(o, d, ok)
	if !held {
		return []messageSite{direct}, nil
	}
	uses, err := usesOfHolder(ctx, env, h, o)
	if err != nil || len(uses) == 0 {
		return []messageSite{direct}, err
	}
	var out []messageSite
	for _, u := range uses {
		src, err := source.Load(ctx, env, u.path)
		if err != nil {
			continue
		}
		in, _ := src.DefAt(u.line)
		out = addSites(out, []messageSite{{src: src, line: u.line, last: u.line, def: in, holder: &h, fit: o.fit, said: o.said}})
	}
	if len(out) == 0 {
		return []messageSite{direct}, nil
	}
	return out, nil
}

// holderOf returns what holds the text of a literal under a name, if anything.
func holderOf(o origin, d symbols.Def, inside bool) (holder, bool) {
	from := 1
	if inside {
		from = d.Line
	}
	b := linesOf(o.src, max(1, min(from, o.line-12)), min(o.last+6, o.line+40))
	at := b.statementStart(o.line)
	h := holder{ref: o.src.RefTo(o.line), text: strings.TrimSpace(o.text)}
	function := inside && (d.Kind == symbols.KindFunction || d.Kind == symbols.KindMethod)
	switch lang := o.src.Lang; {
	case lang == symbols.YAML || lang == "" || lang == symbols.JSON || lang == symbols.TOML:
		h.name = keyOf(b, o.line)
	case function && errorText(d):
		h.name = innermost(d.Container, lang)
		if m := armOf.FindStringSubmatch(strings.TrimSpace(b.at(at))); m != nil {
			h.name = m[1]
		}
		h.ref = o.src.RefTo(d.Line)
	case function && !oneLiner(d):
		return h, false
	case attribute.MatchString(strings.TrimSpace(b.at(o.line))):
		for k := o.line + 1; k <= o.line+4; k++ {
			if m := variant.FindStringSubmatch(b.at(k)); m != nil {
				h.name = m[1]
				break
			}
		}
	default:
		h.name = nameAbove(b, at, o.line)
		if h.name == "" && inside {
			h.name = d.Name
		}
	}
	if vague()[h.name] && inside && d.Container != "" && !function {
		h.name = innermost(d.Container, o.src.Lang)
	} else if vague()[h.name] && inside && (d.Kind == symbols.KindClass || d.Kind == symbols.KindStruct) {
		h.name = d.Name
	}
	if len(h.name) < 4 || vague()[h.name] {
		return h, false
	}
	return h, true
}

// oneLiner reports whether the function only formats a text: a named arrow function of one or two
// lines.
func oneLiner(d symbols.Def) bool {
	return d.EndLine-d.Line <= 1 && strings.Contains(d.Signature, "=>")
}

// errorText reports whether the function returns the text of an error type.
func errorText(d symbols.Def) bool {
	switch d.Name {
	case "Error", "fmt", "__str__", "__init__", "to_s", "message", "what", "initialize", "constructor", "getMessage", "description", "errorDescription", "__construct":
		return d.Container != "" && (errorType.MatchString(strings.TrimRight(d.Container, ">")) || d.Name == "Error" || d.Name == "errorDescription")
	}
	return d.Container != "" && d.Name == lastContainer(d.Container) && errorType.MatchString(d.Name)
}

func innermost(container string, lang symbols.Lang) string {
	if i := strings.LastIndex(container, lang.Separator()); i >= 0 && lang.Separator() != "" {
		return container[i+len(lang.Separator()):]
	}
	return container
}

func lastContainer(s string) string {
	if i := strings.LastIndexAny(s, ".:\\#"); i >= 0 {
		return s[i+1:]
	}
	return s
}

// keyOf returns the key of a catalogue line, or "".
func keyOf(b bodyLines, line int) string {
	for k := line; k >= b.first && line-k < 3; k-- {
		t := strings.TrimSpace(b.at(k))
		if m := xmlName.FindStringSubmatch(t); m != nil {
			return m[1]
		}
		if m := messageNamed.FindStringSubmatch(t); m != nil && !strings.HasPrefix(t, "<value") {
			return m[1]
		}
	}
	return ""
}

// nameAbove returns the name to which a statement assigns its text, or "".
func nameAbove(b bodyLines, at, line int) string {
	for k := line; k >= at-2 && k >= b.first; k-- {
		t := strings.TrimSpace(b.at(k))
		if k < at && !strings.HasSuffix(t, "(") && !strings.HasSuffix(t, "=") && !strings.HasSuffix(t, ":") && !strings.HasSuffix(t, "{") {
			break
		}
		if m := hashDefine.FindStringSubmatch(t); m != nil {
			return m[1]
		}
		if t == "" || strings.IndexByte("\"'`", t[0]) >= 0 && !strings.Contains(t, `":`) && !strings.Contains(t, `':`) {
			continue
		}
		if m := namedIn.FindStringSubmatch(t); m != nil && !vague()[m[1]] {
			return m[1]
		}
	}
	return ""
}

// maxUses bounds the places to which one holder is followed.
const maxUses = 3

// nameUse is a line that names a holder.
type nameUse struct {
	path string
	line int
	call bool // it fails with it, or constructs it
}

// namesPerFile bounds the lines from one file.
const namesPerFile = 16

// usesOfHolder finds the lines outside tests that name a holder. If any of them fail with it, only
// those are returned.
func usesOfHolder(ctx context.Context, env *catalog.Env, h holder, o origin) ([]nameUse, error) {
	m, err := match.Any([]string{h.name}, match.Options{Word: true})
	if err != nil {
		return nil, nil // the name cannot be searched for
	}
	declares, err := regexp.Compile(`(?:\b(?:class|struct|enum|interface|type|const|let|var|val|def|func|fn|function|define|static|extern)\s+|^\s*["']?)` + regexp.QuoteMeta(h.name) + `["']?\s*(?:[:=({<]|$)`)
	if err != nil {
		return nil, nil
	}
	var all []nameUse
	for _, root := range env.Roots.Roots() {
		files, err := source.ListContaining(ctx, env, root, []string{h.name})
		if err != nil {
			return nil, err
		}
		files = slices.DeleteFunc(files, func(f sandbox.Entry) bool {
			switch coderank.BucketOf(env.Roots.Ref(root, f.Path), nil) {
			case coderank.Test, coderank.Docs, coderank.Vendored, coderank.Generated:
				return true
			}
			return false
		})
		per := make([][]nameUse, len(files))
		scanners := make([]*match.Scanner, source.CountWorkers(env))
		for i := range scanners {
			scanners[i] = m.NewScanner()
		}
		visit := sandbox.Visitor{Read: func(w, i int, e sandbox.Entry, data []byte, _ sandbox.Version) {
			ref := env.Roots.Ref(root, e.Path)
			_ = scanners[w].Lines(ctx, data, func(l match.Line) bool { // the scan itself notices a cancelled context
				text := data[l.Start:min(l.End, l.Start+maxHuntLine)]
				if ref == o.src.Ref && l.Number >= o.line-3 && l.Number <= o.last || source.IsCommentLine(text) || source.IsImportLine(text) || isExportLine(text, h.name) {
					return true
				}
				if declares.Match(text) && !failing.Match(text) {
					return true
				}
				per[i] = append(per[i], nameUse{path: ref, line: l.Number, call: failing.Match(text) || constructsType(text, h.name)})
				return len(per[i]) < namesPerFile
			})
		}}
		_, err = root.ScanVersions(ctx, files, len(scanners), visit)
		if err := errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		for _, list := range per {
			all = append(all, list...)
		}
	}
	slices.SortStableFunc(all, func(a, b nameUse) int {
		return cmp.Or(boolFirst(a.call, b.call), cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line))
	})
	if len(all) > 0 && all[0].call {
		all = slices.DeleteFunc(all, func(u nameUse) bool { return !u.call })
	}
	return all[:min(len(all), 3*maxUses)], nil
}

func boolFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// isExportLine reports whether the line only lists the name.
func isExportLine(text []byte, name string) bool {
	t := strings.Trim(strings.TrimSpace(string(text)), ",;'\"")
	return t == name
}

// constructsType reports whether the line constructs a value of the type.
func constructsType(text []byte, name string) bool {
	t := string(text)
	for _, s := range []string{"new " + name, "new errors." + name, "&" + name + "{", name + "::new", "::" + name} {
		if strings.Contains(t, s) {
			return true
		}
	}
	return false
}
