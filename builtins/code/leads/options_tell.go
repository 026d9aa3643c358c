package leads

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/settings"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// These bound the answer.
const (
	optionHelpMax  = 240
	optionReads    = 2
	optionLineMax  = 120
	optionMost     = 2  // alternatives
	optionReadMore = 24 // files besides the candidates that are searched for reads
)

// tellOptions describes the first option, and names those that score nearly as well.
func tellOptions(ctx context.Context, env *catalog.Env, files []optionFile, groups []optionGroup, tokens int) (contract.Result, error) {
	r := contract.Result{References: []string{}, KeyFindings: []contract.Finding{}, Confidence: contract.Med}
	lead := groups[0].list[0]
	if lead.cover > .7 && (len(groups) < 2 || groups[1].score < .7*groups[0].score) {
		r.Confidence = contract.High
	}
	text := []string{describeOption(lead, groups[0].list, files)}
	r.References = append(r.References, lead.ref())
	add := func(line, ref string) {
		text = append(text, line)
		if !slices.Contains(r.References, ref) {
			r.References = append(r.References, ref)
		}
	}
	for _, o := range spellings(groups[0].list, groups[1:]) {
		add(fmt.Sprintf("%s `%s` (%s)", spelling(o), o.Name, o.ref()), o.ref())
	}
	reads, err := readsOf(ctx, env, files, groups[0].list)
	if err != nil {
		return r, err
	}
	for _, u := range reads {
		add(u.text, u.ref)
	}
	told := 0
	for _, g := range groups[1:] {
		o := g.list[0]
		if told == optionMost || g.score < optionNear*groups[0].score {
			break
		}
		if strings.HasSuffix(groups[0].key, g.key) || strings.HasSuffix(g.key, groups[0].key) || slices.Contains(r.References, o.ref()) {
			continue
		}
		told++
		line := "Or " + source.Cite(o.Name, o.ref())
		if o.Help != "" {
			line += ": " + contract.Shorten(o.Help, 100)
		}
		add(line, o.ref())
	}
	room := tokens * 4
	for i, line := range text {
		if i > 0 && len(line)+1 > room-len(r.Summary) {
			break
		}
		if i > 0 {
			r.Summary += "\n"
		}
		r.Summary += contract.Shorten(line, room-len(r.Summary))
	}
	return r, lead.file.src.Book(env, len(r.Summary))
}

func (d *declared) ref() string { return d.file.src.RefTo(d.Line) }

// describeOption returns "`name` (path:line): help. Default: `x`."
func describeOption(d *declared, group []*declared, files []optionFile) string {
	name := d.Name
	if (d.Kind == settings.Feature || d.Kind == settings.Setter) && d.Owner != "" && d.Owner != d.Name {
		name = d.Owner + "." + name
	}
	text := source.Cite(name, d.ref())
	help := d.Help
	if help == "" {
		for _, o := range group {
			if o.Help != "" && o.Kind == settings.Documented {
				help = o.Help
				break
			}
		}
	}
	if i := strings.LastIndex(help, "Default: "); i > 20 {
		help = help[:i]
	}
	if help != "" {
		text += ": " + strings.TrimRight(contract.Shorten(help, optionHelpMax), ". ")
	}
	text += "."
	if v := defaultOf(d, group, files); v != "" && !isSecretDefault(d.Name, v) {
		text += " Default: `" + v + "`."
	}
	return text
}

// isSecretDefault reports whether a default is a secret. It needs the option's name: on its own the
// value could be any word.
func isSecretDefault(name, v string) bool {
	_, found := redact.Default().Redact(name + " = " + strconv.Quote(v))
	return len(found) > 0
}

var constantName = lazyregexp.New(`^[A-Za-z_][\w.]*$`)

// defaultOf returns the default of an option, or "" if its declarations disagree. A constant is
// resolved if its declaration is among the files.
func defaultOf(d *declared, group []*declared, files []optionFile) string {
	found, literal := "", false
	for _, o := range group {
		if o.Default == "" || o.file.bucket == coderank.Test || o != d && o.Name != d.Name && o.Owner != d.Owner && len(d.Name) < 10 {
			continue
		}
		v := resolveConstant(o.Default, o, files)
		if unresolved.MatchString(v) && !valueWords[v] {
			continue // the name of a constant does not tell its value
		}
		isLiteral := !constantCase.MatchString(v)
		switch {
		case found == "" || isLiteral && !literal:
			found, literal = v, isLiteral
		case isLiteral == literal && !sameDefault(found, v):
			return ""
		}
	}
	return found
}

// constantCase matches a constant's name, not a value.
var constantCase = lazyregexp.New(`^(?:[\w.:]+[.:])?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[A-Z][a-z]+(?:[A-Z][a-z]*)+$|[(.]`)

// unresolved matches a constant's name in capitals, whose value was not found.
var unresolved = lazyregexp.New(`^(?:\w+(?:\.|::))*[A-Z][A-Z0-9_]*$`)

// valueWords are values written in capitals.
var valueWords = map[string]bool{"ON": true, "OFF": true, "YES": true, "TRUE": true, "FALSE": true, "NULL": true}

func sameDefault(a, b string) bool {
	clean := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "\"", "", " ", "").Replace(s))
	}
	return clean(a) == clean(b)
}

