package redact

import (
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/safety/redact/gitleaks"
)

// markFor returns the mark that replaces a secret of the given kind.
func markFor(id string) string { return placeholderOpen + id + "]" }

const (
	placeholderOpen = "[REDACTED:"
	maxMark         = 96 // longer than any mark of a built-in rule, in bytes
)

// ownIDs are the IDs that are neither in the data of gitleaks nor in the list of vendors.
var ownIDs = []string{
	withheldID, patternID, "private-key", "encoded-private-key", "encoded-secret", "putty-private-key", "json-web-token", "url-credentials",
	"auth-header", "curl-user", "kubernetes-secret", "netrc-password", "named-secret", "random-token", "password",
	"command-password", "private-key-numbers", "generated-password", "call-password", "discord-bot-token", "mailgun-account-key",
}

// marks holds the mark of every built-in rule.
var marks = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for _, id := range ownIDs {
		set[markFor(id)] = true
	}
	for _, v := range slices.Concat(vendors, shortVendors) {
		set[markFor(v.id)] = true
	}
	for _, rule := range gitleaks.Rules() {
		set[markFor(rule.ID)] = true
	}
	return set
})

// findMarks finds the marks of built-in rules that a text already holds, as parts that no span may touch: what was
// redacted before stays as it is. Only a complete mark counts, and it protects only itself. Marks of user rules are
// treated like any other text, since one could hide a secret.
func findMarks(text string) (holes []window) {
	for at := 0; ; {
		i := strings.Index(text[at:], placeholderOpen)
		if i < 0 {
			return holes
		}
		at += i
		end := at + min(len(text)-at, maxMark)
		if n := strings.IndexByte(text[at:end], ']') + 1; n > 0 && marks()[text[at:at+n]] {
			holes = append(holes, window{at, at + n})
		}
		at += len(placeholderOpen)
	}
}

// withoutMarks removes the marks of built-in rules from a value.
func withoutMarks(v string) string {
	if !strings.Contains(v, placeholderOpen) {
		return v
	}
	var b strings.Builder
	at := 0
	for _, hole := range findMarks(v) {
		b.WriteString(v[at:hole.lo])
		at = hole.hi
	}
	b.WriteString(v[at:])
	return b.String()
}
