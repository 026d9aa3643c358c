package redact

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// passwordAt finds the value of a password whose name contains the keyword at text[start:end]: in a literal, a line of
// an environment or settings file, a connection string, a tag, a flag or a statement. Passwords are chosen by people,
// so the characters of the value decide, not its randomness.
func (d *detector) passwordAt(s *scan, start, end int) {
	name, at := nameAround(s.text, start, end)
	kind := classifyName(name)
	if strings.EqualFold(s.text[start:end], identifiedBy) {
		kind, at = namePassword, end
	}
	if kind != namePassword && kind != nameSecret || isTypeName(s.text, at-len(name)) {
		return
	}
	d.maskColumns(s, at-len(name), at)
	d.maskInsert(s, at-len(name), at)
	v := valueAfter(s.text, name, at)
	if kind == namePassword {
		s.watch.spend(attemptCost * 4)
		v = settleLine(s.text, at-len(name), v)
	}
	if v.form == noLiteral || v.lo >= v.hi {
		return
	}
	text := unescapeQuoted(s.text[v.lo:v.hi], v.form)
	if v.form == quoted && strings.Contains(s.text[v.lo:v.hi], "\n") {
		if isFoldedPassword(text) {
			s.addFinding(d, v.lo, v.hi)
		}
		return
	}
	if !isPlaceholder(text) && !strings.EqualFold(text, name) && isPassword(text, v.form, kind == namePassword) {
		s.addFinding(d, v.lo, v.hi)
	}
}

// isFoldedPassword reports whether a text that was written over several lines consists of a few words including a
// password: one with letters of both cases and digits, since sentences are folded too.
func isFoldedPassword(text string) bool {
	const maxWords, minWord, all = 4, 8, lower | upper | digit
	words := strings.Fields(text)
	return len(words) <= maxWords && slices.ContainsFunc(words, func(w string) bool {
		return len(w) >= minWord && alphabetIn(w)&all == all && !isPlaceholder(w) && isPassword(w, quoted, true)
	})
}

// plainQuotes unescapes quotes that are doubled or follow a backslash, and joins lines at a backslash.
var plainQuotes = strings.NewReplacer(`\\\"`, `"`, `\"`, `"`, `\'`, `'`, `""`, `"`, `''`, `'`, "\\\n", "", "\\\r\n", "")

// unescapeQuoted returns a quoted text as its readers see it: JSON encoders also write & and < as \u0026 and \u003c.
func unescapeQuoted(text string, form literalForm) string {
	if form != quoted {
		return text
	}
	text = plainQuotes.Replace(text)
	if !strings.Contains(text, `\u00`) {
		return text
	}
	return signEscape().ReplaceAllStringFunc(text, func(escape string) string {
		code, err := strconv.ParseUint(escape[len(escape)-2:], 16, 8)
		if err != nil || code < ' ' || code > '~' {
			return escape
		}
		return string(rune(code))
	})
}

// signEscape matches the escape of an ASCII character, even inside a nested string.
var signEscape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\{1,4}u00[2-7][0-9a-fA-F]`) })

// identifiedBy introduces a password in SQL.
const identifiedBy = "identified by"

// nameAround returns the entire name that contains text[start:end], and where it ends.
func nameAround(text string, start, end int) (string, int) {
	lo := start
	for limit := start - 64; lo > 0 && lo > limit && (isWord(text[lo-1]) || text[lo-1] == '-' || text[lo-1] == '.'); {
		lo--
	}
	for limit := end + 48; end < len(text) && end < limit && (isWord(text[end]) || text[end] == '-'); {
		end++
	}
	return strings.TrimLeft(text[lo:end], "."), end
}

// literalForm is the way a value is written.
type literalForm int

const (
	noLiteral literalForm = iota
	codeWord              // unquoted where an expression is possible
	plainWord             // unquoted where only a literal is possible
	envWord               // NAME=value, as in a shell or an environment file
	quoted
)

type literal struct {
	lo, hi int
	form   literalForm
}

// beforeValue matches what may come between a name and its value: closing quotes and brackets, a type, an operator; or,
// for pairs, the word "value", and "default" in a Terraform variable or the tag of a Go field. Group 1 is the operator.
var beforeValue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^["'\x60\])\\]{0,3}(?:` +
		`[ \t]{0,4}(?::?[ \t]?[*&]{0,2}(?:static )?(?:string|str|String|char|SecretStr|SecureString)\b\??[ \t]{0,3})?` +
		`(=>|[:?]{0,3}={1,2}|[:,(>])[ \t]{0,4}` +
		`|[,;]?\s{1,40}["']?[vV]alue["']?[ \t]{0,2}[:=][ \t]{0,2}` +
		`|[ \t]{0,4}\{\s{1,20}(?:(?:type|description|sensitive|nullable)[ \t]{0,8}=[^\n]{0,80}\n\s{0,20}){0,3}default[ \t]{0,8}=[ \t]{0,2}` +
		`|[ \t]{1,12}(?:\*?string[ \t]{1,12}\x60)?(?:\w{1,20}:"[^"\n]{0,40}"[ \t]{1,3}){0,4}default:` +
		`|[ \t]{1,3})`)
})

