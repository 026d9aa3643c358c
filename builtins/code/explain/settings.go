package explain

import (
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/lang/settings"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// describeSettings names the settings that a body reads, with their lines.
func describeSettings(src *source.File, d symbols.Def, body string) string {
	if !isBody(d.Kind) {
		return ""
	}
	var parts []string
	seen := map[string]bool{}
	for _, o := range settings.In(body) {
		if !seen[o.Name] && len(parts) < maxSettingsTold {
			seen[o.Name] = true
			parts = append(parts, fmt.Sprintf("`%s` (line %d)", o.Name, d.Line+o.Line-1))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("`%s` reads settings %s", source.QualifiedName(d, src.Lang), strings.Join(parts, ", "))
}

// maxSettingsTold bounds how many settings of a body are named.
const maxSettingsTold = 4

func isBody(k symbols.Kind) bool {
	return k == symbols.KindFunction || k == symbols.KindMethod || k == symbols.KindClass
}
