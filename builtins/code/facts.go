package code

import (
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/option"
	"github.com/compactor-mcp/compactor/builtins/code/symbols"
	"github.com/compactor-mcp/compactor/runtime/lazyregexp"
)

// failureHas are texts of which one stands in whatever failure matches: the regular
// expression is slow, and most bodies have none.
var failureHas = []string{"Err", "Exception"}

func hasAny(text string, list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(text, s) })
}

// settingsIn names the settings a body reads, with their lines.
func settingsIn(src *source, d symbols.Def, body string) string {
	if !isBody(d.Kind) {
		return ""
	}
	var parts []string
	seen := map[string]bool{}
	for _, o := range option.In(body) {
		if !seen[o.Name] && len(parts) < factsMost {
			seen[o.Name] = true
			parts = append(parts, fmt.Sprintf("`%s` (line %d)", o.Name, d.Line+o.Line-1))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("`%s` reads settings %s", title(d, src.lang), strings.Join(parts, ", "))
}

// failure finds what code raises or returns on error.
var failure = lazyregexp.New(`(?:\braise\s+|\bthrow\s+(?:new\s+)?|\breturn\s+(?:nil,\s*)?(?:&)?)((?:[A-Za-z_][\w.]*\.)?(?:Err[A-Z]\w*|[A-Z]\w*(?:Error|Exception)))\b`)

// failuresIn names the errors a body raises.
func failuresIn(src *source, d symbols.Def, body string) string {
	if !hasAny(body, failureHas) {
		return ""
	}
	return listed(src, d, body, failure, "`%s` fails with %s", title(d, src.lang))
}

// factsMost is how many settings or errors of a body are named.
const factsMost = 4

func isBody(k symbols.Kind) bool {
	return k == symbols.KindFunction || k == symbols.KindMethod || k == symbols.KindClass
}

func listed(src *source, d symbols.Def, body string, re *lazyregexp.Regexp, format, name string) string {
	if !isBody(d.Kind) {
		return ""
	}
	var parts []string
	seen := map[string]bool{}
	for _, m := range re.FindAllStringSubmatchIndex(body, -1) {
		what := body[m[2]:m[3]]
		if seen[what] {
			continue
		}
		seen[what] = true
		parts = append(parts, fmt.Sprintf("`%s` (line %d)", what, d.Line+strings.Count(body[:m[2]], "\n")))
		if len(parts) == factsMost {
			break
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf(format, name, strings.Join(parts, ", "))
}