// beforeText matches what comes between the name of an element, or of a setting in its own element, and its text:
// attributes, as in <wsse:Password Type="…">, or <key>Password</key><string>.
var beforeText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:\s+[\w:.-]+\s?=\s?(?:"[^"<>]*"|'[^'<>]*'))+\s*>|</(?i:key|name)>\s*<(?i:string|value)>)\s*`)
})

// maxAttributes is how far after its name an element's text is looked for, in bytes.
const maxAttributes = 600

// valueAfter finds the value that follows a name ending at text[at], even in an XML element.
func valueAfter(text, name string, at int) literal {
	if lo := at - len(name); lo > 0 && strings.IndexByte("<>:", text[lo-1]) >= 0 {
		if loc := beforeText().FindStringIndex(text[at:min(len(text), at+maxAttributes)]); loc != nil {
			return wordLiteral(text, at+loc[1], plainWord, false)
		}
	}
	return literalAfter(text, name, at)
}

// addressEquals is an escaped equals sign inside a URL.
const addressEquals = "%3D"

// literalAfter finds the value that follows a name ending at text[at].
func literalAfter(text, name string, at int) literal {
	if len(text) >= at+len(addressEquals) && strings.EqualFold(text[at:at+len(addressEquals)], addressEquals) {
		return wordLiteral(text, at+len(addressEquals), plainWord, true)
	}
	loc := beforeValue().FindStringSubmatchIndex(text[at:min(len(text), at+160)])
	if loc == nil {
		return literal{}
	}
	op := ""
	if loc[2] >= 0 {
		op = text[at+loc[2] : at+loc[3]]
	}
	between, from := text[at:at+loc[1]], at+loc[1]
	isPair := op == "" && strings.ContainsAny(between, ":=")
	if open := skipAny(text, from, "\\", 2); open < len(text) && strings.IndexByte("\"'`", text[open]) >= 0 {
		switch {
		case op == "," && (!strings.ContainsAny(between, "\"'`") || !isFirstItem(text, at-len(name))):
			return literal{} // the name is an argument or the end of a string, and the value is another argument
		case op == "(" && strings.HasSuffix(strings.ToLower(name), "pass"):
			return literal{} // shouldPass("…")
		case op == "" && !isPair && (text[open] != '\'' || strings.EqualFold(name, "pass")):
			return literal{} // prose; but SQL writes PASSWORD 'value'
		}
		return quotedLiteral(text, open)
	}
	form := codeWord
	switch {
	case op == "" && !isPair:
		if !strings.HasPrefix(name, "-") {
			return literal{}
		}
		form = plainWord // a flag and its value
	case op == "," || op == "(":
		return literal{}
	case op == ">": // a tag
		form = plainWord
	case op == "=" && between == "=" && strings.ToUpper(name) == name:
		form = envWord
	case op == "=" && between == "=", isPair:
		form = plainWord
	case op == ":" && isTestMark(text, at):
		return literal{}
	}
	return wordLiteral(text, from, form, isParameter(text, at-len(name)))
}

