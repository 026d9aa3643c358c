package mcpfile

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// EnvLines reads KEY=value lines, as in secrets.env and in the files named by envFile: empty lines and those that begin
// with # are skipped, so is "export " before a name, and quotes around a value are removed. Double quotes allow \n and
// similar escapes. Other lines are returned by number.
func EnvLines(data []byte) (values map[string]string, bad []int) {
	values = map[string]string{}
	text := strings.TrimPrefix(string(data), "\ufeff")
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		key = strings.TrimSpace(key)
		if !ok || !envName.MatchString(key) {
			bad = append(bad, i+1)
			continue
		}
		values[key] = unquoted(strings.TrimSpace(value))
	}
	return values, bad
}

func unquoted(value string) string {
	if len(value) < 2 || value[0] != value[len(value)-1] {
		return value
	}
	switch value[0] {
	case '\'':
		return value[1 : len(value)-1]
	case '"':
		if s, err := strconv.Unquote(value); err == nil {
			return s
		}
		return value[1 : len(value)-1]
	}
	return value
}

// AppendEnv adds variables to such a file. Existing lines are unchanged, and a variable that the file sets is not
// added. A variable without a value is added once, as a comment to be filled in.
func AppendEnv(old []byte, values map[string]string, prompts map[string]string) []byte {
	known, _ := EnvLines(old)
	var b strings.Builder
	b.Write(old)
	if len(old) > 0 && old[len(old)-1] != '\n' {
		b.WriteByte('\n')
	}
	for _, k := range slices.Sorted(maps.Keys(values)) {
		if _, ok := known[k]; ok {
			continue
		}
		if values[k] != "" {
			fmt.Fprintf(&b, "%s=%s\n", k, envQuote(values[k]))
			continue
		}
		blank := "# " + k + "="
		if !strings.Contains("\n"+b.String(), "\n"+blank) {
			if p := sanitize.OneLine(prompts[k], 0); p != "" {
				fmt.Fprintf(&b, "# %s\n", p)
			}
			b.WriteString(blank + "\n")
		}
	}
	return []byte(b.String())
}

// envQuote quotes a value that would not be read back correctly without quotes.
func envQuote(value string) string {
	unsafe := func(r rune) bool { return unicode.IsSpace(r) && r != ' ' || unicode.IsControl(r) }
	if strings.ContainsFunc(value, unsafe) || strings.TrimSpace(value) != value || strings.HasPrefix(value, `"`) || strings.HasPrefix(value, "'") {
		return strconv.Quote(value)
	}
	return value
}
