package rank

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lazyregexp"
)

// Patterns of what a question asks for. They look at its first sentence in
// lower case; a report that mentions a test is not a question for tests.
var (
	asksWhere = lazyregexp.New(`\bwhere(\s+is|\s+are|'s|\s+do|\s+does|\s+can|\s+was|\s+in\b)|\b(which|what)\s+(file|module|package|class|function)\b|` +
		`\b(definition|declaration|implementation|location)\s+of\b|\b(is|are)\s+\S+\s+(defined|declared|implemented|located)\b|` +
		`^(find|locate|show|open|go\s+to|goto|jump\s+to)\s|` +
		`\bwo\s+(ist|sind|wird|werden|steht|liegt|finde)|\boù\s+(est|sont|se)|\bdónde\s+(está|están|se)|\bonde\s+(está|estão|fica|é)|\bdove\s+(è|sono|si|viene)|` +
		`\bwaar\s+(is|zijn|wordt|staat)|(^|\s)где\s|在哪|哪里|哪儿|哪个文件|どこ|어디`)
	asksHow   = lazyregexp.New(`\bhow\s+(does|do|is|are|can|to|did)\b|^(explain|why)\b|\bwhy\s+(does|do|is|are)\b|\bwie\s|\bcomment\s|\bcómo\s|\bcomo\s|(^|\s)как\s|怎么|如何|どう`)
	asks      = lazyregexp.New(`^(where|which|what|find|show|list|are\s+there|is\s+there|how|who|give|locate|point)\b|\?\s*$`)
	testNoun  = lazyregexp.New(`\b(tests?|specs?|test\s*cases?|unit\s*tests?|test\s*suites?|fixtures?|benchmarks?)\b`)
	docNoun   = lazyregexp.New(`\b(docs?|documentation|documented|readme|changelog|tutorial|guide|manual)\b`)
	inCode    = lazyregexp.New(`\bdoc[ -]?(comments?|strings?|tests?|attributes?)\b`) // documents that are code
	confNoun  = lazyregexp.New(`\b(ci|workflows?|github\s+actions|dockerfile|docker\s+image|makefile|package\.json|pyproject|build\s+scripts?|config(uration)?\s+files?|lint(er)?\s+(config|rules)|pipeline\s+yaml|dependabot|renovate)\b`)
	wantTests = lazyregexp.New(`^(the\s+)?(unit\s+|integration\s+)?(tests?|specs?)\s+(for|of|that|cover|covering)\b`)
	examples  = lazyregexp.New(`\bexamples?\b|\bsamples?\s+of\b|\busages?\s+of\b|\bhow\s+(to|do\s+(i|we|you))\s+use\b|\bused\s+elsewhere\b|\bsimilar\s+(to|code|implementations?)\b|\bpatterns?\s+(for|of)\b`)
)

// intentOf reads the intent from the first sentence. content is the number of
// words that are no stop words.
func intentOf(q *Query, content int) Intent {
	t := strings.ToLower(title(q.Text))
	in := Intent{
		Definition: asksWhere.MatchString(t),
		How:        asksHow.MatchString(t),
		Examples:   examples.MatchString(t),
	}
	in.Bare = content <= 1 && q.Words <= 3 || in.Definition && ownTerms(q) == 1
	question := asks.MatchString(t) || q.Words <= 4
	in.Tests = question && testNoun.MatchString(t) || wantTests.MatchString(t)
	in.Docs = question && docNoun.MatchString(inCode.ReplaceAllString(t, " "))
	in.Config = question && confNoun.MatchString(t)
	return in
}

// title is the first sentence of a question.
func title(s string) string {
	for _, line := range strings.Split(s, "\n") {
		if t := strings.TrimSpace(line); t != "" {
			return t[:sentence(t)]
		}
	}
	return ""
}

// ownTerms counts the terms of the question that say what it is about.
func ownTerms(q *Query) int {
	n := 0
	for _, t := range q.Terms {
		if !t.Weak && t.Of < 0 {
			n++
		}
	}
	return n
}
