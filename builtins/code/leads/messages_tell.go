package leads

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// Widths of quoted text in bytes.
const (
	condWidth = 130
	lineWidth = 160
)

// raising recognizes by keywords what a statement does with a message.
var raising = []struct {
	has  *lazyregexp.Regexp
	verb string
}{
	{lazyregexp.New(`\braise\b`), "raises"},
	{lazyregexp.New(`\bthrow\b`), "throws"},
	{lazyregexp.New(`\bpanic!?\(|\bunreachable!|\.expect\(|\bfatalError\(|\bpreconditionFailure\(|\bdie\b|serverPanic`), "panics with"},
	{lazyregexp.New(`(?i:\b(?:log|logger|logging|slog|console|tracing|_logger)\w*[.:(]|log\w*\()|\b(?:warn|warning|debug|info|error)!?\(`), "logs"},
	{lazyregexp.New(`\breturn\b|\bErr\(`), "returns"},
	{lazyregexp.New(`(?i)\w*(?:error|err|fail|abort|throw|reject|exception)\w*!?\(`), "fails with"},
	{lazyregexp.New(`(?i)\b(?:print|puts|echo|fprintf|printf|println|write)\w*!?\b`), "prints"},
	{lazyregexp.New(`\b(?:assert|check|precondition)\w*\b|\brequire\w*\(`), "checks"},
}

// raisedName matches what is raised, if the statement names it.
var raisedName = lazyregexp.New(`\b(?:raise|throw)\s+(?:new\s+|static\s+)?([A-Za-z_][\w.:\\]*)|\b(?:log|logger|logging|LOG)\w*\.(\w+)\(|\b((?:errors\.New|fmt\.Errorf|[a-z]\w*\.[A-Z]\w*Error\w*|[A-Z]\w*(?:Error|Exception)))\b`)

// tellMessage composes the answer: which function raises the message, when, and with which line;
// then what decides that and where else it is raised.
func tellMessage(ctx context.Context, env *catalog.Env, sites []messageSite, tokens int) (contract.Result, error) {
	r := contract.Result{References: []string{}, KeyFindings: []contract.Finding{}, Confidence: contract.Med}
	if f := sites[0].fit; f.Of > .85 && (f.Letters >= 20 || f.Whole > .6) && (sites[0].said.Sure || f.Letters >= 40) {
		r.Confidence = contract.High
	}
	room := tokens * 4
	var more []contract.Finding
	for i, s := range sites {
		t, err := describe(env, s, i > 0)
		if err != nil {
			return r, err
		}
		ref := s.src.RefTo(s.place())
		if i == 0 {
			r.Summary = t.head
			room -= len(t.head)
			r.References = append(r.References, ref)
			for _, f := range t.lines {
				r.KeyFindings = append(r.KeyFindings, f)
				room -= len(f.Text)
			}
			more = t.more
			for _, f := range t.lines {
				r.References = append(r.References, f.Ref)
			}
			continue
		}
		text := "also " + t.head
		if room -= len(text); room < 0 {
			text = "also " + s.citeSite()
		}
		r.References = append(r.References, ref)
		if i == 1 && room > 0 { // may be the other half of the message
			r.Summary += "\n  " + text
			continue
		}
		r.KeyFindings = append(r.KeyFindings, contract.Finding{Text: text, Ref: ref})
	}
	for _, f := range append(leadsThere(ctx, env, sites[0]), more...) {
		r.KeyFindings = append(r.KeyFindings, f)
		r.References = append(r.References, f.Ref)
	}
	r.References = contract.Dedupe(r.References)
	return r, ctx.Err()
}

// place returns the line that the site is cited by.
func (s messageSite) place() int {
	if s.def.Line > 0 {
		return s.def.Line
	}
	return s.line
}

// citeSite returns the citation of the site.
func (s messageSite) citeSite() string {
	ref := s.src.RefTo(s.place())
	if s.def.Line == 0 {
		return "the top level of `" + ref + "`"
	}
	return source.Cite(source.QualifiedName(s.def, s.src.Lang), ref)
}

// siteText is the description of a site.
type siteText struct {
	head  string
	lines []contract.Finding // what decides it, and what holds the text
	more  []contract.Finding // what follows it
}

