package mcpfile

import (
	"regexp"
	"strings"
)

var (
	secretName = regexp.MustCompile(`(?i)(^|[_.-]|[a-z])(key|apikey|token|secret|password|passwd|pwd|pat|credential|credentials|auth|authorization|cookie|dsn)$`)
	notSecret  = regexp.MustCompile(`^(?i:true|false|[0-9]{1,6}|none|null|[a-z]:\\.*|[~./].*)$`)
)

// NamesSecret tells by a key alone whether its value is better kept apart. It
// errs on that side: a variable too many costs nothing. Numbers, truth values
// and paths are no secrets, whatever they are called.
func NamesSecret(key, value string) bool {
	return value != "" && secretName.MatchString(strings.TrimSpace(key)) && !notSecret.MatchString(value)
}
