package mcpfile

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

var (
	secretName = lazyregexp.New(`(?i)(^|[_.-]|[a-z])(key|apikey|token|secret|password|passwd|pwd|pat|credential|credentials|auth|authorization|cookie|dsn)$`)
	notSecret  = lazyregexp.New(`^(?i:true|false|[0-9]{1,6}|none|null|[a-z]:\\.*|[~./].*)$`)
)

// NamesSecret reports from the key alone whether a value should be kept separately. It errs on the safe side: a
// needless variable does no harm. Numbers, booleans and paths are not secrets, whatever their name. A part of a URL's
// path is one if it looks random: for some services such a URL alone grants access.
func NamesSecret(key, value string) bool {
	if key == PathKey {
		return looksRandom(value)
	}
	return value != "" && secretName.MatchString(strings.TrimSpace(key)) && !notSecret.MatchString(value)
}

var (
	hexOrUUID = lazyregexp.New(`^[0-9a-fA-F]{24,}$|^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	base64ish = lazyregexp.New(`^[A-Za-z0-9_+=-]{20,}$`)
)

func looksRandom(part string) bool {
	return hexOrUUID.MatchString(part) || base64ish.MatchString(part) && strings.ContainsAny(part, "0123456789") &&
		strings.ToLower(part) != part && strings.ToUpper(part) != part
}
