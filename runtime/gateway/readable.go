package gateway

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// maxError limits how much of a server's own error a model is given, in bytes.
const maxError = 2000

// readable returns a server's error text for models and terminals: without invisible characters, and cut to
// maxError.
func readable(s string) string {
	clean := sanitize.Strip(strings.ToValidUTF8(s, ""))
	if len(clean) <= maxError {
		return clean
	}
	end := maxError
	for !utf8.RuneStart(clean[end]) {
		end--
	}
	return clean[:end] + "… (" + strconv.Itoa(len(clean)) + " bytes)"
}
