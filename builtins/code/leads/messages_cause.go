package leads

import (
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/idents"
)

// Patterns for trimmed lines. They recognize most of what matters in all languages with blocks; a
// wrong guess only makes the answer less specific.
var (
	opensCond  = lazyregexp.New(`^[})\]\s]*(?:if|elif|elsif|elseif|else if|unless|guard|while|until|case|when|catch|except|rescue|assert|require|check|precondition)\b|^.{1,80}(?:=>|->)\s*\{?$`)
	opensElse  = lazyregexp.New(`^[})\]\s]*(?:else\b|default\b|_\s*=>|_\s*->|case _)`)
	sameCond   = lazyregexp.New(`^(?:if|unless|assert|require|check|precondition|guard|case|when)\b|\b(?:if|unless)\s+\S+.*$|\?\?|\|\||\bor (?:raise|die)\b|\.(?:ok_or|expect|unwrap_or|orElseThrow|getOrElse|context|with_context)`)
	handles    = lazyregexp.New(`^[})\]\s]*(?:catch|except|rescue)\b`)
	trailing   = lazyregexp.New(`\s(?:if|unless)\s(.+)$`)
	leaves     = lazyregexp.New(`\b(?:return|continue|break|throw|raise|next|goto|exit)\b`)
	continued  = lazyregexp.New(`(?:[(,+.=\[&|\\?]|<<)\s*$`)
	continues  = lazyregexp.New(`^(?:["'\x60+.&|?:)%]|[fru]"|<<|\$")`)
	assigned   = `^(?:(?:const|let|var|val|final|auto|my|bool|boolean|int|size_t|static)\s+)*[\w$@*&.,\s:<>]*\b%s\b[^=!<>]{0,30}(?::=|=[^=>])`
	condWord   = lazyregexp.New(`[A-Za-z_$@][\w$]*`)
	plainWords = words.Set(`if else elif elsif elseif unless guard while until case when catch except rescue not and or is in nil null None undefined true false True False err error e ex len self this instanceof typeof let var const isinstance`)
)

// bodyLines holds the lines of a function.
type bodyLines struct {
	lines []string
	first int // number of the first line
}

func linesOf(src *source.File, from, to int) bodyLines {
	const most = 4000 // lines of one function
	all := strings.Split(string(src.Data), "\n")
	from = max(from, to-most, 1)
	to = min(to, len(all))
	if from > to {
		return bodyLines{first: from}
	}
	return bodyLines{all[from-1 : to], from}
}

func (b bodyLines) at(n int) string {
	if n < b.first || n-b.first >= len(b.lines) {
		return ""
	}
	return strings.TrimRight(b.lines[n-b.first], "\r \t")
}

func (b bodyLines) last() int { return b.first + len(b.lines) - 1 }

// statementStart returns the line on which the statement around a line begins.
func (b bodyLines) statementStart(line int) int {
	for k := line; k > b.first && line-k < 12; k-- {
		above := strings.TrimSpace(b.at(k - 1))
		here := strings.TrimSpace(b.at(k))
		if !continued.MatchString(above) && !continues.MatchString(here) || source.IsCommentLine([]byte(above)) {
			return k
		}
		if here != "" && !continues.MatchString(here) && indentOf(b.at(k)) < indentOf(b.at(k-1)) && !strings.HasPrefix(here, ")") {
			return k
		}
	}
	return line
}

func indentOf(s string) int { return idents.Indent(s) }

// cause is a line that decides whether another line is reached.
type cause struct {
	line int
	text string
	past bool // the line is reached if this one does not leave
	same bool // the condition is on the line itself
}

// conditionAbove finds the condition for a line: the head of the nearest enclosing block, which for
// an else is its if. Without one, it is the preceding guard that leaves.
func (b bodyLines) conditionAbove(line int) (cause, bool) {
	text := strings.TrimSpace(b.at(line))
	if m := trailing.FindStringSubmatch(text); m != nil && !strings.HasPrefix(text, "if") || sameCond.MatchString(text) && leadsCond(text) {
		return cause{line: line, text: text, same: true}, true
	}
	indent := indentOf(b.at(line))
	otherwise := false
	for k := line - 1; k > b.first && line-k < 300; k-- {
		s := b.at(k)
		t := strings.TrimSpace(s)
		in := indentOf(s)
		if t == "" || source.IsCommentLine([]byte(t)) || in > indent || in == indent && !otherwise {
			continue
		}
		switch {
		case otherwise && in == indent && opensCond.MatchString(t):
			return cause{line: k, text: t, past: true}, true
		case otherwise && in == indent:
			continue
		case opensElse.MatchString(t):
			otherwise, indent = true, in
		case opensCond.MatchString(t):
			return cause{line: k, text: b.joinedLine(k)}, true
		case strings.HasPrefix(t, ")") || strings.HasPrefix(t, "}"): // the end of a block head over several lines
			if head := b.statementAt(k, in); head > 0 && opensCond.MatchString(strings.TrimSpace(b.at(head))) {
				return cause{line: head, text: b.joinedLine(head)}, true
			}
			indent = in
		default:
			indent = in
		}
	}
	return b.guard(line)
}