func resolveConstant(v string, d *declared, files []optionFile) string {
	if !constantName.MatchString(v) || len(v) < 5 || strings.ToLower(v) == v && !strings.Contains(v, "_") && !strings.Contains(v, ".") {
		return v
	}
	name := v[strings.LastIndexByte(v, '.')+1:]
	for i := range files {
		src := files[i].src
		if src.Lang != d.file.src.Lang || files[i].bucket == coderank.Test {
			continue
		}
		for _, def := range src.Defs {
			if def.Name == name && (def.Kind == symbols.KindConstant || def.Kind == symbols.KindVariable || def.Kind == symbols.KindMacro || def.Kind == symbols.KindField) {
				if _, value, ok := strings.Cut(src.Line(def.Line), "="); ok && len(value) < 50 && !strings.ContainsAny(value, "({[`") {
					return strings.Trim(strings.TrimSpace(value), `"';`)
				}
			}
		}
	}
	return v
}

// spellings returns the other places where a user may set or read about the option: the document,
// the flag, the variable.
func spellings(group []*declared, others []optionGroup) []*declared {
	lead := group[0]
	seen := map[settings.Kind]bool{lead.Kind: true}
	var out []*declared
	take := func(o *declared) {
		if !seen[o.Kind] && o.file.bucket != coderank.Test && o.Kind != settings.Field && len(out) < 3 {
			seen[o.Kind] = true
			out = append(out, o)
		}
	}
	for _, o := range group[1:] {
		take(o)
	}
	key := normalOption(lead.Name)
	for _, g := range others {
		if min(len(g.key), len(key)) >= 12 && (strings.HasSuffix(key, g.key) || strings.HasSuffix(g.key, key)) {
			for _, o := range g.list {
				if o.Kind == settings.Flag || o.Kind == settings.Env || o.Kind == settings.Documented {
					take(o)
				}
			}
		}
	}
	return out
}

func spelling(o *declared) string {
	switch o.Kind {
	case settings.Flag:
		return "As a flag:"
	case settings.Env:
		return "From the environment:"
	case settings.Documented:
		return "Documented:"
	case settings.Parameter:
		return "As a parameter:"
	case settings.Setter:
		return "Set by"
	}
	return "Also"
}

// optionRead is a line that reads an option.
type optionRead struct{ text, ref string }

// readsOf finds the lines of code that read an option.
func readsOf(ctx context.Context, env *catalog.Env, files []optionFile, group []*declared) ([]optionRead, error) {
	names := readNames(group)
	if len(names) == 0 {
		return nil, nil
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = regexp.QuoteMeta(n)
	}
	re, err := regexp.Compile(`\b(?:` + strings.Join(quoted, "|") + `)\b`)
	if err != nil {
		return nil, nil
	}
	var out []optionRead
	seen := map[string]bool{}
	look := func(src *source.File) {
		text := string(src.Data[:min(len(src.Data), 1<<20)])
		line, from := 1, 0
		for _, m := range re.FindAllStringIndex(text, 40) {
			line += strings.Count(text[from:m[0]], "\n")
			from = m[0]
			if len(out) >= optionReads {
				return
			}
			said := src.Line(line)
			d, ok := src.DefAt(line)
			if !ok || !isReader(d.Kind) || source.IsCommentLine([]byte(said)) || isDeclared(group, src.Ref, line) || d.Line == line || seen[src.Ref+d.Name] || optionAssigned.MatchString(said) {
				continue
			}
			seen[src.Ref+d.Name] = true
			ref := src.RefTo(line)
			out = append(out, optionRead{"Read in " + source.Cite(source.QualifiedName(d, src.Lang), ref) + ": `" + strings.ReplaceAll(contract.Shorten(said, optionLineMax), "`", "'") + "`", ref})
		}
	}
	known := map[string]bool{}
	for i := range files {
		known[files[i].src.Ref] = true
		if b := files[i].bucket; b != coderank.Test && b != coderank.Docs && len(out) < optionReads {
			look(files[i].src)
		}
	}
	if len(out) >= optionReads {
		return out, nil
	}
	for _, root := range env.Roots.Roots() {
		more, err := source.ListContaining(ctx, env, root, names)
		if err != nil {
			return nil, err
		}
		n := 0
		for _, e := range more {
			ref := env.Roots.Ref(root, e.Path)
			if known[ref] || n == optionReadMore || len(out) >= optionReads {
				continue
			}
			if b := coderank.BucketOf(ref, nil); b != coderank.Implementation && b != coderank.Entry {
				continue
			}
			n++
			if src, err := source.Load(ctx, env, ref); err == nil {
				look(src)
			}
		}
	}
	return out, ctx.Err()
}

// optionAssigned matches a line that only stores an option.
var optionAssigned = lazyregexp.New(`^[\w.]+\s*=\s*[\w.]+;?$|^[\w]+:\s*[\w.]+,?$|^import\b|^use\b`)

func isReader(k symbols.Kind) bool {
	return k == symbols.KindFunction || k == symbols.KindMethod || k == symbols.KindClass
}

func isDeclared(group []*declared, ref string, line int) bool {
	return slices.ContainsFunc(group, func(d *declared) bool { return d.file.src.Ref == ref && line >= d.Line && line <= d.Line+1 })
}

// readNames returns the names under which code may read an option, except ambiguous ones.
func readNames(group []*declared) []string {
	lead := group[0]
	var out []string
	add := func(s string) {
		if len(s) >= 6 && (len(s) >= 11 || strings.ContainsAny(s, "_") || strings.ToLower(s) != s) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if lead.Target != "" {
		add(lead.Target[strings.LastIndexByte(lead.Target, '.')+1:])
	}
	base := strings.TrimLeft(lead.Name, "-")
	parts := strings.FieldsFunc(base, func(r rune) bool { return r == '-' || r == '.' || r == '_' })
	add(base)
	if len(parts) > 1 && strings.ToUpper(base) != base {
		camel := parts[0]
		for _, p := range parts[1:] {
			camel += strings.ToUpper(p[:1]) + p[1:]
		}
		add(camel)
		add(strings.Join(parts, "_"))
	}
	for _, a := range lead.Also {
		add(a)
	}
	return out
}
