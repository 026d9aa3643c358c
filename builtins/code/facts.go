package code

import (
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/symbols"
	"github.com/compactor-mcp/compactor/runtime/lazyregexp"
)

// setting finds what code reads from its surroundings: environment variables,
// flags and configuration keys, by the calls that the usual libraries offer.
var setting = lazyregexp.New(`(?:` + strings.Join([]string{
	`os\.(?:Getenv|LookupEnv)\(`, `os\.environ(?:\.get\(|\[)`, `os\.getenv\(`, `process\.env(?:\.|\[)`, `import\.meta\.env\.`,
	`System\.getenv\(`, `System\.getProperty\(`, `env::var(?:_os)?\(`, `env!\(`, `getenv\(`, `ENV(?:\[|\.fetch\()`,
	`Environment\.GetEnvironmentVariable\(`, `flag\.(?:String|Int|Bool|Duration|Float64)(?:Var)?\((?:&[\w.]+,\s*)?`,
	`viper\.Get\w*\(`, `(?:conf|config|settings|options|cfg)\.get\w*\(`,
}, "|") + `)\s*['"]?([A-Za-z_][\w.\-]*)`)

// Texts of which one stands in whatever setting matches: the regular expression is
// slow, and most bodies have none.
var (
	settingHas = []string{"getenv(", "os.Getenv(", "os.LookupEnv(", "os.environ", "process.env", "import.meta.env.", "System.getProperty(",
		"env::var", "env!(", "ENV[", "ENV.fetch(", "GetEnvironmentVariable(", "flag.", "viper.Get",
		"conf.get", "config.get", "settings.get", "options.get", "cfg.get"}
)

func hasAny(text string, list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(text, s) })
}

// settingsIn names the settings a body reads, with their lines.
func settingsIn(src *source, d symbols.Def, body string) string {
	if !hasAny(body, settingHas) {
		return ""
	}
	return listed(src, d, body, setting, "`%s` reads settings %s", title(d, src.lang))
}

func listed(src *source, d symbols.Def, body string, re *lazyregexp.Regexp, format, name string) string {
	switch d.Kind {
	case symbols.KindFunction, symbols.KindMethod, symbols.KindClass:
	default:
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
		if len(parts) == 4 {
			break
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf(format, name, strings.Join(parts, ", "))
}