// describe says what a site does with the message and when. It is shorter for sites after the
// first.
func describe(env *catalog.Env, s messageSite, short bool) (siteText, error) {
	var t siteText
	condWidth, lineWidth := condWidth, lineWidth
	if short {
		condWidth, lineWidth = condWidth*2/3, lineWidth/2
	}
	b := linesOf(s.src, max(1, s.def.Line), max(s.def.EndLine, s.last))
	if s.def.Line == 0 {
		b = linesOf(s.src, max(1, s.line-40), s.last+3)
	}
	at := b.statementStart(s.line)
	text := b.joinedLine(at)
	c, ok := cause{}, false
	if s.def.Kind == symbols.KindFunction || s.def.Kind == symbols.KindMethod || s.def.Line == 0 {
		c, ok = b.conditionAbove(at)
	}
	verb := verbOf(b, at, s.line)
	t.head = s.citeSite() + " " + verb
	switch {
	case ok && c.same:
	case ok && c.past:
		t.head += fmt.Sprintf(" when not `%s` (line %d)", contract.Shorten(c.text, condWidth), c.line)
	case ok:
		t.head += fmt.Sprintf(" when `%s` (line %d)", contract.Shorten(c.text, condWidth), c.line)
	}
	t.head += fmt.Sprintf(": %d: `%s`", at, contract.Shorten(text, lineWidth))
	if s.line != at && !strings.Contains(text, strings.TrimSpace(b.at(s.line))) {
		t.lines = append(t.lines, s.quoteLine(b, s.line))
	}
	if ok {
		if k, found := b.decidingLine(c); found && tellsWords(b.at(k)) {
			t.lines = append(t.lines, s.quoteLine(b, k))
		}
	}
	if s.holder != nil {
		t.lines = append(t.lines, contract.Finding{Text: fmt.Sprintf("the text is that of `%s` (%s): %q", s.holder.name, s.holder.ref, contract.Shorten(s.holder.text, lineWidth)), Ref: s.holder.ref})
	}
	if strings.HasPrefix(verb, "logs it") || verb == "prints it" {
		for _, k := range b.callsAfter(at, 3) {
			f := s.quoteLine(b, k)
			f.Text = "then " + f.Text
			t.more = append(t.more, f)
		}
	}
	if doc := source.DocSentence(s.def); doc != "" && s.def.Line > 0 {
		t.more = append(t.more, contract.Finding{Text: fmt.Sprintf("`%s`: %s", s.def.Name, contract.Shorten(doc, lineWidth)), Ref: s.src.RefTo(s.place())})
	}
	size := len(t.head)
	for _, f := range slices.Concat(t.lines, t.more) {
		size += len(f.Text)
	}
	return t, s.src.Book(env, size)
}

// tellsWords reports whether the line is more than punctuation.
func tellsWords(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// quoteLine quotes a line as "41: if p.closed {".
func (s messageSite) quoteLine(b bodyLines, line int) contract.Finding {
	return contract.Finding{Text: fmt.Sprintf("%d: %s", line, contract.Shorten(strings.TrimSpace(b.at(line)), lineWidth)), Ref: s.src.RefTo(line)}
}

// verbOf says what a statement does with the message: "raises `KeyError`".
func verbOf(b bodyLines, at, line int) string {
	var text strings.Builder
	for k := at; k <= line; k++ {
		text.WriteString(b.at(k))
		text.WriteByte(' ')
	}
	t := contract.Shorten(text.String(), 1000)
	for _, r := range raising {
		if !r.has.MatchString(t) {
			continue
		}
		if m := raisedName.FindStringSubmatch(t); m != nil {
			switch {
			case m[1] != "" && r.verb != "logs":
				return r.verb + " `" + m[1] + "`"
			case m[2] != "" && r.verb == "logs":
				return "logs it (" + m[2] + ")"
			case m[3] != "" && r.verb == "returns":
				return "returns it"
			}
		}
		if r.verb == "panics with" {
			return "panics with it"
		}
		return r.verb + " it"
	}
	return "says it"
}

// leadsThere names callers of the function that raises a message.
func leadsThere(ctx context.Context, env *catalog.Env, s messageSite) []contract.Finding {
	if s.def.Kind != symbols.KindFunction && s.def.Kind != symbols.KindMethod || len(s.def.Name) < 4 || vague()[s.def.Name] {
		return nil
	}
	ref := s.src.RefTo(s.def.Line)
	out, err := usage.RunTrace(ctx, env, usage.TraceInput{References: []string{ref}, Limit: 2})
	if err != nil || len(out.Calls) == 0 || out.Calls[0].Definers > 1 || out.Calls[0].Total == 0 {
		return nil
	}
	var found []contract.Finding
	for _, u := range out.Calls[0].Uses {
		src, line, err := source.LoadAt(ctx, env, u.Ref)
		if err != nil || coderank.BucketOf(src.Ref, nil) == coderank.Test || !strings.Contains(src.Line(line), s.def.Name+"(") {
			continue
		}
		found = append(found, reachedFrom(src, line, s.def.Name)...)
	}
	return found
}

// reachedFrom describes a call of a function: "`f` is called from path:41 (`g`) when `if ready`
// (line 40)", and the line that decides that.
func reachedFrom(src *source.File, line int, name string) []contract.Finding {
	d, ok := src.DefAt(line)
	if !ok {
		return nil
	}
	b := linesOf(src, d.Line, d.EndLine)
	ref := src.RefTo(line)
	text := fmt.Sprintf("`%s` is called from %s (`%s`)", name, ref, source.QualifiedName(d, src.Lang))
	c, ok := b.conditionAbove(b.statementStart(line))
	if !ok || c.past {
		return []contract.Finding{{Text: text, Ref: ref}}
	}
	text += fmt.Sprintf(" when `%s` (line %d)", contract.Shorten(c.text, condWidth), c.line)
	if k, ok := b.decidingLine(c); ok {
		text += fmt.Sprintf(", after `%s` (line %d)", contract.Shorten(strings.TrimSpace(b.at(k)), condWidth), k)
	}
	return []contract.Finding{{Text: text, Ref: ref}}
}