// isFirstItem reports whether text[at] begins the first string of a call or list.
func isFirstItem(text string, at int) bool {
	if at <= 0 || strings.IndexByte("\"'`", text[at-1]) < 0 {
		return false
	}
	i := skipBack(text, at-1, " \t\n", 32)
	return i > 0 && strings.IndexByte("([{", text[i-1]) >= 0
}

// quotedLiteral returns the inside of the string that opens at open. A quote that is doubled or follows a backslash
// belongs to the string; if no other quote ends it, as in 'C:\', the first such quote does.
func quotedLiteral(text string, open int) literal {
	q, lo := text[open], open+1
	escapes := open - skipBack(text, open, "\\", 2)
	isDoubled := lo+1 < len(text) && text[lo] == q && isWord(text[lo+1]) // ""value"" in a field of a CSV file
	if isDoubled {
		lo++
	}
	first := literal{}
	fold := newFold(text, open)
	for hi := lo; hi < len(text) && hi-lo <= maxPassword; hi++ {
		switch text[hi] {
		case '\n':
			next := fold.nextLine(text, hi)
			if next < 0 {
				return first
			}
			hi = next - 1
		case q:
			end := skipBack(text, hi, "\\", hi-lo) // before backslashes, if the string is nested in a string
			found := literal{lo, end, quoted}
			if strings.HasPrefix(text[hi+1:], ":") {
				found = literal{} // itself a name: {"result": "pass", "test": …}
			}
			isEscaped := isEscapedQuote(hi-end, escapes)
			switch {
			case !isDoubled && hi > lo && hi+1 < len(text) && text[hi+1] == q && !isEscaped:
				hi++
			case !isEscaped && !fold.endsAt(text, hi):
				return first
			case !isEscaped:
				return found
			}
			if first.form == noLiteral {
				first = found
			}
		}
	}
	return first
}

// isEscapedQuote reports whether a quote after n backslashes belongs to a string whose opening quote follows atOpening
// backslashes.
func isEscapedQuote(n, atOpening int) bool {
	if atOpening == 0 {
		return n%2 == 1
	}
	return n > atOpening
}

// fold follows a quoted string across line ends, as YAML and shells read it.
type fold struct {
	indent int  // of the line that the string opens in; -1 if that holds more than a name and a colon
	loose  bool // a line has ended without a backslash
}

