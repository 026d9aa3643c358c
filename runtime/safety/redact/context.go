package redact

import (
	"regexp"
	"strings"
	"sync"
)

// place is the context of a value: the name it is given, and how.
type place struct {
	name   string // "" if there is none
	kind   nameKind
	given  bool // by "=", ":", a tag, a call or a flag; otherwise the name is merely near
	quoted bool // the value is an entire quoted string
}

// placeOf reads the context before text[start:end].
func placeOf(text string, start, end int) place {
	p := place{quoted: isQuoted(text, start, end)}
	at := skipBack(text, start, "\"'`\\", 3)
	name, ok := givenName(text, at)
	for range 2 { // "string" in `token: string = "…"` is a type, "value" in `name: X, value: "…"` has its name before it
		if !ok {
			break
		}
		switch word := strings.ToLower(name); {
		case typeWords[word]:
			name, ok = typedName(text, at)
		case valueWords[word]:
			name, ok = siblingName(text, start)
		default:
			p.name, p.given, p.kind = name, true, classifyName(name)
			return p
		}
	}
	p.name, p.kind = nearName(text, start)
	return p
}

// isQuoted reports whether the value fills a quoted string.
func isQuoted(text string, start, end int) bool {
	if start == 0 || end >= len(text) {
		return false
	}
	q := text[start-1]
	return strings.IndexByte("\"'`", q) >= 0 && (text[end] == q || text[end] == '\\')
}

// skipBack moves at back over at most n bytes that are in set, and returns where it stops.
func skipBack(text string, at int, set string, n int) int {
	for limit := at - n; at > 0 && at > limit && strings.IndexByte(set, text[at-1]) >= 0; {
		at--
	}
	return at
}

// givenName reads `name =`, `"name": `, `name(`, `name", `, `<name>`, `--name ` backwards from at.
func givenName(text string, at int) (name string, ok bool) {
	if name := elementName(text, at); classifyName(name) >= nameSecret {
		return name, true
	}
	gap := skipBack(text, at, " \t", 8)
	op := skipBack(text, gap, "=:>?|,(+~<&", 4)
	if op == gap && gap > 0 && text[gap-1] == '\n' { // the value is on the next line
		line := skipBack(text, gap, " \t\r\n", 8)
		if op = skipBack(text, line, ":>|-", 3); op == line {
			return "", false
		}
		gap = line
	}
	if op == gap {
		return flagName(text, at, gap)
	}
	if strings.Trim(text[op:gap], "?+|~&<") == "" {
		return "", false
	}
	end := skipBack(text, op, " \t.", 24)
	i := skipBack(text, end, "\"'`\\])", 4)
	if i == end && text[op] == ',' {
		return "", false // the items of a list; a name before a comma is quoted: Setenv("KEY", "…")
	}
	return nameBack(text, i)
}

// beginTag matches the start tag of an element with attributes. Group 1 is its name without a prefix.
var beginTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^<(?:[\w.-]+:)?([\w.-]+)\s[^<>]*["']\s*>$`)
})

// elementName reads the name of an element with attributes whose text begins at text[at], or returns "".
func elementName(text string, at int) string {
	part := strings.TrimRight(text[max(0, at-maxAttributes):at], " \t\r\n")
	if !strings.HasSuffix(part, ">") {
		return ""
	}
	if m := beginTag().FindStringSubmatch(part[max(0, strings.LastIndexByte(part, '<')):]); m != nil {
		return m[1]
	}
	return ""
}

// flagName reads a command-line flag that a blank separates from its value.
func flagName(text string, at, gap int) (string, bool) {
	if gap == at {
		return "", false
	}
	name, ok := nameBack(text, gap)
	if word := strings.ToLower(name); word == "is" || word == "was" { // "the token is …"
		name, ok = nameBack(text, skipBack(text, gap-len(name), " \t", 4))
		return name, ok && classifyName(name) >= nameSecret
	}
	return name, ok && strings.HasPrefix(name, "-")
}

// nameBack reads the name that ends at end.
func nameBack(text string, end int) (string, bool) {
	i := end
	for limit := end - 80; i > 0 && i > limit && (isWord(text[i-1]) || strings.IndexByte("-.$@/[]", text[i-1]) >= 0); {
		i--
	}
	if isTypeName(text, i) {
		return "", false
	}
	name := strings.TrimLeft(text[i:end], "./[]")
	return name, strings.Trim(name, "0123456789.-_$@/[]") != ""
}

// isTypeName reports whether the name at text[at] is the last part of a type name, as in AWS::ApiGateway::ApiKey.
func isTypeName(text string, at int) bool { return strings.HasSuffix(text[:max(at, 0)], "::") }

// typeWords are types that may appear between a name and its value.
var typeWords = wordSet(`string str char const text varchar byte bytes rune any object auto var let final static readonly
	nsstring cstring wstring std::string string? optional sensitive secretstr securestring pydantic.secretstr`)

// valueWords are names that say only that a value follows.
var valueWords = wordSet("value val values content contents default data string body defaultvalue default_value :value text")

// typedName skips a type word before the operator: `token: string = `, `var token string = `.
func typedName(text string, at int) (string, bool) {
	gap := skipBack(text, at, " \t", 8)
	op := skipBack(text, gap, "=:>?|,(+~<", 4)
	i := skipBack(text, op, " \t", 8)
	for i > 0 && (isWord(text[i-1]) || strings.IndexByte("[]<>?*&.", text[i-1]) >= 0) {
		i--
	}
	i = skipBack(text, i, " \t:*&", 6)
	return nameBack(text, skipBack(text, i, "\"'`])", 2))
}

// siblingName looks left of `value: ` for its name: `name: X`, `key="X"`, on this or the preceding line.
func siblingName(text string, start int) (string, bool) {
	part := text[max(0, start-200):start]
	if i := strings.LastIndexByte(part, '\n'); i >= 0 {
		if j := strings.LastIndexByte(part[:i], '\n'); j >= 0 {
			part = part[j+1:]
		}
	}
	lowered := lowerASCII(part) // keeps offsets, unlike strings.ToLower
	for _, label := range []string{"name", "key", "id", "setting", "property", "variable", "field"} {
		for i := len(lowered); ; {
			if i = strings.LastIndex(lowered[:i], label); i < 0 {
				break
			}
			from := skipAny(part, i+len(label), "\"' \t:=>", 8)
			to := from
			for to < len(part) && (isWord(part[to]) || part[to] == '-' || part[to] == '.') {
				to++
			}
			if (i == 0 || !isWord(part[i-1])) && strings.ContainsAny(part[i+len(label):from], ":=>") && from < to {
				return part[from:to], true
			}
		}
	}
	return "", false
}

// nearReach is how far before a value, on its line, a telling word counts that is not the value's name.
const nearReach = 64

// nearName returns the telling word nearest before the value, as in "the api key is …".
func nearName(text string, start int) (string, nameKind) {
	line := lineBefore(text, start, nearReach)
	best := nameNeutral
	var name, last string
	for _, w := range fieldsAt(line) {
		word := strings.Trim(line[w.lo:w.hi], "\"'`:=,.;()<>[]{}")
		for _, n := range []string{word, last + "_" + word} { // "token", and "api key"
			if kind := classifyName(n); kind != nameNeutral {
				best, name = kind, n
			}
		}
		last = word
	}
	return name, best
}
