package redact

import "github.com/compactor-mcp/compactor/runtime/quote"

// Strip makes text safe to print on a terminal or to write to a log; see [quote.Strip]. It finds no secrets; call it
// after Redact.
func Strip(text string) string { return quote.Strip(text) }

// isInvisible reports whether a rune takes no room.
func isInvisible(r rune) bool { return quote.Invisible(r) }

// isUnsafe reports whether a rune is a control character that Strip removes, or is not to be seen.
func isUnsafe(r rune) bool { text := string(r); return quote.Strip(text) != text }
