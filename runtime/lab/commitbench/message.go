package commitbench

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// These limit a question made from a message.
const (
	minWords    = 5   // of the subject
	maxQuestion = 600 // characters
)

var (
	fence       = lazyregexp.New("(?ms)^[ \t]*(```|~~~).*?(^[ \t]*(```|~~~)[^\n]*$|\\z)")
	htmlComment = lazyregexp.New(`(?s)<!--.*?(-->|\z)`)
	markdownURL = lazyregexp.New(`!?\[([^\]\n]*)\]\([^)\s]*\)`)
	link        = lazyregexp.New(`(?i)<?\b(?:https?|ftp|git|ssh)://[^\s<>]+>?|\bwww\.[^\s<>]+`)
	issueWords  = lazyregexp.New(`(?i)\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|references|see(?: also)?|issue|pr|pull request|bug|ticket|related to|part of|similar to|follow[- ]?up (?:to|of)|cherry[- ]picked from|for|from|of|in|via|per|post|by|to)[:\s]+(?:(?:issue|pr|bug|pull request)\s+)?` + issueRef + `(?:(?:\s*,\s*|\s+and\s+|\s+)` + issueRef + `)*`)
	issue       = lazyregexp.New(`[(\[]\s*` + issueRef + `(?:\s*,\s*` + issueRef + `)*\s*[)\]]|` + issueRef)
	emptied     = lazyregexp.New(`(^|\s)[(\[]\s*[)\]]`)
	mention     = lazyregexp.New(`(^|[\s(])@[A-Za-z0-9][A-Za-z0-9/-]*`)
	trailer     = lazyregexp.New(`^[A-Z][A-Za-z]*(?:-[A-Za-z]+)+: \S|^(?i:cc|ref|refs|see|bug|change-id|pr-url|pr|issue|closes|fixes|resolves|fixed|release notes?|reviewed by|tested by|signed[- ]off[- ]by|co[- ]authored[- ]by): `)
	credit      = lazyregexp.New(`(?i)^\(?(?:thanks|thank you|kudos|props|credits?|hat tip)\b|^signed-off-by\b|^co-authored-by\b|^\(?cherry[- ]picked from |^merge pull request `)
	trace       = lazyregexp.New(`^\s*(?:at [\w.$<>]+\(|File ".*", line \d+|Traceback \(|Caused by:|goroutine \d+ \[|\.\.\. \d+ more|[+\-]{3} |@@ |diff --git |[$>] )`)
	heading     = lazyregexp.New(`^\s*#{1,6}\s|^\s*(?:[=~^*_-]{3,}|\|.*\|)\s*$`)

	tagPrefix   = lazyregexp.New(`^(?:\[[^\]\n]{1,40}\]|\([^)\n]{1,40}\)|【[^】\n]{1,40}】)[\s:,-]*`)
	scopePrefix = lazyregexp.New(`^[A-Za-z0-9_./*{},@+-]+(?:\([^()\n]{0,60}\))?!?(?:, ?[A-Za-z0-9_./*{}@+-]+){0,4}: +`)
	idPrefix    = lazyregexp.New(`^(?i:(?:(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?)\s+)?` + issueRef + `(?:,\s*` + issueRef + `)*)(?:\s*(?:--|—|–|[:.-])\s*|\s+)`)
	emojiPrefix = lazyregexp.New(`^(?::[a-z0-9_+-]+:|[\x{2190}-\x{2BFF}\x{1F000}-\x{1FAFF}\x{FE0F}\x{200D}])+\s*`)
)

// issueRef matches "#12", "owner/name#12", "GH-12", "gh-12" or "PROJ-12".
const issueRef = `(?:(?:[\w.-]+/[\w.-]+)?#\d+|\b(?:GH|gh)-\d+\b|\b[A-Z][A-Z0-9]{1,9}-\d+\b)`

// cleanMessage turns a commit's message into a question: the subject, and the prose after it.
func cleanMessage(message string) (subject, question string) {
	text := strings.ReplaceAll(message, "\r\n", "\n")
	first, rest, _ := strings.Cut(strings.TrimLeft(text, "\n \t"), "\n")
	subject = cleanSubject(first)
	body := cleanBody(rest)
	if body == "" {
		return subject, cutQuestion(subject)
	}
	return subject, cutQuestion(strings.TrimRight(subject, ".:; ") + ". " + body)
}

func cleanSubject(s string) string {
	s = strings.TrimSpace(s)
	for {
		before := s
		for _, p := range []*lazyregexp.Regexp{emojiPrefix, tagPrefix, idPrefix, scopePrefix} {
			if cut := s[len(p.FindString(s)):]; strings.TrimSpace(cut) != "" {
				s = cut
			}
		}
		if s == before {
			return cleanInline(s)
		}
	}
}

// cleanInline removes from a line what is not prose, and normalizes the blanks.
func cleanInline(s string) string {
	s = markdownURL.ReplaceAllString(s, "$1")
	s = link.ReplaceAllString(s, " ")
	s = issueWords.ReplaceAllString(s, " ")
	s = issue.ReplaceAllString(s, " ")
	s = mention.ReplaceAllString(s, "$1")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	s = emptied.ReplaceAllString(s, "$1")
	s = strings.Join(strings.Fields(s), " ")
	for _, p := range []string{" .", " ,", " ;", " :"} {
		s = strings.ReplaceAll(s, p+" ", p[1:]+" ")
		s = strings.TrimSuffix(s, p)
	}
	return strings.Trim(s, " ,;:-–—")
}

