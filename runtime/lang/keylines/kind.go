package keylines

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// kind tells what a statement does.
type kind uint8

const (
	plain     kind = iota
	condition      // if, case, catch
	loop
	leave // return, break
	fail  // throw, raise, panic, a returned error
	log
	declare // a nested function or type, an import
	remark  // a comment in the body
)

var (
	conditionWords = words.Set("check require precondition if elif else elsif unless guard case when switch match except catch rescue default")
	loopWords      = words.Set("for foreach while until loop do")
	leaveWords     = words.Set("return break continue yield resolve exit goto")
	failWords      = words.Set("throw raise panic panic! abort die reject unreachable! bail! bail fatalError preconditionFailure")
	declareWords   = words.Set("import from use using require package def func function fn fun class struct interface enum type goto pass end nonlocal global")
	skippedWords   = words.Set("await async public private protected internal static final const let var val mut self this else } pub defer go")
	logWords       = words.Set("log logger logging console logrus slog tracing debug LOG Log _logger crit klog glog")
)

// kindOf derives the kind of a statement from its first words.
func kindOf(code string) kind {
	first, rest := firstWord(code)
	if skippedWords[first] {
		if w, r := firstWord(rest); conditionWords[w] || failWords[w] || leaveWords[w] || logWords[w] || declareWords[w] {
			first, rest = w, r
		}
	}
	switch {
	case failWords[first]:
		return fail
	case leaveWords[first]:
		if returnsError(rest) {
			return fail
		}
		return leave
	case conditionWords[first]:
		return condition
	case loopWords[first]:
		return loop
	case logWords[first] || isLogCall(code):
		return log
	case declareWords[first]:
		return declare
	}
	return plain
}

// returnsError reports whether a returned value is an error, judging by its name.
func returnsError(rest string) bool {
	for _, mark := range []string{"errors.New(", "fmt.Errorf(", "Err(", "Error(", "Exception(", "Err.", "Errors::", "Error::", "reject(", "failure(", "Failure("} {
		if strings.Contains(rest, mark) {
			return true
		}
	}
	_, last, ok := strings.Cut(rest, "Err")
	if ok && last != "" && last[0] >= 'A' && last[0] <= 'Z' {
		return true
	}
	i := strings.Index(rest, "err")
	return i >= 0 && i+3 < len(rest) && rest[i+3] >= 'A' && rest[i+3] <= 'Z' && (i == 0 || !wordByte(rest[i-1]))
}

// isLogCall reports whether a statement is a call that writes to a log.
func isLogCall(code string) bool {
	head, _, _ := strings.Cut(code, "(")
	for _, s := range []string{".log.", ".logger.", "logger.", ".debug", ".Debug", "level.", "log.", "LOG", "span.", "Span.", "metrics.", "Metrics."} {
		if strings.Contains(head, s) && !strings.Contains(head, "=") {
			return true
		}
	}
	if strings.HasSuffix(code, ".Inc()") || strings.Contains(code, ".Observe(") {
		return true
	}
	return strings.HasPrefix(code, "trace!") || strings.HasPrefix(code, "debug!") || strings.HasPrefix(code, "warn!") || strings.HasPrefix(code, "info!")
}

// firstWord splits off the first word of a statement, with the ! of a Rust macro.
func firstWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, "} (")
	i := 0
	for i < len(s) && wordByte(s[i]) {
		i++
	}
	if i < len(s) && s[i] == '!' && i > 0 {
		i++
	}
	return s[:i], strings.TrimLeft(s[i:], " ")
}
