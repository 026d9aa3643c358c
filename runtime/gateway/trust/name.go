package trust

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxName is the maximum length of a tool's name, in characters.
const MaxName = 128

// Name returns why a tool's name is refused, or nil. Rules, pins and calls use the name, so no two names may look
// alike. A name may have letters, digits and marks of any script, visible ASCII, and single inner spaces. It must be in
// normal form (NFKC) and not mix Latin letters with a script that has the same shapes. A name entirely in such a script
// is accepted, as in Unicode Technical Standard 39 for a single script: clients are shown a digest of it.
func Name(name string) error {
	if name == "" {
		return fmt.Errorf("the tool has no name")
	}
	if n := utf8.RuneCountInString(name); n > MaxName {
		return fmt.Errorf("tool name %s… has %d characters; at most %d are taken", quoteForeign(name[:40]), n, MaxName)
	}
	if strings.TrimSpace(name) != name || strings.Contains(name, "  ") {
		return fmt.Errorf("tool name %s begins or ends with a space, or has two together, which cannot be seen", quoteForeign(name))
	}
	for i, r := range name {
		if r < ' ' || r >= 0x7f && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) || r == utf8.RuneError || isHidden(r) {
			return fmt.Errorf("tool name %s holds %s at byte %d; only letters, digits and visible ASCII are taken, so that no name looks like another",
				quoteForeign(name), strconv.QuoteRuneToASCII(r), i)
		}
	}
	if !norm.NFKC.IsNormalString(name) {
		return fmt.Errorf("tool name %s is not in its normal form (NFKC): another name looks like it", quoteForeign(name))
	}
	latin := strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
	if latin && strings.ContainsFunc(name, func(r rune) bool { return unicode.In(r, alike...) }) {
		return fmt.Errorf("tool name %s mixes Latin letters with those of a script that has the same shapes, so that it looks like another", quoteForeign(name))
	}
	return nil
}

// alike are scripts with letters that look like Latin ones.
var alike = []*unicode.RangeTable{unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Coptic, unicode.Lisu}

// quoteForeign quotes foreign text for a message: with everything invisible escaped, and shortened.
func quoteForeign(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "…"
	}
	return strconv.QuoteToASCII(s)
}
