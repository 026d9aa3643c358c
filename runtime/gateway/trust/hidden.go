package trust

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kinds of flags set by Clean.
const (
	Hidden  = "hidden"  // characters without width: zero-width, bidirectional, tags, runs of variation selectors
	Control = "control" // control characters other than tab and line ends
	ANSI    = "ansi"    // terminal escape sequences
	Comment = "comment" // HTML comments
	Long    = "long"    // text over its limit
	BadName = "name"    // a name or other data that cleaning would change
)

// stripped is a cleaned text, and the number of removals of each kind.
type stripped struct {
	text string
	lost map[string]int
}

// strip removes from a text what a model reads and a person does not see. Its result has nothing left to strip.
func strip(text string) stripped {
	s := stripped{text: text}
	if isPlain(text) {
		return s
	}
	s.lost = map[string]int{}
	s.stripCharacters()
	s.stripComments()
	return s
}

// isPlain reports whether a text is plain ASCII without comments: the fast path for nearly all texts.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x7f || c < ' ' && !isBlank(rune(c)) {
			return false
		}
	}
	return !strings.Contains(text, "<!--")
}

func isBlank(r rune) bool { return r == '\t' || r == '\n' || r == '\r' }

// stripCharacters removes escape sequences, control and hidden characters in one pass.
func (s *stripped) stripCharacters() {
	var b strings.Builder
	prev := rune(0) // the last character kept
	text := s.text
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		rest := text[i+size:]
		switch {
		case r == 0x2028 || r == 0x2029: // line separators: the words on both sides must stay apart
			s.lost[Hidden]++
			r = '\n'
			b.WriteByte('\n')
		case isIntroducer(r):
			n := sequenceLen(r, rest)
			if n == 0 {
				s.lost[Control]++
			} else {
				s.lost[ANSI]++
			}
			i += size + n
			continue
		case isControl(r):
			s.lost[Control]++
			i += size
			continue
		case isHidden(r) && !isNeeded(prev, r, rest):
			s.lost[Hidden]++
			i += size
			continue
		default:
			b.WriteString(text[i : i+size])
		}
		prev = r
		i += size
	}
	s.text = b.String()
}

// stripComments removes <!-- … -->. Of an unterminated one only the opening is removed: what follows is then visible. It
// takes one pass: an opening formed only by the removal of another is found in the output.
func (s *stripped) stripComments() {
	const open, end = "<!--", "-->"
	if !strings.Contains(s.text, open) {
		return
	}
	last := strings.LastIndex(s.text, end)
	out := make([]byte, 0, len(s.text))
	for i := 0; i < len(s.text); {
		out = append(out, s.text[i])
		i++
		if !bytes.HasSuffix(out, []byte(open)) {
			continue
		}
		s.lost[Comment]++
		out = out[:len(out)-len(open)]
		if i <= last {
			i += strings.Index(s.text[i:], end) + len(end)
		}
	}
	s.text = string(out)
}

func isControl(r rune) bool {
	return r < ' ' && !isBlank(r) || r >= 0x7f && r <= 0x9f
}

// isHidden reports whether a character has no width on screen. Cf is the Unicode class of format characters; those that
// are drawn (Arabic number signs and similar) are not hidden.
func isHidden(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case unicode.Is(unicode.Cf, r):
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	case r == 0x34F, r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, r == 0x17B4, r == 0x17B5:
		return true // joiners and fillers of other classes
	case unicode.Is(unicode.Noncharacter_Code_Point, r):
		return true
	}
	return unicode.Is(unicode.Variation_Selector, r) || r >= 0x2060 && r <= 0x206F || r >= 0xE0000 && r <= 0xE0FFF
}

// isNeeded reports whether a hidden character is part of legitimate text at its place: a joiner between two letters or
// signs beyond ASCII (Persian, Hindi, composite emoji), or one variation selector after the sign it modifies. Alone
// between two visible characters, neither carries a message.
func isNeeded(prev, r rune, rest string) bool {
	switch {
	case r == 0x200C || r == 0x200D:
		next, _ := utf8.DecodeRuneInString(rest)
		return (isDrawn(prev) || prev == 0xFE0F) && isDrawn(next)
	case r == 0xFE0E || r == 0xFE0F:
		return isDrawn(prev) || prev != 0 && strings.ContainsRune("0123456789#*", prev)
	case r >= 0xFE00 && r <= 0xFE02 || r >= 0xE0100 && r <= 0xE01EF:
		return unicode.Is(unicode.Han, prev)
	}
	return false
}

func isDrawn(r rune) bool {
	return r >= 0xA0 && r != utf8.RuneError && !isHidden(r) && !unicode.IsSpace(r)
}

// isIntroducer reports whether a terminal treats what follows as a command: ESC and the one-character forms of its
// sequences.
func isIntroducer(r rune) bool {
	switch r {
	case 0x1b, 0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f:
		return true
	}
	return false
}

// maxSequence limits the bytes of one escape sequence, so that an unterminated one cannot remove a whole text.
const maxSequence = 4096

// sequenceLen returns the number of bytes after an introducer that belong to it; 0 if no sequence follows.
func sequenceLen(r rune, rest string) int {
	n := 0
	if r == 0x1b {
		if rest == "" {
			return 0
		}
		n = 1
		switch rest[0] {
		case '[':
			r = 0x9b
		case ']', 'P', 'X', '^', '_':
			r = 0x9d
		default:
			return shortLen(rest)
		}
	}
	if r == 0x9b {
		return n + csiLen(rest[n:])
	}
	return n + carriedLen(rest[n:])
}

// shortLen returns the length of a sequence of bytes from space to slash and one final byte.
func shortLen(s string) int {
	for i := range min(len(s), 4) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return 0
		}
		if s[i] > '/' {
			return i + 1
		}
	}
	return 0
}

// csiLen returns the length of the parameters and final byte of a control sequence; 0 if it is unterminated.
func csiLen(s string) int {
	for i := range min(len(s), maxSequence) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return 0
		}
		if s[i] >= '@' {
			return i + 1
		}
	}
	return 0
}

// carriedLen returns the length of a text for the terminal (a title, a link, a clipboard) up to BEL or ESC \; 0 if the
// line ends or another sequence begins first, so that the text stays visible.
func carriedLen(s string) int {
	for i := range min(len(s), maxSequence) {
		switch {
		case s[i] == 0x07:
			return i + 1
		case strings.HasPrefix(s[i:], "\x1b\\"), strings.HasPrefix(s[i:], "\u009c"):
			return i + 2
		case s[i] == '\n', s[i] == 0x1b, s[i] == 0xc2 && i+1 < len(s) && s[i+1] < 0xa0:
			return 0
		}
	}
	return 0
}