// memberLine matches the text before the value of a YAML member on a line of its own.
var memberLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ *(?:- +)?["']?[\w.-]+["']?: *$`) })

func newFold(text string, open int) fold {
	line := lineBefore(text, open, maxPassword)
	if !memberLine().MatchString(line) {
		return fold{indent: -1}
	}
	return fold{indent: skipAny(line, 0, " ", len(line))}
}

// nextLine returns where the string continues after the line that ends at text[at], or -1.
func (f *fold) nextLine(text string, at int) int {
	next := skipAny(text, at+1, " \t", maxPassword)
	if before := strings.TrimSuffix(text[:at], "\r"); strings.HasSuffix(before, `\`) {
		return next
	}
	if f.loose = true; f.indent < 0 || next-at-1 <= f.indent || next == len(text) || strings.IndexByte("\r\n", text[next]) >= 0 {
		return -1
	}
	return next
}

// endsAt reports whether the quote at text[at] can end the string: that of a folded one, only at the end of a line.
func (f *fold) endsAt(text string, at int) bool {
	rest := strings.TrimLeft(text[at+1:min(len(text), at+9)], " ")
	return !f.loose || rest == "" || strings.IndexByte("\r\n#", rest[0]) >= 0
}

// isParameter reports whether the name at text[at] is one in the query of a URL.
func isParameter(text string, at int) bool { return at > 0 && strings.IndexByte("?&", text[at-1]) >= 0 }

// settleLine makes the value in a line that is only "name: value" or "name = value" a plain word. It could still be
// code, so the word must not recur nearby: a variable would be declared or used there.
func settleLine(text string, nameAt int, v literal) literal {
	if v.form != codeWord || nameAt < 0 || strings.Trim(lineBefore(text, nameAt, 64), " \t-#/") != "" {
		return v
	}
	if rest := text[v.hi:min(len(text), v.hi+2)]; rest != "" && strings.IndexByte("\r\n", rest[0]) < 0 {
		return v
	}
	const near = 2048
	word := text[v.lo:v.hi]
	around := text[max(0, v.lo-near):min(len(text), v.hi+near)]
	if len(word) >= minPassword && strings.Count(around, word) == 1 {
		v.form = plainWord
	}
	return v
}

// wordLiteral returns the word at lo. In the query of a URL, "&" ends it.
func wordLiteral(text string, lo int, form literalForm, parameter bool) literal {
	hi := lo
	for hi < len(text) && hi-lo <= maxPassword && text[hi] > ' ' && strings.IndexByte("\"'`;,<>|()\\", text[hi]) < 0 && !(parameter && text[hi] == '&') {
		hi++
	}
	if hi < len(text) && (text[hi] == '(' || form == codeWord && text[hi] == ' ') {
		return literal{} // a call, or more of an expression or a sentence
	}
	return literal{lo, hi, form}
}

const (
	minPassword = 5
	maxPassword = 128
)

// isPassword reports whether v is a literal that serves as a password. Mere words do not count: they are as often the
// name of a field, a type or a message. strict means that the name is that of a password, not of another secret.
func isPassword(v string, form literalForm, strict bool) bool {
	if len(v) < minPassword || len(v) > maxPassword || strings.ContainsAny(v, " \t") || looksLikeCode(v) || isNamedDigest(v) {
		return false
	}
	if form != quoted && strings.ContainsAny(v, "[]{}") || isConstantName(v) || isDate(v) || !strict && strings.HasSuffix(v, "*") {
		return false
	}
	a := alphabetIn(v)
	letters, digits, special := a&(lower|upper) != 0, a&digit != 0, strings.ContainsAny(v, "!@#%^&*+=~?$")
	bits, _, _ := measureRandomness(v)
	switch {
	case form == envWord && len(v) >= 12 && digits && letters, form == envWord && strict && len(v) >= 6 && letters:
		return true
	case form == codeWord && bits < namedBits && isName(v) && strings.IndexByte(v, '_') > 0:
		return false
	case !strict:
		return digits && letters && (bits >= namedBits || form >= plainWord && bits >= wordlikeBits)
	case special && (letters || digits):
		return form == quoted || digits
	case letters && digits:
		return form >= plainWord || bits >= wordlikeBits/2
	case digits:
		return form == quoted && len(v) >= 6
	}
	return bits >= namedBits
}

// codeSigns occur in expressions, patterns and templates, and hardly ever in passwords.
var codeSigns = []string{
	"()", "->", "::", "=>", "]:", "[0", "\\", "||", "&&", "==", "%s", "%d", "%v", "%w", "%q", ".get", "self.", "this.",
	"os.", "env.", "process.", "config.", "://",
}

// looksLikeCode reports whether v is an expression, a path, an address or a pattern instead of a literal value.
func looksLikeCode(v string) bool {
	if strings.HasPrefix(v, "/") || strings.HasPrefix(v, "./") {
		return true
	}
	for _, sign := range codeSigns {
		if strings.Contains(v, sign) {
			return true
		}
	}
	return isPath(v, 0, len(v))
}

// isTestMark reports whether the name that ends at text[at] comes from a test report, "--- PASS: TestX".
func isTestMark(text string, at int) bool {
	return strings.HasSuffix(text[:at], "PASS") && strings.HasPrefix(text[at:], ":")
}

// isConstantName reports whether v is written like the name of a constant or variable, CI_DEPLOY_PASSWORD.
func isConstantName(v string) bool {
	if alphabetIn(v)&lower != 0 || strings.IndexByte(v, '_') <= 0 || !isName(v) {
		return false
	}
	bits, _, _ := measureRandomness(v)
	return bits < namedBits
}

// isDate reports whether v starts like 2006-01-02.
func isDate(v string) bool {
	return len(v) >= 10 && v[4] == '-' && v[7] == '-' && strings.Trim(v[:10], "0123456789-") == ""
}
