package settings

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// Kind tells how an option is set.
type Kind string

// The kinds of options.
const (
	Flag       Kind = "flag"    // of a command line
	Env        Kind = "env"     // environment variable
	Setting    Kind = "setting" // entry of a table or a configuration file
	Field      Kind = "field"   // of a type that holds options
	Setter     Kind = "setter"  // method or function that sets an option
	Feature    Kind = "feature" // constant of an enum, or a build switch
	Documented Kind = "documented"
	Parameter  Kind = "parameter" // of a function, as its comment explains
)

// Option is one thing that can be set.
type Option struct {
	Name    string // as a user writes it
	Also    []string
	Owner   string // the type, table or heading that contains it
	Kind    Kind
	Default string // as written; "" if none is stated
	Help    string
	Line    int // 1-based
	Target  string
}

// Limits on what is read.
const (
	maxOptions = 4000    // per file
	maxFile    = 1 << 20 // bytes; the rest is not read
	maxLine    = 2000    // bytes read of a line
	maxCall    = 2500    // bytes read of the arguments of a call
	maxHelp    = 600
	maxName    = 80
	maxDefault = 60
)

// Find returns the options that a file declares, in the order of lines.
func Find(path string, data []byte, defs []symbols.Def) []Option {
	if len(data) > maxFile {
		data = data[:maxFile]
	}
	f := &finder{path: path, text: string(data), defs: defs}
	f.splitLines()
	switch kindOfFile(path) {
	case document:
		f.findDocumented()
		return f.out
	case settings:
		f.findConfigured()
		return f.out
	}
	f.findCalls()
	f.findTables()
	f.findMembers(defs)
	f.findParameters()
	return f.out
}

// readsOrFlags lists texts, at least one of which is in every body in which In finds something.
var readsOrFlags = append([]string{"flag.", "Flag(", "add_argument", "option("}, Reads...)

// In returns the environment variables, keys and flags that a body of code reads or registers. Lines count from the
// first line of the body.
func In(body string) []Option {
	if !hasAny(body, readsOrFlags) {
		return nil
	}
	f := &finder{text: body[:min(len(body), maxFile)]}
	f.splitLines()
	f.findCalls()
	return slices.DeleteFunc(f.out, func(o Option) bool { return o.Kind != Env && o.Kind != Flag })
}

// finder gathers the options of one file.
type finder struct {
	path      string
	text      string
	lines     []string
	at        []int // offsets of lines
	defs      []symbols.Def
	constants map[string]int // lines of constants with a text
	envs      int
	out       []Option
}

func (f *finder) splitLines() {
	for from := 0; from < len(f.text); {
		end := strings.IndexByte(f.text[from:], '\n')
		next := from + end + 1
		if end < 0 {
			end, next = len(f.text)-from, len(f.text)
		}
		f.lines = append(f.lines, strings.TrimRight(f.text[from:from+min(end, maxLine)], "\r"))
		f.at = append(f.at, from)
		from = next
	}
}

// add keeps an option if its name is valid.
func (f *finder) add(o Option) {
	o.Name = strings.Trim(o.Name, " \t\"'`,")
	if len(f.out) >= maxOptions || !isName(o.Name) {
		return
	}
	if strings.ContainsAny(o.Help, "<:@") {
		o.Help = markup.ReplaceAllString(o.Help, "$1$2")
	}
	o.Help = tidy(o.Help, maxHelp)
	o.Default = defaultText(o.Default)
	f.out = append(f.out, o)
}

// markup matches what documents and comments write around words.
var markup = lazyregexp.New("</?(?:summary|para|value|c|p|code|b|i|remarks|ul|li|br)\\s*/?>|<see(?:also)? cref=\"(?:[A-Z]:)?([^\"]*)\"\\s*/>|:[a-z:]+:`~?([^`]*)`|\\{@(?:code|link|value)|<[a-z]+ [^>]*>")

// isName reports whether s can be the name of an option.
func isName(s string) bool {
	if len(s) < 2 || len(s) > maxName {
		return false
	}
	letters := false
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			letters = true
		case c >= '0' && c <= '9', c == '_', c == '-', c == '.', c == ':', c == '/':
		default:
			return false
		}
	}
	return letters
}

// tidy joins a text into one line and shortens it.
func tidy(s string, most int) string {
	return contract.Shorten(strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), ""), most)
}

// reference matches a default that is a variable of the code rather than a value.
var reference = lazyregexp.New(`^(?:self|this|[a-z]\w*)\.\w[\w.]*$`)

// defaultText returns a default as it is shown, or "" if it is not informative.
func defaultText(s string) string {
	s = strings.Trim(strings.TrimSpace(strings.TrimRight(strings.TrimSpace(s), ",;")), "`")
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'' || s[0] == '`') && s[len(s)-1] == s[0] {
		if s = s[1 : len(s)-1]; s == "" {
			return `""`
		}
	}
	if len(s) > maxDefault || strings.ContainsAny(s, "\n`") || strings.Count(s, "(") != strings.Count(s, ")") ||
		strings.HasSuffix(s, "{") || strings.HasSuffix(s, "[") && !strings.HasSuffix(s, "[]") || strings.Contains(s, "=>") || strings.ContainsAny(s, "$<") ||
		reference.MatchString(s) {
		return ""
	}
	return s
}

type fileKind int

const (
	code fileKind = iota
	document
	settings
)

func kindOfFile(path string) fileKind {
	dot := strings.LastIndexByte(path, '.')
	slash := strings.LastIndexByte(path, '/')
	if dot < slash || dot < 0 {
		return code
	}
	switch strings.ToLower(path[dot+1:]) {
	case "md", "mdx", "rst", "adoc", "markdown", "1", "5", "8":
		return document
	case "conf", "cfg", "ini", "properties", "toml", "yml", "yaml":
		return settings
	}
	return code
}
