package coderank

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/errormsg"
)

// Patterns of what a question asks for. They are matched against its first sentence in lower case;
// a report that mentions a test does not ask for tests.
var (
	asksWhere = lazyregexp.New(`\bwhere(\s+is|\s+are|'s|\s+do|\s+does|\s+can|\s+was|\s+in\b)|\b(which|what)\s+(file|module|package|class|function)\b|` +
		`\b(definition|declaration|implementation|location)\s+of\b|\b(is|are)\s+\S+\s+(defined|declared|implemented|located)\b|` +
		`^(find|locate|show|open|go\s+to|goto|jump\s+to)\s|` +
		`\bwo\s+(ist|sind|wird|werden|steht|liegt|finde)|\boù\s+(est|sont|se)|\bdónde\s+(está|están|se)|\bonde\s+(está|estão|fica|é)|\bdove\s+(è|sono|si|viene)|` +
		`\bwaar\s+(is|zijn|wordt|staat)|(^|\s)где\s|在哪|哪里|哪儿|哪个文件|どこ|어디`)
	asksHow  = lazyregexp.New(`\bhow\s+(does|do|is|are|can|to|did)\b|^(explain|why)\b|\bwhy\s+(does|do|is|are)\b|\bwie\s|\bcomment\s|\bcómo\s|\bcomo\s|(^|\s)как\s|怎么|如何|どう`)
	asks     = lazyregexp.New(`^(where|which|what|find|show|list|are\s+there|is\s+there|how|who|give|locate|point)\b|\?\s*$`)
	testNoun = lazyregexp.New(`\b(tests?|specs?|test\s*cases?|unit\s*tests?|test\s*suites?|fixtures?|benchmarks?)\b`)
	docNoun  = lazyregexp.New(`\b(docs?|documentation|documented|readme|changelog|tutorial|guide|manual)\b`)
	inCode   = lazyregexp.New(`\bdoc[ -]?(comments?|strings?|tests?|attributes?)\b`) // documentation that is code
	confNoun = lazyregexp.New(`\b(ci|workflows?|github\s+actions|dockerfile|docker\s+image|makefile|package\.json|pyproject|build\s+scripts?|config(uration)?\s+files?|lint(er)?\s+(config|rules)|pipeline\s+yaml|dependabot|renovate)\b`)
	// wantTests matches questions that ask for the tests themselves: a question about fixtures or
	// about how a test runner works asks for code.
	wantTests = lazyregexp.New(`^(the\s+)?(unit\s+|integration\s+)?(tests?|specs?)\s+(for|of|that|cover|covering)\b|` +
		`^(which|what|show|find|list|give|where\s+are|are\s+there|is\s+there|how\s+many)\s+(me\s+)?(the\s+|any\s+|all\s+|some\s+|existing\s+|an?\s+)?(\w+\s+)?(tests?|specs?|test\s*cases?|test\s*suites?|benchmarks?)\b`)
	examples = lazyregexp.New(`\bexamples?\b|\bsamples?\s+of\b|\busages?\s+of\b|\bhow\s+(to|do\s+(i|we|you))\s+use\b|\bused\s+elsewhere\b|\bsimilar\s+(to|code|implementations?)\b|\bpatterns?\s+(for|of)\b`)
)

