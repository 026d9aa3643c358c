package settings

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Headings and terms of a document that are keys, and entries of a configuration file.
var (
	directive = lazyregexp.New(`^\s*\.\.\s+(?:[a-z]+:)?(?:setting|data|option|confval|envvar|conf|describe|cmdoption|config\w*)::\s+([^\s,]+)`)
	heading   = lazyregexp.New("^\\s*(?:#{1,6}\\s+|[-*]\\s+|={2,6}\\s+)?(?:\\*\\*)?(?:<a [^>]*>\\s*(?:</a>)?)?[`*]{0,2}`?(-{0,2}[A-Za-z_][\\w.\\-]*)(?:[ =]<?\\w+>?|\\(\\))?`{0,2}\\*{0,2}(.*)$")
	row       = lazyregexp.New("^\\s*\\|\\s*`?(-{0,2}[A-Za-z_][\\w.\\-]*)`?[^|]*\\|(.*)$")
	man       = lazyregexp.New(`^\.(?:B|IP|It|BI)\s+"?(?:Fl )?((?:\\-|\\fB|\\fR|[\w.\-])+)`)
	under     = lazyregexp.New("^(?:[-=~^\"'*+.]){3,}\\s*$")
	pair      = lazyregexp.New(`^(#\s?)?([A-Za-z][\w.\-]*)(?:\s*[=:]\s*|\s+)(\S.*)?$`)
)

// findDocumented finds the keys that a document explains.
func (f *finder) findDocumented() {
	if history.MatchString(f.path) {
		return
	}
	fenced := false
	for i, line := range f.lines {
		s := strings.TrimSpace(line)
		if strings.HasPrefix(s, "```") {
			fenced = !fenced
		}
		if fenced || s == "" {
			continue
		}
		name, rest, ok := f.readTerm(i, line, s)
		if !ok {
			continue
		}
		text := joinText(rest, f.proseBelow(i))
		o := Option{Name: name, Kind: Documented, Line: i + 1, Help: text, Default: DefaultIn(text)}
		if d := directDefault(text); d != "" {
			o.Default = d
		}
		f.add(o)
	}
}

// readTerm returns the key that a line introduces, and the text after it.
func (f *finder) readTerm(i int, line, s string) (name, rest string, ok bool) {
	if strings.HasPrefix(s, "..") {
		if m := directive.FindStringSubmatch(line); m != nil {
			return m[1], "", true
		}
		return "", "", false
	}
	if strings.HasPrefix(s, ".") {
		if m := man.FindStringSubmatch(s); m != nil {
			name = strings.NewReplacer(`\-`, "-", `\fB`, "", `\fR`, "").Replace(m[1])
			return name, "", strings.HasPrefix(name, "-") || strings.Contains(name, "_")
		}
		return "", "", false
	}
	if strings.HasPrefix(s, "|") {
		if m := row.FindStringSubmatch(line); m != nil && m[1] != "---" {
			return m[1], strings.ReplaceAll(m[2], "|", " "), true
		}
		return "", "", false
	}
	marked := strings.HasPrefix(s, "#") || strings.HasPrefix(s, "==") || strings.HasPrefix(s, "-") || strings.HasPrefix(s, "* ")
	ticked := strings.Contains(s[:min(len(s), 24)], "`") || strings.Contains(s[:min(len(s), 12)], "**")
	underlined := i+1 < len(f.lines) && isUnder(f.lines[i+1])
	if !marked && !ticked && !underlined {
		return "", "", false
	}
	m := heading.FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	alone := strings.Trim(m[2], " `*:") == ""
	keyish := strings.ContainsAny(m[1], "_-.") || strings.ToLower(m[1][1:]) != m[1][1:] || ticked
	switch {
	case alone && (marked || underlined || ticked) && keyish:
		return m[1], "", true
	case marked && ticked:
		return m[1], m[2], true
	}
	return "", "", false
}

// isUnder reports whether a line underlines the one above it.
func isUnder(line string) bool {
	return line != "" && strings.IndexByte("-=~^\"'*+.", line[0]) >= 0 && under.MatchString(line)
}

// proseBelow returns the prose after a term, up to the next heading.
func (f *finder) proseBelow(i int) string {
	var b strings.Builder
	for j := i + 1; j < len(f.lines) && j < i+24 && b.Len() < 600; j++ {
		s := strings.TrimSpace(f.lines[j])
		if isUnder(s) {
			continue
		}
		if j > i+1 && (strings.HasPrefix(s, "#") || strings.HasPrefix(s, ".. ") || strings.HasPrefix(s, "|")) ||
			j+1 < len(f.lines) && j > i+1 && s != "" && isUnder(f.lines[j+1]) && len(f.lines[j+1]) >= len(s) {
			break
		}
		if j > i+1 && strings.HasPrefix(s, "- `") || strings.HasPrefix(s, "* `") {
			break
		}
		b.WriteString(s)
		b.WriteByte(' ')
	}
	return b.String()
}