// cleanBody keeps the prose before the first list of squashed commits.
func cleanBody(s string) string {
	s = htmlComment.ReplaceAllString(fence.ReplaceAllString(s, ""), "")
	var out []string
	blank := true
	for line := range strings.SplitSeq(s, "\n") {
		if strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "---------") {
			break // what follows are the messages of squashed commits
		}
		code := strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    ")
		empty := strings.TrimSpace(line) == ""
		switch {
		case empty:
			blank = true
			continue
		case code && (blank || len(out) == 0), trace.MatchString(line), heading.MatchString(line),
			trailer.MatchString(line), credit.MatchString(line):
			continue
		}
		blank = false
		text := strings.TrimLeft(strings.TrimSpace(line), "-+•*> ")
		if text = cleanInline(text); strings.ContainsFunc(text, unicode.IsLetter) {
			out = append(out, text)
		}
	}
	return strings.Join(out, " ")
}

// cutQuestion shortens a question to maxQuestion characters, at the end of a sentence if one is near.
func cutQuestion(s string) string {
	if utf8.RuneCountInString(s) <= maxQuestion {
		return s
	}
	r := []rune(s)[:maxQuestion]
	s = string(r)
	if i := strings.LastIndex(s, ". "); i > len(s)*2/3 {
		return s[:i+1]
	}
	if i := strings.LastIndexByte(s, ' '); i > 0 {
		s = s[:i]
	}
	return s
}

// countWords counts the words that contain a letter.
func countWords(s string) int {
	n := 0
	for w := range strings.FieldsSeq(s) {
		if strings.ContainsFunc(w, unicode.IsLetter) {
			n++
		}
	}
	return n
}

// routine lists subjects that say nothing about where the code is, each with the reason for
// dropping it. They are matched against the subject as written and as cleaned.
var routine = []struct {
	why string
	re  *lazyregexp.Regexp
}{
	{"merge, release or revert", lazyregexp.New(`(?i)^(?:merged? (?:branch|pull|pr\b|remote|tag|commit|upstream|master|main\b|from|into|in\b|with\b|back|forward|'|#|\S+ (?:into|to|from)\b)|merging\b|reverts?\b|reverted\b|revert:|back ?out\b|release(?:d|s)?[:(]|releas(?:e|ed|ing) (?:v?\d|version|notes|candidate|of\b|prep|the \d)|releasing\b|prepare (?:for )?(?:release|v?\d)|prepare for next|preparing\b.*\brelease|cut (?:a )?(?:new )?release|version \d|v?\d+\.\d+(?:\.\d+)?\b|(?:set|bump|update)\b.*\bversion (?:to|number)|\[?maven-release|\[release|backport\b|cherry[- ]?pick)|\bchangelog\b|\brelease notes\b`)},
	{"dependency or version bump", lazyregexp.New(`(?i)^(?:bump|upgrade|pin|unpin|vendor)\b|^update (?:all |the )?(?:\S+ )?(?:deps?|dependenc\w+|vendor\w*|lock ?file|submodules?|go\.mod|package\S*|requirements\S*)\b|^update \S+ (?:from|to) v?\d|^(?:build|chore|fix)?\(?deps|\bto v?\d+\.\d+\.\d+\b`)},
	{"tests, docs or continuous integration", lazyregexp.New(`(?i)^(?:docs?|documentation|tests?|testing|ci|travis|github[- ]actions?|workflows?|examples?|benchmarks?|bench)(?:\([^)]*\))?!?:|^(?:add|fix|update|improve|write|more|extend|remove|delete|enable|disable|skip|make)\w*(?: \w+){0,4} (?:tests?|unit tests?|test cases?|testcases?|docs?|documentation|doc ?strings?|javadocs?|comments?|examples?|readme|benchmarks?)$|^\w+ (?:\w+ ){0,2}(?:docs?|documentation|doc ?comments?|doc ?strings?|javadocs?|comments?|readme)\b|^(?:docs?|documentation|tests?|test|document|documenting|testing|readme|comments?|javadocs?|ci|clarify|explain|mention|describe)\b|\breadme\b|\bflaky\b|\bgithub actions?\b|\b(?:travis|appveyor|circleci)\b`)},
	{"chore, style, refactoring or renaming", lazyregexp.New(`(?i)^(?:chore|style|refactor\w*|build|lint|wip)(?:\([^)]*\))?!?:|\btypos?\b|\bspelling\b|\bmisspell\w*|\brefactor\w*|\brenam(?:e|es|ed|ing)\b|\bclean(?:s|ed|ing)?[- ]?ups?\b|\bformatting\b|^(?:format (?:code|source|files?|imports|all|with)\b|reformat|lint|linting|gofmt|rustfmt|clippy|style|tidy|tidying|chores?|cosmetic\w*|whitespace|nit|nits|minor|simplify|reorder|reorganize|reorganise|restructure|move|moved|moving|copyright|license|licence|wip|apply suggestions?|address (?:review )?comments?|code review|fix (?:lint|warnings?|compil\w+|build|clippy|checkstyle|merge)\w*|fixup|squash)\b|\blint(?:er|ing)?\b|\bclippy\b|\bprettier\b`)},
}

// isRoutine returns why a subject makes no question, or "" if it can make one.
func isRoutine(raw, cleaned string) string {
	raw, _, _ = strings.Cut(strings.TrimSpace(raw), "\n")
	for _, s := range []string{strings.TrimSpace(raw), cleaned} {
		for _, r := range routine {
			if r.re.MatchString(s) {
				return r.why
			}
		}
	}
	return ""
}
