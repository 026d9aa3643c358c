package mcpfile

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

var (
	secretName = lazyregexp.New(`(?i)(^|[_.-]|[a-z])(key|apikey|token|secret|password|passwd|pwd|pat|credential|credentials|auth|authorization|cookie|dsn)$`)
	notSecret  = lazyregexp.New(`^(?i:true|false|[0-9]{1,6}|none|null|[a-z]:\\.*|[~./].*)$`)
)

// NamesSecret tells by a key alone whether its value is better kept apart. It
// errs on that side: a variable too many costs nothing. Numbers, truth values
// and paths are no secrets, whatever they are called. A part of a URL's path is
// one when it looks drawn by lot: some services let such an address alone open
// their doors.
func NamesSecret(key, value string) bool {
	if key == PathKey {
		return drawn(value)
	}
	return value != "" && secretName.MatchString(strings.TrimSpace(key)) && !notSecret.MatchString(value)
}

var (
	hexOrUUID = lazyregexp.New(`^[0-9a-fA-F]{24,}$|^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	base64ish = lazyregexp.New(`^[A-Za-z0-9_+=-]{20,}$`)
)

func drawn(part string) bool {
	return hexOrUUID.MatchString(part) || base64ish.MatchString(part) && strings.ContainsAny(part, "0123456789") &&
		strings.ToLower(part) != part && strings.ToUpper(part) != part
}
