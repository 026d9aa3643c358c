package usage

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/builtins/code/find"
	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// namedTargets splits the names of a question into those that look like code, qualified ones first,
// and plain words.
func namedTargets(question string) (shaped, plain []Target) {
	var qualified []Target
	for _, text := range qualifiedName.FindAllString(question, maxAsked) {
		if ext := path.Ext(text); symbols.Language(text) == "" || ext == "" || ext == ".t" || ext == ".r" { // not a file name
			qualified = AddTarget(qualified, targetOf(text))
		}
	}
	for _, id := range coderank.Parse(question).Idents {
		t := targetOf(id.Written)
		switch {
		case id.Before > 0 || len(t.Name) < 2 || asksFor[strings.ToLower(t.Name)]:
		case slices.ContainsFunc(qualified, func(o Target) bool { return o.Name == t.Name || source.LastIdentifier(o.owner) == t.Name }):
		case id.Shaped || id.Quoted:
			shaped = AddTarget(shaped, t)
		default:
			plain = AddTarget(plain, t)
		}
	}
	return append(qualified, shaped...), plain
}

// asksTogether returns the indexes of the names listed together, as in "callers of Open and Close".
func asksTogether(question string, targets []Target) map[int]bool {
	m := twoNames.FindStringSubmatch(question)
	if m == nil {
		return nil
	}
	out := map[int]bool{}
	for _, name := range m[1:] {
		n := find.ParseSymbolName(name)
		if i := slices.IndexFunc(targets, func(t Target) bool { return t.Name == n.Base }); i >= 0 {
			out[i] = true
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// maxAsked bounds how many names of a question are looked up.
const maxAsked = 4

// asksFor holds the words that phrase the question and never name a definition.
var asksFor = map[string]bool{"call": true, "calls": true, "called": true, "caller": true, "callers": true, "use": true, "uses": true, "used": true,
	"user": true, "users": true, "usage": true, "usages": true, "invoke": true, "invokes": true, "invoked": true, "renders": true, "rendered": true, "references": true, "who": true, "where": true,
	"it": true, "its": true, "them": true, "they": true, "this": true, "that": true, "these": true, "those": true, "one": true}

// shortQuestion is the number of words up to which a plain word may name a definition: who calls
// close?
const shortQuestion = 5

var (
	qualifiedName = lazyregexp.New(`[A-Za-z_$][\w$]*(?:(?:\.|::|#|->|\\)[A-Za-z_$][\w$]*)+`)
	markedName    = lazyregexp.New(`[A-Za-z_]\w*[!?]`) // as in Ruby and Elixir
	twoNames      = lazyregexp.New(`(?i)\b(?:calls?|uses?|invokes?|renders?|references?|callers\s+of|us(?:er|age|e)s?\s+of|references\s+to|where\s+are)\s+(?:the\s+)?([A-Za-z_$][\w$.]*)(?:\(\))?\s*(?:,|&|\band\b|\bor\b)\s*(?:the\s+)?([A-Za-z_$][\w$.]*)(?:\(\))?(?:\s+(?:called|used|invoked|rendered)(?:\s+from)?)?\s*\??\s*$`)
	spacedName    = lazyregexp.New("(?i)\\b(?:calls?|uses?|invokes?)\\s+`?([\\pL\\pN_]+(?: [\\pL\\pN_]+){1,5})`?\\s*\\??\\s*$")
	dashedName    = lazyregexp.New(`[A-Za-z_]\w*(?:-\w+)+`) // as in PowerShell, shells and make
	objectName    = lazyregexp.New(`(?i)\b(?:calls?|uses?|invokes?|renders?|references?|callers\s+of|us(?:er|age|e)s?\s+of|references\s+to|where\s+(?:is|are|does))\s+(?:the\s+)?([A-Za-z_$][\w$]+)(?:\(\))?(\s+(?:method|function)\b)?(\s+(?:of|in|on)\s+(?:the\s+)?[\w$]+)?(?:\s+(?:called|used|invoked|rendered)(?:\s+from)?)?\s*\??\s*$`)
)

// askedNames returns the names that a question is about, those that look like code first; also the
// definition at the first reference if no name looks like code.
func askedNames(ctx context.Context, env *catalog.Env, in CallersInput) ([]Target, error) {
	shaped, plain := namedTargets(in.Question)
	if m := objectName.FindStringSubmatch(in.Question); len(shaped) == 0 && m != nil && !asksFor[strings.ToLower(m[1])] && len(strings.Fields(in.Question)) <= shortQuestion+len(strings.Fields(m[2]+m[3])) {
		plain = AddTarget(plain, Target{Name: m[1]})
	}
	marked, ending := markedNames(in.Question)
	if m := twoNames.FindStringSubmatch(in.Question); len(shaped) < 2 && m != nil {
		plain = append(AddTarget(nil, targetOf(m[1])), plain...)
		plain = AddTarget(plain, targetOf(m[2]))
	}
	out := append(addDashed(addTrimmed(append(marked, shaped...)), in.Question), plain...)
	if len(shaped) == 0 && len(in.References) > 0 {
		t, err := targetAt(ctx, env, in.References[0])
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil && t.Name != "" && !slices.ContainsFunc(out, func(o Target) bool { return o.Name == t.Name }) {
			out = append(out, t)
		}
	}
	out = append(append(spacedNames(in.Question), out...), ending...)
	out = out[:min(len(out), maxAsked)]
	for i := range out {
		out[i].hint, out[i].takes = hintsIn(in.Question, out[i].Name), parametersIn(in.Question, out[i].Name)
	}
	return out, nil
}

// spacedNames returns the name with spaces that a question asks for, as Kotlin allows in backticks.
// It must be in backticks, or in letters that no English question has.
func spacedNames(question string) []Target {
	m := spacedName.FindStringSubmatch(question)
	if m == nil || !strings.Contains(m[0], "`") && strings.IndexFunc(m[1], func(r rune) bool { return r > unicode.MaxLatin1 }) < 0 {
		return nil
	}
	return []Target{{Name: m[1]}}
}

// targetOf parses a written name into a target.
func targetOf(text string) Target {
	n := find.ParseSymbolName(text)
	return Target{Name: n.Base, owner: n.Container}
}

// markedNames returns the names that end in ! or ?; a last word, whose ? is likely the question's,
// goes to ending.
func markedNames(question string) (names, ending []Target) {
	for _, at := range markedName.FindAllStringIndex(question, maxAsked) {
		t := Target{Name: question[at[0]:at[1]]}
		switch low := strings.ToLower(strings.TrimRight(t.Name, "!?")); {
		case asksFor[low]:
		case strings.HasSuffix(t.Name, "?") && strings.TrimSpace(question[at[1]:]) == "":
			ending = append(ending, t)
		default:
			names = append(names, t)
		}
	}
	return names, ending
}

// addTrimmed adds names without their leading and trailing underscores too, which may be Markdown
// emphasis.
func addTrimmed(out []Target) []Target {
	for _, t := range out {
		if name := strings.Trim(t.Name, "_"); name != t.Name && name != "" {
			out = AddTarget(out, Target{Name: name, owner: t.owner})
		}
	}
	return out
}

// addDashed adds the names of a question that contain dashes.
func addDashed(out []Target, question string) []Target {
	for _, text := range dashedName.FindAllString(question, maxAsked) {
		out = AddTarget(out, Target{Name: text})
	}
	return out
}

var ofWhat = lazyregexp.New(`^\W*(?:\(\))?\W*(?:(?:method|function|func|constructor|macro)s?\s+)?(?:of|in|on|from)\s+(?:(?:the|a|an|class|type|struct|trait|module|package|file)\s+)*([A-Za-z_$][\w$]*)`)

// hintsIn returns the words that say whose definition of a name is meant: the close of the pool,
// close in the dispatcher.
func hintsIn(question, name string) []string {
	i := source.IndexWord([]byte(question), name)
	if i < 0 {
		return nil
	}
	if m := ofWhat.FindStringSubmatch(question[i+len(name):]); m != nil {
		return []string{m[1]}
	}
	return nil
}

// parametersIn returns the text in parentheses after a name in the question.
func parametersIn(question, name string) string {
	i := source.IndexWord([]byte(question), name)
	if i < 0 {
		return ""
	}
	rest, ok := strings.CutPrefix(question[i+len(name):], "(")
	list, _, closed := strings.Cut(rest, ")")
	if !ok || !closed {
		return ""
	}
	return strings.TrimSpace(list)
}
