package redact

import (
	"slices"
	"strings"
)

// A token is often written as literals that code joins: "sk-or-v1-" + "…", 'fc-' '…', or one literal over two lines. If
// the prefix of a known format ends a literal, the literals after it are read as its continuation.

const (
	maxJoints   = 8   // literals of one token
	maxLiteral  = 512 // bytes of one of them
	maxJointLen = 128 // bytes between two of them
)

// attemptJoined tries an expression on the literals that are joined at start, and returns where its match ended, or 0. found is
// where it matched without joining them, or 0.
func (s *scan) attemptJoined(d *detector, p *program, start, found int) int {
	at := literalEnd(s.text, start)
	if found > 0 && found != at {
		return 0
	}
	var edits []edit
	for len(edits) < maxJoints {
		next := jointEnd(s.text, at)
		if next == at {
			break
		}
		edits = append(edits, edit{lo: at - start, hi: next - start})
		at = literalEnd(s.text, next)
	}
	if len(edits) == 0 {
		return 0
	}
	text, _ := asRead(s.text[start:at], slices.Values(edits))
	head := edits[0].lo
	if bits, _ := tokenChance(text[head:]); bits < wordlikeBits || found > 0 && bits < namedBits+6 {
		return 0 // words, or text that merely follows a whole token
	}
	inner := scan{r: s.r, path: s.path, text: text, watch: s.watch}
	inner.tryMatch(d, p, 0)
	seen := slices.DeleteFunc(inner.found, func(f finding) bool { return f.end <= head })
	end := 0
	for _, f := range toOriginal(seen, slices.Values(edits)) {
		end = start + f.end
		s.addFinding(d, start+f.start, end)
	}
	return end
}

// literalEnd returns where the token characters from text[at] on end.
func literalEnd(text string, at int) int {
	for limit := at + maxLiteral; at < len(text) && at < limit && (tokenByte[text[at]] || strings.IndexByte("=:|", text[at]) >= 0); {
		at++
	}
	return at
}

// jointEnd returns where the next literal begins if it is joined to the one that ends at text[at], else at.
func jointEnd(text string, at int) int {
	rest := text[at:min(len(text), at+maxJointLen)]
	slashes := skipAny(rest, 0, "\\", 3)
	if slashes == 1 && (strings.HasPrefix(rest[1:], "\n") || strings.HasPrefix(rest[1:], "\r\n")) {
		return at + skipAny(rest, 1, "\r\n \t", maxJointLen) // a string or a command that continues on the next line
	}
	if slashes == len(rest) || strings.IndexByte("\"'`", rest[slashes]) < 0 {
		return at
	}
	i := skipSpace(rest, slashes+1)
	i = skipSpace(rest, skipAny(rest, i, "+.&|~^<>", 2))
	if i > slashes+1 && i < len(rest) && strings.IndexByte("bfruLRF", rest[i]) >= 0 {
		i++ // the kind of a literal: f"…"
	}
	if open := skipAny(rest, i, "\\", 3); open-i == slashes && open < len(rest) && strings.IndexByte("\"'`", rest[open]) >= 0 {
		return at + open + 1
	}
	return at
}

// skipSpace returns the offset after the blanks at s[i], including escaped ones.
func skipSpace(s string, i int) int {
	for i < len(s) {
		switch {
		case isBlank(s[i]):
			i++
		case s[i] == '\\' && i+1 < len(s) && strings.IndexByte("nrt\r\n", s[i+1]) >= 0:
			i += 2
		default:
			return i
		}
	}
	return i
}
