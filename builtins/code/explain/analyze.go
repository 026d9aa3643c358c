package explain

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// AnalyzeInput is the input of code.analyze.
type AnalyzeInput struct {
	Reference string             `json:"reference" doc:"path or path:line to explain"`
	Question  string             `json:"question,omitempty" doc:"what is wanted of it"`
	Earlier   []contract.Earlier `json:"earlier,omitempty" doc:"questions that this one may be a follow-up of, newest first"`
	Callers   []usage.Callers    `json:"callers,omitempty" doc:"what code.trace found"`
	Defs      []usage.Definition `json:"defs,omitempty" doc:"where code.trace found what the place calls"`
	Most      int                `json:"most" doc:"callers, and callees, that a finding names" default:"4" min:"1" max:"20"`
	Decisions bool               `json:"decisions,omitempty" doc:"of a note, also the sentences that decide, bind or leave open"`
}

// Analyze returns code.analyze, which explains one place from its text: its purpose, its users, its
// callees, the settings it reads, how it fails.
func Analyze() catalog.Builtin {
	return catalog.New("code.analyze", "explain one file or definition from its text", catalog.Roots, analyze)
}

func analyze(ctx context.Context, env *catalog.Env, in AnalyzeInput) (contract.Result, error) {
	src, line, err := source.LoadAt(ctx, env, in.Reference)
	if err != nil {
		return contract.Result{}, err
	}
	d, ok := src.DefNear(line)
	if !ok {
		r := describeFile(src, line)
		return r, src.Book(env, len(r.Summary))
	}
	body := src.Body(d)
	if err := src.Book(env, len(body)); err != nil {
		return contract.Result{}, err
	}
	ref := src.RefTo(d.Line)
	a := source.ParseFocus(in.Question, in.Earlier, env.Tokens)
	place := src.RefTo(max(line, d.Line)) // the place is the line asked about, not where its definition begins
	r := contract.Result{Summary: summaryOf(src, d, a, place), References: []string{place}, KeyFindings: []contract.Finding{}, Confidence: contract.High}
	var told []contract.Finding
	if !a.Callers { // a question about callers does not ask how the definition works
		told = keyFindings(ctx, env, src, d, a, in.Defs)
	}
	r.KeyFindings = append(r.KeyFindings, askedLine(src, line, d, told)...)
	r.KeyFindings = append(r.KeyFindings, told...)
	if f, refs := usage.DescribeUsers(in.Callers, d, source.QualifiedName(d, src.Lang), ref, in.Most); f != "" {
		r.KeyFindings = append(r.KeyFindings, contract.Finding{Text: f, Ref: firstOf(refs)})
		r.References = append(r.References, refs...)
	}
	if !tellsHop(told) {
		if f, refs := usage.DescribeCallees(src, d, in.Most); f != "" {
			r.KeyFindings = append(r.KeyFindings, contract.Finding{Text: f, Ref: firstOf(refs)})
			r.References = append(r.References, refs...)
		}
	}
	members := ""
	if len(told) == 0 { // otherwise the key lines of a type already name its members
		members = membersOf(src, d)
	}
	for _, f := range []string{members, describeSettings(src, d, body), failuresIn(src, d, body)} {
		if f != "" {
			r.KeyFindings = append(r.KeyFindings, contract.Finding{Text: f, Ref: ref})
		}
	}
	if in.Decisions {
		r.KeyFindings = append(r.KeyFindings, decisionsIn(src, d)...)
	}
	return r, nil
}

// askedLine returns the text of the line that the question refers to, unless one of the findings
// already quotes it.
func askedLine(src *source.File, line int, d symbols.Def, told []contract.Finding) []contract.Finding {
	lead, text := fmt.Sprintf("%d: ", line), src.Line(line)
	if line <= d.Line || text == "" || slices.ContainsFunc(told, func(f contract.Finding) bool { return strings.HasPrefix(f.Text, lead) }) {
		return nil
	}
	return []contract.Finding{{Text: lead + contract.Shorten(text, 110), Ref: src.RefTo(line)}}
}

