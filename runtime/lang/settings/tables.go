package settings

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Reads lists texts, at least one of which is in every call that reads a setting.
var Reads = []string{"getenv", "Getenv", "LookupEnv", "environ", "process.env", "import.meta.env.", "System.getProperty(",
	"env::var", "env!(", "ENV[", "ENV.fetch(", "GetEnvironmentVariable(", "env(", "viper.Get",
	"conf.get", "config.get", "settings.get", "options.get", "cfg.get"}

// A table opens where a name that suggests options is followed by an opening bracket; an entry is a key with a value.
var (
	opens   = lazyregexp.New(`(?i)^\s*(?:export\s+)?(?:static\s+|final\s+|const\s+|let\s+|var\s+|public\s+|private\s+|protected\s+)*[@$]?([\w.$]*(?:default|option|config|setting|namespace|feature|flags|params|props)[\w.]*)\s*(?::[^={]*|\s[\w<>\[\], *.]+)?(?:\s*(?::=|=>|=|:)\s*)(?:[\w.]+)?[\s(]*(?:[\w.]+\()?[({\[]+\s*(?://.*|#.*)?$`)
	returns = lazyregexp.New(`^\s*(?:return|module\.exports\s*=)\s*[\[{]\s*$`)
	entry   = lazyregexp.New(`^(\s*)(?:['"]([\w.\-/]+)['"]|:?([A-Za-z_$][\w$\-]*))\s*(?:=>|=|:)\s*(.*)$`)
	assign  = lazyregexp.New(`^\s*(?:self\.|@)?(?:app\.)?(config(?:uration)?\.[a-z_][\w.]*|options\.[a-z_][\w.]*)\s*\|?\|?=\s+([^=].*)$`)
	wrapped = lazyregexp.New(`^(?:\w+\.)?(?:Option|Setting|Opt|Config|Param)\(`)
)

// maxNested limits the enclosing keys in the name of an entry.
const maxNested = 6

// findTables finds the entries of tables of options and of defaults.
func (f *finder) findTables() {
	open := -1 // indentation of the current table
	owner := ""
	type parent struct {
		indent int
		name   string
		args   bool
	}
	var above []parent
	for i, line := range f.lines {
		s := strings.TrimSpace(line)
		if s == "" || isComment(line) {
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if open >= 0 && indent <= open {
			open, above = -1, nil
		}
		if open < 0 {
			if i > 0 && strings.HasSuffix(f.path, ".rb") && strings.Contains(line, "=") {
				if m := assign.FindStringSubmatch(line); m != nil {
					f.add(Option{Name: m[1], Kind: Setting, Default: m[2], Help: f.commentAbove(i), Line: i + 1})
				}
			}
			if c := s[len(s)-1]; c != '{' && c != '(' && c != '[' {
				continue
			}
			if !strings.ContainsAny(line, "=:") && !strings.HasPrefix(s, "return") {
				continue
			}
			if m := opens.FindStringSubmatch(line); m != nil {
				open, owner = indent, m[1]
			} else if returns.MatchString(line) && strings.Contains(strings.ToLower(f.path), "config") {
				open, owner = indent, ""
			}
			continue
		}
		m := entry.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		for len(above) > 0 && above[len(above)-1].indent >= indent {
			above = above[:len(above)-1]
		}
		name, value := m[2]+m[3], m[4]
		full := name
		for j := len(above) - 1; j >= 0 && j >= len(above)-maxNested; j-- {
			sep := "."
			if above[j].args {
				sep = "_"
			}
			full = above[j].name + sep + full
		}
		value = strings.TrimSpace(value)
		inner := strings.HasSuffix(value, "(") || strings.HasSuffix(value, "{") || strings.HasSuffix(value, "[")
		o := Option{Name: full, Owner: owner, Kind: Setting, Line: i + 1, Default: beforeComment(value), Help: joinText(f.commentAbove(i), trailingComment(line))}
		switch {
		case wrapped.MatchString(value):
			o.Default, o.Help = "", joinText(o.Help, "")
			call := f.callText(f.at[i] + strings.Index(f.lines[i], value))
			args := splitArguments(call)
			if d := defaultSaid(call); d != "" {
				o.Default = d
			} else if len(args) > 0 && !strings.Contains(args[0], "=") {
				o.Default = args[0]
			}
			if h := helpSaid(call); h != "" {
				o.Help = h
			}
		case inner:
			o.Default = ""
			above = append(above, parent{indent, name, strings.HasSuffix(value, "(")})
		}
		if j := strings.Index(value, "env("); j == 0 { // 'key' => env('KEY', default)
			if args := splitArguments(value[3:]); len(args) > 0 {
				o.Also = append(o.Also, literalText(args[0]))
				o.Default = ""
				if len(args) > 1 {
					o.Default = args[1]
				}
			}
		}
		f.add(o)
	}
}

func joinText(a, b string) string { return strings.TrimSpace(a + " " + b) }

// beforeComment returns the code of a line, without the comment at its end.
func beforeComment(s string) string {
	for _, mark := range []string{" //", " # ", " /*"} {
		if i := strings.Index(s, mark); i >= 0 {
			s = s[:i]
		}
	}
	return s
}

// trailingComment returns the comment after the code of a line.
func trailingComment(line string) string {
	for _, mark := range []string{" // ", "  # ", " /* "} {
		if i := strings.Index(line, mark); i >= 0 {
			return strings.Trim(line[i+len(mark):], " */")
		}
	}
	return ""
}