// Patterns of questions whose answers have a form of their own.
var (
	asksHappens = lazyregexp.New(`\bwhat\s+(happens|will\s+happen|would\s+happen|occurs)\b|\bwhat\s+(does|do|is)\s.*\b(do|done)\s+(when|if|with|to|after|on)\b`)
	asksCallers = lazyregexp.New(`\b(who|what|which\s+(other\s+)?\w+|everything\s+that|all\s+\w+\s+that)\s+(calls?|uses?|invokes?|renders?|references?|depends?\s+on|instantiates?)\b|` +
		`\b(callers?|usages?|users|uses|call\s*sites?|invocations?|references)\s+(of|to|for)\b|` +
		`\bwhere\s+(all\s+)?(is|are|does|do)\s.*\b(called|used|invoked|rendered|referenced|instantiated|gets?\s+called)\b|\b(called|used|invoked|rendered)\s+(from|by)\b|\b(find|list|show)\s+(me\s+)?(all\s+)?(the\s+)?(calls?|callers|usages?|uses|references)\b`)
	asksOption = lazyregexp.New(`\b(which|what|is\s+there\s+an?|name\s+of\s+the)\s+(\S+\s+){0,3}?(option|setting|flag|switch|parameter|config(uration)?(\s+key)?|key|feature|env(ironment)?\s+variable|variable|argument|property)s?\b|` +
		`\bdefault\s+(value|size|timeout|limit|number)?\b.*\?|\bhow\s+(do|can)\s+i\s+(change|set|configure|disable|enable|turn\s+(on|off)|limit|increase|reduce|set\s+up|turn)\b|` +
		`\bhow\s+(long|often|many|large|big|much)\b.*\b(configured|configurable|set|settings?|by\s+default|options?|changed?)\b|\bwhere\s+is\s+(that|this|it)\s+(set|configured)\b|\bhow\s+(do|can)\s+i\s+(leave\s+out|omit|skip|suppress|allow|prevent|raise|lower|shorten)\b`)
	asksExtend = lazyregexp.New(`\bhow\s+(do|can|to|would|should)\b.*\b(add|write|implement|create|plug|register|provide|extend|define|use\s+my|support)\b.*\b(own|custom|new|another|more)\b|` +
		`\b(add|write|implement|create|plug\s+in|register)\s+(my|our|an?|one|your)\s+(own|custom|new|more)\b|\bhow\s+can\s+my\b|\b(add|write|implement|create|plug\s+in|register|define)\b.*\bof\s+(my|our|one's|your)\s+own\b|` +
		`\bhow\s+(do|can|to|would|should)\b.*\b(my\s+own|our\s+own|another\s+\w+\s+than|custom)\b|\bwhat\s+do\s+i\s+(have|need)\s+to\s+\w+\s+to\s+add\b|` +
		`\bwhat\s+(does|must|should)\s+(a|my|an?\s+new)\s.*\bimplement\b|\bwhere\s+(do|can|would)\s+i\s+(plug|hook|register)\b`)
	asksCoverage = lazyregexp.New(`\b(which|what|where)\b.*\btests?\b.*\b(cover|covers|covering|exercise|check|verify|for|of)\b|\b(tests?|specs?)\s+(for|of|that\s+cover|covering)\b|\bhow\s+is\b.*\btested\b`)
	asksOverview = lazyregexp.New(`\bwhat\s+(is|does)\s+this\s+(project|repo(sitory)?|codebase|code\s*base|library|workspace|package)\b|\bnew\s+to\s+this\b|\bwhich\s+files?\s+should\s+i\s+(read|start|look)\b|` +
		`\bwhat\s+(are|is)\s+the\s+(main|top[ -]level)\s+(parts|modules|packages|components|director(y|ies)|crates)\b|\bgive\s+me\s+a\s+tour\b|\b(quick\s+)?overview\b|\bwhere\s+(do|should|to)\s+(i\s+)?(start|begin)\b|\bwhat\s+is\s+in\s+this\b|\bhow\s+is\s+(this|the)\s+(project|repo(sitory)?|codebase|code)\s+(organi[sz]ed|structured|laid\s+out)\b`)
)

var asksBase = lazyregexp.New(`(?i)^\W*(?:(?:who|what|which)(?:\s+(?:other\s+)?\w+)?\s+(?:implements?|extends?|inherits?(?:\s+from)?|derives?(?:\s+from)?|subclass(?:es)?|conforms?\s+to)|` +
	`(?:(?:what|which|who|where)\s+are\s+|(?:list|find|show|name|give)\s+(?:me\s+)?)?(?:all\s+)?(?:the\s+)?(?:implementations|implementers|implementors|subclasses|subtypes|descendants|derived\s+classes)\s+(?:of|from))\s+` +
	"(?:the\\s+)?(?:(?:interface|trait|class|type|protocol)\\s+)?`?([A-Za-z_]\\w*(?:(?:\\.|::)\\w+)*)`?(?:\\s+(?:interface|trait|class|type|protocol))?\\s*[?.]?\\s*$")