func firstOf(refs []string) string {
	if len(refs) == 0 {
		return ""
	}
	return refs[0]
}

// summaryOf returns one sentence: name, place, and the doc comment or, without one, the signature.
func summaryOf(src *source.File, d symbols.Def, a source.Focus, place string) string {
	name := source.Cite(source.QualifiedName(d, src.Lang), place)
	if d.Kind == symbols.KindHeading {
		name = fmt.Sprintf("%q (%s)", d.Name, place)
	}
	doc := docOf(src, d, a, a.MaxBytes/5)
	switch {
	case doc != "" && source.StartsLower(doc):
		return name + " " + doc + "."
	case doc != "":
		return name + ": " + doc + "."
	case d.Signature != "" && d.Kind != symbols.KindHeading:
		return fmt.Sprintf("%s is %s: `%s`.", name, article(d.Kind), contract.Shorten(d.Signature, 120))
	}
	return fmt.Sprintf("%s is %s.", name, article(d.Kind))
}

func article(k symbols.Kind) string {
	if strings.ContainsRune("aeiou", rune(k[0])) {
		return "an " + string(k)
	}
	return "a " + string(k)
}

// membersOf names the members of a type; "" for other kinds, and for fewer than two members.
func membersOf(src *source.File, d symbols.Def) string {
	if !d.Kind.IsType() {
		return ""
	}
	var names []string
	seen := map[string]bool{}
	for _, o := range src.Defs {
		tail := o.Container
		if i := strings.LastIndex(tail, src.Lang.Separator()); i >= 0 {
			tail = tail[i+len(src.Lang.Separator()):]
		}
		if tail == d.Name && (o.Exported || len(names) < 3) && !seen[o.Name] {
			seen[o.Name] = true
			names = append(names, o.Name)
		}
	}
	if len(names) < 2 {
		return ""
	}
	text := strings.Join(names[:min(len(names), 6)], ", ")
	if more := len(names) - 6; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("`%s` has %s", source.QualifiedName(d, src.Lang), text)
}

// describeFile describes a file if no single place in it was asked for.
func describeFile(src *source.File, line int) contract.Result {
	r := contract.Result{References: []string{src.RefTo(line)}, KeyFindings: []contract.Finding{}, Confidence: contract.Med}
	top := slices.DeleteFunc(slices.Clone(src.Defs), func(d symbols.Def) bool { return d.Container != "" })
	public := slices.DeleteFunc(slices.Clone(top), func(d symbols.Def) bool { return !d.Exported && d.Kind != symbols.KindHeading })
	if len(public) > 0 {
		top = public
	}
	var names []string
	for _, d := range top[:min(len(top), 6)] {
		names = append(names, fmt.Sprintf("`%s` (line %d)", d.Name, d.Line))
	}
	r.Summary = "`" + src.Ref + "`"
	switch {
	case len(src.Data) == 0:
		r.Summary += " is empty."
		return r
	case len(names) == 0:
		text, at := asText(src, line)
		r.Summary += text
		r.References = []string{src.RefTo(at)}
		return r
	}
	r.Summary += " defines " + strings.Join(names, ", ") + "."
	return r
}

// maxAsText bounds how many lines of a file are searched for one with content.
const maxAsText = 200

// asText describes a file without definitions, or in an unsupported language, by the line that was
// found or the first non-comment line after it. It also returns the number of that line.
func asText(src *source.File, line int) (string, int) {
	note := ""
	if src.Lang == "" {
		note = " " + source.UnparsedNote
	}
	line = max(line, 1)
	n := line
	for text := range bytes.Lines(src.Data[source.LineOffset(src.Data, 0, line-1):]) {
		text = bytes.TrimSpace(text)
		if isLine := note != "" && n == line || !source.IsCommentLine(text) && !bytes.HasPrefix(text, []byte("#!")); isLine && len(text) > 0 {
			return fmt.Sprintf(" has in line %d: `%s`.%s", n, contract.Shorten(src.Line(n), 160), note), n
		}
		if n++; n > line+maxAsText {
			break
		}
	}
	return fmt.Sprintf(" has %s.%s", words.Count(src.CountLines(), "line"), note), line
}