var direct = lazyregexp.New("(?i)(?:^|[\\s*])default(?:\\s*value)?[*]{0,2}\\s*[:=][*]{0,2}\\s*(?::const:|:[a-z]+:)?(?:``?([^`]+)``?|\"([^\"]+)\"|([\\w.\\-]+))")

// directDefault reads "Default: `x`" in any of the forms that documents use.
func directDefault(text string) string {
	if !saysDefault(text) {
		return ""
	}
	if m := direct.FindStringSubmatch(text); m != nil {
		return strings.TrimRight(m[1]+m[2]+m[3], ".")
	}
	return ""
}

// history matches the path of a document about the past, such as a change log.
var history = lazyregexp.New(`(?i)(?:^|/)(?:change|history|news|release|upgrad|migrat|whatsnew|deprecat)[^/]*(?:/[^/]*)?$`)

// findConfigured finds the entries of a configuration file: those that are set, and those that are commented out and
// explained above.
func (f *finder) findConfigured() {
	yaml := strings.HasSuffix(f.path, ".yml") || strings.HasSuffix(f.path, ".yaml")
	for i, line := range f.lines {
		m := pair.FindStringSubmatch(line)
		if m == nil || yaml && m[1] != "" {
			continue
		}
		if yaml {
			f.readDescribed(i, m[2])
			continue
		}
		if m[1] != "" && strings.Count(strings.TrimSpace(m[3]), " ") > 0 || isSentence(m[2]) || m[3] == "" {
			continue
		}
		o := Option{Name: m[2], Kind: Setting, Line: i + 1, Help: f.commentParagraph(i)}
		if o.Default = DefaultIn(o.Help); o.Default == "" && m[1] == "" && (strings.HasSuffix(f.path, ".conf") || strings.Contains(strings.ToLower(o.Help), "default")) {
			o.Default = m[3]
		}
		f.add(o)
	}
}

func isSentence(word string) bool {
	return word[0] >= 'A' && word[0] <= 'Z' && strings.ToLower(word[1:]) == word[1:]
}

// commentParagraph returns the comment above a line of a configuration file, skipping blank lines and earlier entries of the
// same paragraph.
func (f *finder) commentParagraph(i int) string {
	from, said := i, false
	for from > 0 && i-from < 40 {
		s := strings.TrimSpace(f.lines[from-1])
		if s == "" && said || s != "" && s[0] != '#' && s[0] != ';' && s[0] != '!' {
			break
		}
		said = said || s != "" && !isCommentedOut(s)
		from--
	}
	var b strings.Builder
	for _, l := range f.lines[from:i] {
		b.WriteString(strings.Trim(l, "#;! \t"))
		b.WriteByte(' ')
	}
	return b.String()
}

// isCommentedOut reports whether a comment is a disabled entry, so that the paragraph goes on above it.
func isCommentedOut(s string) bool {
	m := pair.FindStringSubmatch(s)
	return m != nil && m[1] == "#" && strings.Count(strings.TrimSpace(m[3]), " ") == 0
}

// readDescribed reads a YAML entry whose value describes an option: a block with description and default.
func (f *finder) readDescribed(i int, name string) {
	o := Option{Name: name, Kind: Setting, Line: i + 1}
	section := ""
	seen := false
	var help strings.Builder
	inHelp := -1
	for j := i + 1; j < len(f.lines) && j < i+60; j++ {
		l := f.lines[j]
		s := strings.TrimSpace(l)
		if s == "" {
			continue
		}
		indent := len(l) - len(strings.TrimLeft(l, " "))
		if indent == 0 {
			break
		}
		if inHelp >= 0 && (indent > inHelp || strings.HasPrefix(s, "- ") && indent >= inHelp) {
			help.WriteString(" " + strings.Trim(s, "-\"' "))
			continue
		}
		inHelp = -1
		key, value, _ := strings.Cut(strings.TrimPrefix(s, "- "), ":")
		value = strings.Trim(strings.TrimSpace(value), "\"'")
		switch key {
		case "description", "help", "name", "summary":
			if key == "name" && indent > 2 && section == "env" {
				o.Also = append(o.Also, value)
				continue
			}
			seen = seen || key != "name"
			if key == "description" {
				inHelp = indent
			}
			help.WriteString(" " + strings.Trim(value, "|>-"))
		case "default":
			if indent <= 4 {
				o.Default = value
			}
		case "key":
			o.Also = append(o.Also, value)
		case "env", "ini", "vars", "cli":
			section = key
		}
	}
	if seen {
		o.Help = help.String()
		f.add(o)
	}
}
