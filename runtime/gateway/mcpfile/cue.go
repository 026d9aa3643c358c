package mcpfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Options say how servers are written.
type Options struct {
	From         string                       // named in the heading; "" for none
	Secret       func(key, value string) bool // reports whether a value must not appear in a configuration; nil: none
	Taken        map[string]string            // variables that are set elsewhere: a name is reused only for the same value
	CommentRules bool                         // write toolRules as a comment: the configuration has some
	Append       bool                         // write text to be appended to an existing file: without the heading
}

// CUE writes the servers as a configuration to be edited by hand, and returns the secrets that it refers to by
// variable. A variable without a value has to be filled in by the user.
func CUE(servers []Server, opt Options) (config []byte, secrets map[string]string) {
	v := newVault(servers, opt)
	var b strings.Builder
	writeHeading(&b, opt)
	for _, s := range servers {
		b.WriteByte('\n')
		writeServer(&b, v.hide(s))
	}
	if len(servers) == 0 {
		b.WriteString("\nservers: {}\n")
	}
	writeRules(&b, servers, opt.CommentRules)
	return []byte(b.String()), v.secrets
}

func writeHeading(b *strings.Builder, opt Options) {
	if opt.From != "" {
		fmt.Fprintf(b, "// MCP servers, imported from %s.\n", sanitize.OneLine(opt.From, 0))
	}
	if opt.Append {
		return
	}
	b.WriteString("// Edit it by hand; check it with: compactor validate.\n")
	b.WriteString("// ${VAR} stands for a variable of the environment or of secrets.env beside this file.\n")
	b.WriteString("package compactor\n")
}

func writeServer(b *strings.Builder, s Server) {
	for _, a := range s.Asks {
		fmt.Fprintf(b, "// It needs %s%s\n", a.Variable, sanitize.OneLine(promptSuffix(a.Prompt), 0))
	}
	if s.EnvFile != "" {
		fmt.Fprintf(b, "// Its environment is also in %s.\n", sanitize.OneLine(s.EnvFile, 0))
	}
	fmt.Fprintf(b, "servers: %s: {\n", cueString(s.Name))
	var fs fields
	fs.addText("description", s.Description)
	if s.Kind != "stdio" {
		fs.addText("kind", s.Kind)
	}
	fs.addText("command", s.Command)
	fs.addList("args", s.Args)
	fs.addMap("env", s.Env)
	fs.addText("dir", s.Dir)
	fs.addText("url", s.URL)
	fs.addMap("headers", s.Headers)
	if s.Disabled {
		fs.add("enabled", "false")
	}
	if s.Timeout > 0 {
		fs.addText("timeout", duration(s.Timeout))
	}
	fs.write(b, "\t")
	b.WriteString("}\n")
}

func promptSuffix(prompt string) string {
	if prompt == "" {
		return "."
	}
	return ": " + prompt
}

// writeRules writes the lists of allowed and disabled tools. None of the rules enables anything: that would disable the
// tools of all other servers.
func writeRules(b *strings.Builder, servers []Server, comment bool) {
	var lines []string
	for _, s := range servers {
		if len(s.AllowedTools) > 0 {
			pattern := []string{"*"}
			for _, t := range s.AllowedTools {
				pattern = append(pattern, "!"+exactPattern(t))
			}
			lines = append(lines, "\t// Of "+s.Name+" these tools alone are left.", "\t"+ruleFor(s.Name, pattern))
		}
		if len(s.DisabledTools) > 0 {
			var pattern []string
			for _, t := range s.DisabledTools {
				pattern = append(pattern, exactPattern(t))
			}
			lines = append(lines, "\t"+ruleFor(s.Name, pattern))
		}
	}
	if len(lines) == 0 {
		return
	}
	lines = slices.Concat([]string{"toolRules: ["}, lines, []string{"]"})
	b.WriteByte('\n')
	if comment {
		b.WriteString("// Add these to the toolRules that you have:\n")
	}
	for _, l := range lines {
		if comment {
			l = "// " + strings.ReplaceAll(l, "\t", "  ")
		}
		b.WriteString(l + "\n")
	}
}

func ruleFor(server string, pattern []string) string {
	return "{pattern: " + list(pattern) + ", server: " + cueString(server) + ", enabled: false},"
}

// exactPattern returns a pattern that matches one name.
func exactPattern(tool string) string {
	var b strings.Builder
	for i, c := range tool {
		if strings.ContainsRune(`*?[]{}\`, c) || i == 0 && (c == '!' || c == '/') {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// fields are lines of a struct, laid out as cue fmt does.
type fields []struct{ key, value string }

// widest is the length above which a list or map is split over several lines.
const widest = 100

func (fs *fields) add(key, value string) {
	*fs = append(*fs, struct{ key, value string }{key, value})
}

func (fs *fields) addText(key, value string) {
	if value != "" {
		fs.add(key, cueString(value))
	}
}

func (fs *fields) addList(key string, items []string) {
	if len(items) == 0 {
		return
	}
	line := list(items)
	if len(line) > widest {
		line = "[\n"
		for _, it := range items {
			line += "\t\t" + cueString(it) + ",\n"
		}
		line += "\t]"
	}
	fs.add(key, line)
}

func (fs *fields) addMap(key string, m map[string]string) {
	if len(m) == 0 {
		return
	}
	var pairs []string
	var lines fields
	for _, k := range slices.Sorted(maps.Keys(m)) {
		pairs = append(pairs, label(k)+": "+cueString(m[k]))
		lines.add(label(k), cueString(m[k]))
	}
	line := "{" + strings.Join(pairs, ", ") + "}"
	if len(line) > widest {
		var b strings.Builder
		b.WriteString("{\n")
		lines.write(&b, "\t\t")
		b.WriteString("\t}")
		line = b.String()
	}
	fs.add(key, line)
}

// write aligns adjacent texts, but not lists and maps.
func (fs fields) write(b *strings.Builder, indent string) {
	for i := 0; i < len(fs); {
		end, width := i, 0
		for end < len(fs) && !strings.ContainsAny(fs[end].value[:1], "[{") {
			width = max(width, len([]rune(fs[end].key)))
			end++
		}
		if end == i {
			fmt.Fprintf(b, "%s%s: %s\n", indent, fs[i].key, fs[i].value)
			i++
			continue
		}
		for ; i < end; i++ {
			fmt.Fprintf(b, "%s%-*s %s\n", indent, width+1, fs[i].key+":", fs[i].value)
		}
	}
}

func list(items []string) string {
	quoted := make([]string, len(items))
	for i, it := range items {
		quoted[i] = cueString(it)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

var keywords = []string{"package", "import", "for", "in", "if", "let", "true", "false", "null", "func", "else", "fallback", "otherwise", "try"}

// label returns the label of a field. A leading underscore would hide the field.
func label(name string) string {
	if !envName.MatchString(name) || name[0] == '_' || slices.Contains(keywords, name) {
		return cueString(name)
	}
	return name
}

// cueString returns a CUE string on one line, with invisible characters escaped.
func cueString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range strings.ToValidUTF8(s, "\ufffd") {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\r':
			b.WriteString(`\r`)
		case c > 0xffff && !unicode.IsPrint(c):
			fmt.Fprintf(&b, `\U%08x`, c)
		case !unicode.IsPrint(c):
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func duration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
