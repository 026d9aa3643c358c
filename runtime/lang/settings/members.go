package settings

import (
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// What shows that a type holds options, and what its members say.
var (
	holder     = lazyregexp.New(`(?i)(?:options?|opts|config\w*|configuration|settings?|propert(?:y|ies)|params?|features?|defaults?|flags?|args|arguments|builder|props|policy|formatter|limits)$`)
	tag        = lazyregexp.New(`(?:yaml|json|toml|mapstructure|env|hcl|xml|ini|flag|long)\s*:\s*"([\w.\-]+)`)
	tagDefault = lazyregexp.New("`[^`]*\\b(?:default|envDefault):\"([^\"]+)\"")
	doc        = lazyregexp.New(`(?i)@default(?:value)?\s+([^\s@]+)|\bdefaults?(?:\s+(?:value|setting|is|to|of|means))*(?:\s*[:=]\s*|\s+(?:is|to|of|value|being)\s+)(?:set\s+to\s+)?(?:` + "[`'\"{]{1,2}" + `(?:@code\s+|@value\s+)?([^` + "`'\"}" + `\s]+)[` + "`'\"}]" + `|((?:true|false|null|nil|none|-?\d[\d_.,]*\d|-?\d)\w*(?:\s+(?:seconds|milliseconds|minutes|hours|days|bytes|[KMG]i?B))?))`)
	saidBy     = lazyregexp.New(`(?i)\bby\s+default,?\s[^.;:]{0,40}\b(?:value\s+of|set\s+to)\s+(\d\w*|true|false|yes|no)\b`)
	enabled    = lazyregexp.New(`(?i)\b(enabled|disabled|off|on)\s+by\s+default`)
	initial    = lazyregexp.New(`[^=!<>]=\s*([^=>].*?)\s*[;,]?\s*$`)
	argument   = lazyregexp.New(`^\s*[A-Z][A-Z_0-9]+\s*\(([^(),]+)`)
	prefix     = lazyregexp.New(`@ConfigurationProperties\(\s*(?:prefix\s*=\s*|value\s*=\s*)?"([\w.\-]+)"`)
	setter     = lazyregexp.New(`^(?:with|set|use|enable|disable|configure)?[_A-Z]?\w*$`)
	withNames  = []string{"With", "with_", "Set", "set", "enable", "disable", "Enable", "Disable"}
)

// findMembers finds the fields, constants and setters of types that hold options.
func (f *finder) findMembers(defs []symbols.Def) {
	spring := ""
	if strings.HasSuffix(f.path, ".java") || strings.HasSuffix(f.path, ".kt") {
		if m := prefix.FindStringSubmatch(f.text); m != nil {
			spring = m[1]
		}
	}
	file := holder.MatchString(strings.TrimSuffix(path.Base(f.path), path.Ext(f.path)))
	holds := map[string]bool{} // by container
	for _, d := range defs {
		if d.Line < 1 || d.Line > len(f.lines) {
			continue
		}
		held, known := holds[d.Container]
		if !known {
			held = holder.MatchString(lastOf(d.Container))
			holds[d.Container] = held
		}
		inside := spring != "" || held || d.Container == "" && file
		switch d.Kind {
		case symbols.KindField, symbols.KindVariable, symbols.KindConstant, symbols.KindMember:
			if inside || d.Container != "" && (file || tagOf(f.lines[d.Line-1]) != "") {
				f.addField(d, spring)
			}
		case symbols.KindMethod, symbols.KindFunction, symbols.KindPrototype:
			if inside && setter.MatchString(d.Name) || startsWith(d.Name, withNames) && d.Container == "" {
				f.addSetter(d)
			}
		}
	}
}

func startsWith(s string, list []string) bool {
	return slices.ContainsFunc(list, func(p string) bool { return len(s) > len(p) && strings.HasPrefix(s, p) })
}

// lastOf returns the innermost part of a container.
func lastOf(container string) string {
	return container[strings.LastIndexAny(container, ".:#/>\\")+1:]
}

// addField adds the option that a field or constant holds.
func (f *finder) addField(d symbols.Def, spring string) {
	line := f.lines[d.Line-1]
	o := Option{Name: d.Name, Owner: lastOf(d.Container), Kind: Field, Line: d.Line}
	if d.Kind == symbols.KindMember {
		o.Kind = Feature
	}
	comment := joinText(f.commentAbove(d.Line-1), trailingComment(line))
	if comment == "" {
		comment = d.Doc
	}
	o.Help = comment
	if name := tagOf(line); name != "" {
		o.Also, o.Name = append(o.Also, d.Name), name
	}
	if spring != "" && d.Kind == symbols.KindField && !strings.Contains(line, " static ") {
		o.Name, o.Also, o.Kind = springKey(spring, d.Container, d.Name), []string{d.Name}, Setting
	}
	o.Default = DefaultIn(comment)
	if m := tagDefault.FindStringSubmatch(line); m != nil && o.Default == "" {
		o.Default = m[1]
	}
	if m := argument.FindStringSubmatch(line); m != nil && o.Default == "" && d.Kind == symbols.KindMember && (m[1] == "true" || m[1] == "false") {
		o.Default = m[1]
	}
	if m := initial.FindStringSubmatch(beforeComment(line)); m != nil && o.Default == "" && d.Kind != symbols.KindMember && !strings.Contains(m[1], "`") && !strings.HasPrefix(m[1], "builder.") {
		o.Default = m[1]
	}
	f.add(o)
}

// tagOf returns the name under which a field is serialized, or "".
func tagOf(line string) string {
	if strings.IndexByte(line, '"') < 0 {
		return ""
	}
	if m := tag.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

// springKey returns the key of a field in a class of Spring configuration properties.
func springKey(prefix, container, name string) string {
	parts := strings.Split(container, ".")
	key := prefix
	for _, p := range parts[min(1, len(parts)):] {
		key += "." + kebab(p)
	}
	return key + "." + kebab(name)
}

func kebab(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			if i > 0 {
				b.WriteByte('-')
			}
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// addSetter adds the option that a method sets.
func (f *finder) addSetter(d symbols.Def) {
	comment := f.commentAbove(d.Line - 1)
	if comment == "" {
		comment = d.Doc
	}
	f.add(Option{Name: d.Name, Owner: lastOf(d.Container), Kind: Setter, Line: d.Line, Help: comment, Default: DefaultIn(comment)})
}

// DefaultIn returns the default that a text states, or "" if it states none or several.
func DefaultIn(text string) string {
	if !saysDefault(text) {
		return ""
	}
	found := ""
	for _, m := range doc.FindAllStringSubmatch(text, 3) {
		v := strings.TrimRight(m[1]+m[2]+m[3], ".,;:)")
		if found != "" && found != v {
			return ""
		}
		found = v
	}
	if found != "" {
		return found
	}
	if m := saidBy.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	if m := enabled.FindStringSubmatch(text); m != nil {
		switch strings.ToLower(m[1]) {
		case "enabled", "on":
			return "enabled"
		}
		return "disabled"
	}
	return ""
}

// saysDefault reports whether a text contains the word default, as every statement of a default does.
func saysDefault(text string) bool {
	for {
		i := strings.IndexAny(text, "dD")
		if i < 0 || len(text)-i < len("default") {
			return false
		}
		if strings.EqualFold(text[i:i+len("default")], "default") {
			return true
		}
		text = text[i+1:]
	}
}
