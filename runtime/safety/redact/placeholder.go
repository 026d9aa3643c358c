package redact

import (
	"encoding/base64"
	"strings"
)

// isPlaceholder reports whether a value only takes the place of a secret: a template, or words that say so.
func isPlaceholder(v string) bool {
	if isTemplate(v) {
		return true
	}
	v = strings.ReplaceAll(withoutMarks(v), placeholderOpen, "")
	return v == "" || placeholderWords[strings.ToLower(strings.Trim(v, "_-.*<>[]{}()"))] || holdsPlaceholderWord(v)
}

// isTemplate reports whether a value is a variable, a template, or a row of x or of stars. Marks in it are ignored: the
// text around one is checked without it.
func isTemplate(v string) bool {
	if v = withoutMarks(v); v == "" {
		return true
	}
	for _, sign := range []string{"${", "$(", "{{", "<%", "%(", "#{", "@{", "$env:", "%{", "[["} {
		if strings.Contains(v, sign) {
			return true
		}
	}
	switch first, last := v[0], v[len(v)-1]; {
	case first == '<' && last == '>', first == '{' && last == '}', first == '[' && last == ']', first == '%' && last == '%':
		return true
	case first == '$' && isName(v[1:]), first == '@' && isName(v[1:]), first == '%' && len(v) <= 3:
		return true
	}
	return isFiller(v)
}

func isName(v string) bool {
	for i := range len(v) {
		if !isWord(v[i]) {
			return false
		}
	}
	return v != ""
}

// isFiller reports whether v consists of at most two different characters.
func isFiller(v string) bool { return distinctBytes(v) <= 2 }

// distinctBytes counts the different bytes in v.
func distinctBytes(v string) (n int) {
	var seen [256]bool
	for i := range len(v) {
		if !seen[v[i]] {
			seen[v[i]] = true
			n++
		}
	}
	return n
}

var placeholderWords = wordSet(`password passwd pass pwd secret token key value example changeme change-me change_me changeit
	placeholder none null nil true false undefined unset empty default redacted hidden masked removed omitted todo tbd xxx
	string text test foo bar baz your-password yourpassword`)

// holdsPlaceholderWord reports whether the value calls itself a placeholder. A long random one is not believed.
func holdsPlaceholderWord(v string) bool {
	if bits, _, _ := measureRandomness(v); bits >= bareBits {
		return false
	}
	v = strings.ToLower(v)
	for _, w := range []string{"your_", "your-", "<your", "example", "xxxx", "****", "....", "placeholder", "changeme", "redacted", "insert_", "insert-", "replace_", "replace-", "dummy", "not_a_real", "notareal", "-here", "_here"} {
		if strings.Contains(v, w) {
			return true
		}
	}
	return false
}

// decodeBase64 decodes either alphabet, padded or not.
func decodeBase64(v string) (string, bool) {
	v = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(v, "="))
	raw, err := base64.RawStdEncoding.DecodeString(v)
	return string(raw), err == nil
}
