package redact

import "github.com/compactor-mcp/compactor/runtime/base/sanitize"

// Strip makes text safe to print on a terminal or to write to a log; see [sanitize.Strip]. It finds no secrets; call it
// after Redact.
func Strip(text string) string { return sanitize.Strip(text) }

// isInvisible reports whether a rune takes up no space.
func isInvisible(r rune) bool { return sanitize.Invisible(r) }

// isUnsafe reports whether a rune is a control character that Strip removes, or is invisible.
func isUnsafe(r rune) bool { text := string(r); return sanitize.Strip(text) != text }
