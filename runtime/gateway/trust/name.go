package trust

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// MaxName is the most characters that the name of a tool may have.
const MaxName = 128

// Name says why a tool's name is refused; nil when it is not. A name is what rules, pins and calls go by, so two names
// must never look alike: it is printable ASCII without spaces.
func Name(name string) error {
	if name == "" {
		return fmt.Errorf("the tool has no name")
	}
	if n := utf8.RuneCountInString(name); n > MaxName {
		return fmt.Errorf("tool name %s… has %d characters; at most %d are taken", show(name[:40]), n, MaxName)
	}
	for i, r := range name {
		if r <= ' ' || r >= 0x7f {
			return fmt.Errorf("tool name %s holds %s at byte %d; only visible ASCII is taken, so that no name looks like another",
				show(name), strconv.QuoteRuneToASCII(r), i)
		}
	}
	return nil
}

// show quotes foreign text for a message: nothing in it is invisible, and it is short.
func show(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "…"
	}
	return strconv.QuoteToASCII(s)
}