func leadsCond(t string) bool {
	for _, p := range []string{"if ", "if(", "unless ", "assert", "require", "check", "precondition", "guard ", "case ", "when ", "} else if", "elif ", "elsif "} {
		if strings.HasPrefix(t, p) {
			return true
		}
	}
	return strings.Contains(t, "?? ") || strings.Contains(t, " or raise") || strings.Contains(t, " or die") || strings.Contains(t, "ok_or") ||
		strings.Contains(t, ".expect(") || strings.Contains(t, "orElseThrow") || strings.Contains(t, "getOrElse")
}

// statementAt returns the line above k, with the same indent, that begins what ends at k; 0 if not
// found.
func (b bodyLines) statementAt(k, indent int) int {
	for i := k - 1; i >= b.first && k-i < 30; i-- {
		if s := b.at(i); strings.TrimSpace(s) != "" && indentOf(s) == indent {
			return i
		}
	}
	return 0
}

// joinedLine returns a line together with the following ones while a parenthesis is open.
func (b bodyLines) joinedLine(k int) string {
	t := strings.TrimSpace(b.at(k))
	for i := k + 1; i < k+5 && i <= b.last() && isUnclosed(t); i++ {
		t += " " + strings.TrimSpace(b.at(i))
	}
	return t
}

func isUnclosed(t string) bool { return strings.Count(t, "(") > strings.Count(t, ")") }

// guard finds the nearest block before a line that leaves the function.
func (b bodyLines) guard(line int) (cause, bool) {
	indent := indentOf(b.at(line))
	left := false
	for k := line - 1; k > b.first && line-k < 25; k-- {
		s := b.at(k)
		t := strings.TrimSpace(s)
		if t == "" || source.IsCommentLine([]byte(t)) {
			continue
		}
		if leaves.MatchString(t) {
			left = true
		}
		if indentOf(s) == indent && opensCond.MatchString(t) {
			return cause{line: k, text: b.joinedLine(k), past: true}, left
		}
	}
	return cause{}, false
}

// callsAfter returns up to most lines with calls that follow a statement in its block.
func (b bodyLines) callsAfter(line, most int) []int {
	var out []int
	indent := indentOf(b.at(line))
	for k := line + 1; k <= b.last() && k-line < 25 && len(out) < most; k++ {
		s := b.at(k)
		t := strings.TrimSpace(s)
		if t == "" || indentOf(s) > indent || source.IsCommentLine([]byte(t)) {
			continue
		}
		if indentOf(s) < indent {
			break
		}
		if strings.Contains(t, "(") && !strings.HasPrefix(t, ")") && !opensCond.MatchString(t) && !strings.Contains(t, " = ") && !strings.Contains(t, ":=") {
			out = append(out, k)
		}
	}
	return out
}

// decidingLine returns the line above a condition that sets the values which it tests.
func (b bodyLines) decidingLine(c cause) (int, bool) {
	if handles.MatchString(c.text) { // the last line of the try block
		for k := c.line - 1; k > b.first && c.line-k < 8; k-- {
			if t := strings.TrimSpace(b.at(k)); t != "" && !source.IsCommentLine([]byte(t)) && indentOf(b.at(k)) > indentOf(b.at(c.line)) {
				return k, true
			}
		}
		return 0, false
	}
	seen := 0
	for _, w := range condWord.FindAllString(c.text, 12) {
		if plainWords[w] && w != "err" || len(w) < 2 {
			continue
		}
		if seen++; seen > 4 {
			break
		}
		re := lazyregexp.New(strings.Replace(assigned, "%s", regexpQuote(w), 1))
		for k := c.line - 1; k > b.first && c.line-k < 25; k-- {
			if t := strings.TrimSpace(b.at(k)); strings.Contains(t, w) && strings.ContainsAny(t, "([.") && len(t) < 300 && !strings.HasPrefix(t, "if") && re.MatchString(t) {
				return k, true
			}
		}
	}
	return 0, false
}

func regexpQuote(s string) string { return strings.ReplaceAll(s, "$", `\$`) }