// AskedBase returns the type whose implementations or subtypes a question asks for, or "" for other questions.
func AskedBase(question string) string {
	if m := asksBase.FindStringSubmatch(question); m != nil {
		return m[1]
	}
	return ""
}

// intentOf derives the intent from the first sentence. content is the number of words that are not
// stop words.
func intentOf(q *Query, content int) Intent {
	t := strings.ToLower(firstSentence(q.Text))
	in := Intent{
		Definition: asksWhere.MatchString(t),
		How:        asksHow.MatchString(t),
		Examples:   examples.MatchString(t),
		Happens:    asksHappens.MatchString(t),
		Callers:    asksCallers.MatchString(t) || AskedBase(q.Text) != "",
		Option:     asksOption.MatchString(t),
		Message:    len(errormsg.Read(q.Text)) > 0,
		Extend:     asksExtend.MatchString(t),
		Coverage:   asksCoverage.MatchString(t),
		Overview:   asksOverview.MatchString(t),
	}
	if errormsg.Is(q.Text) { // its words are not requests
		return Intent{Message: true}
	}
	for _, m := range errormsg.Read(q.Text) { // "why do I get E: ... for my example" asks for the error
		in.Examples = in.Examples && !(m.Sure && m.Raised != "")
	}
	in.Bare = content <= 1 && q.Words <= 3 || in.Definition && ownTerms(q) == 1
	question := asks.MatchString(t) || q.Words <= 4
	in.Question = asks.MatchString(t) || in.Definition || in.How || in.Happens
	in.Tests = in.Coverage || wantTests.MatchString(t) || q.Words <= 4 && testNoun.MatchString(t)
	in.Docs = question && docNoun.MatchString(inCode.ReplaceAllString(t, " "))
	in.Config = question && confNoun.MatchString(t)
	in.Topic = q.namesTopic(t, in)
	return in
}

// maxTopicWords is the maximum length of the name of a topic, in words; a longer phrase is a statement.
const maxTopicWords = 14

// tellsOf matches what only a sentence contains, and how a commit message begins: both tell what is
// to be changed, and that is seldom in the file with that name.
var tellsOf = lazyregexp.New(`^(use|apply|inject|set|skip|log|return|clear|keep|let|move|rename|replace|drop|resolve|warn|ignore|limit|generate|include|bump|merge|revert|reject)\w*\s|` +
	`\b(is|are|was|were|be|been|has|have|had|does|do|did|not|\w+n['’]t|must|should|can|cannot|could|would|will|may|might|if|when|because|instead|returns?|fail(s|ed|ing)?|now|no|too|again|still)\b|[?:]$|: `)

// asksHowMuch matches text that begins with "how" and does not name how something is done.
var asksHowMuch = lazyregexp.New(`^how\s+(come|about|many|much|long|often|i|we|you)\b|\?$`)

// namesTopic reports whether the first sentence of a question is all of it, and lacks a verb or has
// one behind a "how": "how routes are grouped". One name alone may be anything.
func (q *Query) namesTopic(title string, in Intent) bool {
	in.Message = false // any phrase may be a message
	first, rest, _ := strings.Cut(title, " ")
	how := first == "how"
	if in != (Intent{Question: how}) || q.Foreign > 0 || q.Words > maxTopicWords || rest == "" || title != strings.ToLower(strings.TrimSpace(q.Text)) {
		return false
	}
	return how && !asksHowMuch.MatchString(title) || !how && !weakWords()[first] && !tellsOf.MatchString(title)
}

// firstSentence returns the first sentence of a question.
func firstSentence(s string) string {
	for _, line := range strings.Split(s, "\n") {
		if t := strings.TrimSpace(line); t != "" {
			return t[:sentenceLength(t)]
		}
	}
	return ""
}

// ownTerms counts the question's own terms that tell its subject.
func ownTerms(q *Query) int {
	n := 0
	for _, t := range q.Terms {
		if !t.Weak && t.Of < 0 {
			n++
		}
	}
	return n
}
