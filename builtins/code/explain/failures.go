package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// The ways in which a body fails: raise and throw with any name, returning an error known by its
// name, and creating an error or a panic in place.
var (
	thrown   = lazyregexp.New(`\b(?:raise|throw)\s+(?:new\s+)?([A-Za-z_][\w.:]*\(?)`)
	returned = lazyregexp.New(`\breturn\s+(?:[\w.]+(?:\{\})?,\s*)*(?:new\s+|&)?((?:[A-Za-z_]\w*(?:\.|::))*(?:[Ee]rr[A-Z]\w*|[A-Z]\w*(?:Error|Exception))(?:::\w+)?)\b`)
	wrapped  = lazyregexp.New(`\bErr\(([A-Z]\w*(?:(?:::|\.)\w+)*)`)
	made     = lazyregexp.New(`\b(panic!?\(|errors\.New\(|fmt\.Errorf\(|bail!\()`)
)

// failureHas holds texts of which every match of the expressions contains one: the expressions are
// slow, and most bodies have none of the texts.
var failureHas = []string{"raise", "throw", "Err", "err", "Exception", "Error", "panic", "bail!"}

// These bound the report of failures.
const (
	maxFailures  = 4
	messageBytes = 60
)

// failuresIn names the errors that a body raises, with their lines.
func failuresIn(src *source.File, d symbols.Def, body string) string {
	switch d.Kind {
	case symbols.KindFunction, symbols.KindMethod, symbols.KindClass:
	default:
		return ""
	}
	if !hasAny(body, failureHas) {
		return ""
	}
	var parts []string
	seen := map[string]bool{}
	code := blankNonCode(src.Lang, body)
	offset := 0
	for i, line := range strings.Split(code, "\n") {
		what := failureOf(line, body[offset:offset+len(line)])
		offset += len(line) + 1
		if what == "" || seen[what] {
			continue
		}
		seen[what] = true
		if parts = append(parts, fmt.Sprintf("`%s` (line %d)", what, d.Line+i)); len(parts) == maxFailures {
			break
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("`%s` fails with %s", source.QualifiedName(d, src.Lang), strings.Join(parts, ", "))
}

// failureOf returns the error that a line raises or returns: its name or, for one created in place,
// its message. code is the line without its strings.
func failureOf(code, line string) string {
	if !hasAny(code, failureHas) || len(code) > 1000 {
		return ""
	}
	if m := thrown.FindStringSubmatch(code); m != nil {
		name, called := strings.CutSuffix(m[1], "(")
		if called || name[0] >= 'A' && name[0] <= 'Z' || strings.ContainsAny(name, ".:") {
			return strings.TrimRight(name, ".:")
		}
		return "" // a variable, whose value is unknown
	}
	if m := returned.FindStringSubmatch(code); m != nil {
		return m[1]
	}
	if m := wrapped.FindStringSubmatch(code); m != nil {
		return m[1]
	}
	if m := made.FindStringIndex(code); m != nil {
		return messageIn(line[m[1]:])
	}
	return ""
}

// messageIn returns the first string literal of a text, shortened.
func messageIn(text string) string {
	i := strings.IndexAny(text, "\"'`")
	if i < 0 {
		return ""
	}
	rest := text[i+1:]
	end := strings.IndexByte(rest, text[i])
	if end <= 0 {
		return ""
	}
	return contract.Shorten(strings.ReplaceAll(rest[:end], "`", "'"), messageBytes)
}

func hasAny(text string, list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(text, s) })
}

// blankNonCode blanks the comments and strings of a text: a name in a docstring is not a call.
func blankNonCode(lang symbols.Lang, text string) string {
	out := []byte(text)
	symbols.Split(lang, []byte(text), func(kind symbols.SpanKind, start, end int) {
		if kind != symbols.SpanCode {
			blank := out[start:end]
			for i, c := range blank {
				if c != '\n' {
					blank[i] = ' '
				}
			}
		}
	})
	return string(out)
}
