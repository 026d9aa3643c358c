package settings

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// Calls that register an option or read one from the environment.
var (
	register = lazyregexp.New(`(?:^|[^\w])(?:[\w.]*\.)?(` +
		`(?:String|Int|Bool|Duration|Float64|Uint|Int64|Uint64|Int32|Uint32|StringSlice|StringArray|StringToString|IntSlice|Count|Text|Func|Var)(?:Var)?P?|` +
		`Flag|add_argument|add_option|addoption|option|Option|opt|requiredOption|addOption|on|class_option|method_option|` +
		`mattr_accessor|cattr_accessor|mattr_writer|class_attribute|config_accessor|config_setting|` +
		`\w*(?:Config|Setting|Flag|Param|Opt)\w*|Arg::new|long|set)\s*\(?\s*(?:&[\w.\[\]]+,\s*|[\w.]+,\s*)?(?:names?\s*=\s*\{?\s*)?(['":][\w-][^'",\s(){}]*|['"]--?[^'"]*['"]|[A-Z][A-Z_0-9]{3,}\b)`)
	environment = lazyregexp.New(`(?:os\.Getenv\(|os\.LookupEnv\(|os\.environ(?:\.get\(|\[)|os\.getenv\(|environ\.get\(|process\.env(?:\.|\[)|import\.meta\.env\.|System\.getenv\(|System\.getProperty\(|` +
		`env::var(?:_os)?\(|\benv!\(|\bgetenv\(|\bENV(?:\[|\.fetch\()|Environment\.GetEnvironmentVariable\(|\benv\(|viper\.Get\w*\(|(?:conf|config|settings|options|cfg)\.get\w*\()\s*['"]?([A-Za-z_][\w.\-]*)(['"]?\s*,\s*([^,()]+|\([^()]*\)))?`)
	named   = lazyregexp.New(`(?:^|[,({\s])(?:help|description|desc|describe|usage|Usage|metavar_help|about|EnvDefaultUsage)\s*[=:(]\s*`)
	valued  = lazyregexp.New(`(?:^|[,({\s.])(?:default|defaultValue|default_value|default_value_t|Default|Value|DefaultText|defaultsTo)\s*(?:=>|[=:(])\s*`)
	target  = lazyregexp.New(`&([\w.\[\]]+)`)
	cmake   = lazyregexp.New(`(?i)^\s*(?:option|cmake_dependent_option)\s*\(\s*([A-Z][\w]+)\s+"([^"]*)"(?:\s+([^\s)]+))?`)
	cached  = lazyregexp.New(`(?i)^\s*set\s*\(\s*([A-Z][\w]+)\s+(\S+)\s+CACHE\s+\w+\s+"([^"]*)"`)
	springs = lazyregexp.New(`@Value\(\s*"\$\{([\w.\-]+)(?::([^}]*))?\}`)
)

// marks lists texts, grouped by their first byte, at least one of which is in every line that registers an option.
var marks = byFirst("env", "ENV", "Env", "Flag", "flag", "Opt", "opt", "OPTION(", "add_argument", "accessor", "class_attribute", "Config", "Setting", "Param",
	"Var(", "String(", "Int(", "Bool(", "Duration(", "Arg::new", "set(", "SET(", ".on(", "VarP(", "viper", "conf.get", "cfg.get", "settings.get", "getProperty", "@Value")

// findCalls finds the options that calls register.
func (f *finder) findCalls() {
	for i, line := range f.lines {
		if !marks.foundIn(line) || isComment(line) {
			continue
		}
		f.findEnvironment(i, line)
		if strings.HasSuffix(f.path, "CMakeLists.txt") || strings.HasSuffix(f.path, ".cmake") {
			if m := cmake.FindStringSubmatch(line); m != nil {
				f.add(Option{Name: m[1], Kind: Feature, Help: m[2], Default: m[3], Line: i + 1})
			} else if m := cached.FindStringSubmatch(line); m != nil {
				f.add(Option{Name: m[1], Kind: Setting, Help: m[3], Default: m[2], Line: i + 1})
			}
			continue
		}
		if m := springs.FindStringSubmatch(line); m != nil {
			f.add(Option{Name: m[1], Kind: Setting, Default: m[2], Line: i + 1})
			continue
		}
		if at := strings.IndexAny(line, "(:"); at < 0 && !strings.Contains(line, "on ") {
			continue
		}
		text := line
		trimmed := strings.TrimSpace(line)
		if strings.HasSuffix(trimmed, "(") || strings.HasSuffix(trimmed, ",") || strings.HasSuffix(trimmed, "[") || strings.HasSuffix(trimmed, "{") {
			text = f.linesFrom(i, 3)
		}
		if !mayRegister(text) {
			continue
		}
		m := register.FindStringSubmatchIndex(text)
		if m == nil || m[2] > len(line) {
			continue
		}
		f.readRegistration(i, text[m[2]:m[3]], text[m[4]:m[5]], m[2])
	}
}

// linesFrom returns n lines from line i on, joined.
func (f *finder) linesFrom(i, n int) string {
	return strings.Join(f.lines[i:min(len(f.lines), i+n)], "\n")
}

// findEnvironment finds the environment variables that a line reads.
func (f *finder) findEnvironment(i int, line string) {
	if !hasAny(line, Reads) {
		return
	}
	for _, m := range environment.FindAllStringSubmatch(line, 4) {
		o := Option{Name: m[1], Kind: Env, Line: i + 1, Default: strings.TrimSpace(m[3]), Help: f.commentAbove(i)}
		if value, help := f.resolveConstant(m[0], m[1]); value != "" {
			o.Name = value
			if help != "" {
				o.Help = help
			}
		}
		if strings.Contains(m[0], ".get(") || strings.Contains(m[0], "env(") || strings.Contains(m[0], "fetch(") {
			o.Default = strings.TrimSpace(m[3])
		} else {
			o.Default = ""
		}
		if f.envs++; f.envs < maxEnvs {
			if d, ok := symbols.Enclosing(f.defs, i+1); ok {
				o.Owner = d.Name
				if o.Help == "" {
					o.Help = d.Doc
				}
			}
		}
		f.add(o)
	}
}

// resolveConstant returns the text of a constant that a call uses in place of a literal name, and the comment above its
// definition: getenv(envLog), where envLog = "TF_LOG".
func (f *finder) resolveConstant(call, name string) (value, help string) {
	if strings.ContainsAny(call, `'"`) {
		return "", ""
	}
	if f.constants == nil {
		f.constants = map[string]int{}
		for i, line := range f.lines {
			if m := textConstant.FindStringSubmatch(line); m != nil && len(f.constants) < maxOptions {
				if _, twice := f.constants[m[1]]; !twice {
					f.constants[m[1]] = i
				}
			}
		}
	}
	i, ok := f.constants[name]
	if !ok {
		return "", ""
	}
	return textConstant.FindStringSubmatch(f.lines[i])[2], f.commentAbove(i)
}

// textConstant matches a line that defines a constant whose text may be the name of a variable.
var textConstant = lazyregexp.New(`^\s*(?:[\w.]+\s+)*?([A-Za-z_]\w*)(?:\s*:\s*[&\w' ]+)?(?:\s+string)?\s*=\s*['"]([A-Z][A-Z0-9_]{2,60})['"]\s*[;,]?\s*$`)

// maxEnvs limits the reads of one file whose enclosing function is looked up.
const maxEnvs = 200

// readRegistration reads a call that registers an option: its names, default, help and target.
func (f *finder) readRegistration(i int, fn, first string, at int) {
	call := f.callText(f.at[i] + at)
	args := splitArguments(call)
	name := strings.Trim(first, `'":`)
	o := Option{Kind: Flag, Line: i + 1, Help: "", Target: ""}
	for _, a := range args {
		if t := literalText(a); strings.HasPrefix(t, "-") {
			for part := range strings.FieldsFuncSeq(t, func(r rune) bool { return r == ',' || r == ' ' || r == '|' }) {
				if strings.HasPrefix(part, "-") {
					part, _, _ = strings.Cut(part, "=")
					if len(part) > len(name) || !strings.HasPrefix(name, "--") && strings.HasPrefix(part, "--") {
						name = part
					}
				}
			}
		}
	}
	name, _, _ = strings.Cut(name, "=")
	o.Name = strings.Fields(name + " ")[0]
	if strings.HasPrefix(fn, "Configuration") || !isOptionName(fn, o.Name) {
		return
	}
	if m := target.FindStringSubmatch(call); m != nil {
		o.Target = m[1]
	}
	o.Help, o.Default = helpSaid(call), defaultSaid(call)
	f.readPositional(&o, fn, args)
	if strings.HasPrefix(fn, "Flag") || fn == "Flag" {
		f.readChained(&o, i, at)
	}
	if o.Help == "" {
		o.Help = f.commentAbove(i)
	}
	if strings.Contains(fn, "accessor") || fn == "class_attribute" || strings.Contains(fn, "Config") || fn == "set" {
		o.Kind = Setting
	}
	f.add(o)
}

// isOptionName excludes calls of functions with these names that register nothing.
func isOptionName(fn, name string) bool {
	switch fn {
	case "on", "opt", "option", "Option", "requiredOption", "addOption", "add_option", "add_argument", "addoption":
		return strings.HasPrefix(name, "-") || fn != "on" && fn != "add_argument" && name == strings.ToLower(name)
	case "set", "long":
		return false
	}
	return name != ""
}

// readPositional reads help and default by their position in a call.
func (f *finder) readPositional(o *Option, fn string, args []string) {
	at := -1 // index of the name
	for i, a := range args {
		if t := literalText(a); t == o.Name || strings.TrimPrefix(strings.TrimSpace(a), ":") == o.Name {
			at = i
			break
		}
	}
	if last := len(args) - 1; at >= 0 && o.Help == "" && last > at {
		for _, a := range args[at+1:] {
			if t := literalText(a); strings.Contains(t, " ") && len(t) > len(o.Help) {
				o.Help = t
			}
		}
	}
	if o.Default != "" || at < 0 {
		return
	}
	switch {
	case isTyped(fn) && len(args) >= at+3: // name, [shorthand,] default, help
		o.Default = args[len(args)-2]
	case strings.HasPrefix(fn, "create"): // the default follows the variable
		for i, a := range args {
			if i > at && i+1 < len(args) && isVariable(strings.TrimSpace(a)) {
				o.Default, o.Target = args[i+1], strings.TrimSpace(a)
				return
			}
		}
	}
}

func isVariable(s string) bool {
	before, after, ok := strings.Cut(s, ".")
	return ok && isName(before) && isName(after) && s == strings.ToLower(s[:1])+s[1:]
}

// isTyped reports whether a function of a flag package takes a default and a help text.
func isTyped(fn string) bool {
	base := strings.TrimSuffix(strings.TrimSuffix(fn, "P"), "Var")
	switch base {
	case "String", "Int", "Bool", "Duration", "Float64", "Uint", "Int64", "Uint64", "Int32", "Uint32", "StringSlice", "StringArray", "IntSlice", "StringToString":
		return true
	}
	return false
}

// readChained reads the calls chained to a.Flag("name", "help").
func (f *finder) readChained(o *Option, i, at int) {
	rest := f.text[f.at[i]+min(at, len(f.lines[i])):]
	rest = rest[:min(len(rest), 600)]
	lines := strings.Split(rest, "\n")
	for k, l := range lines {
		if k > 0 && !strings.HasPrefix(strings.TrimSpace(l), ".") && !strings.HasSuffix(strings.TrimSpace(lines[k-1]), ".") && !strings.HasSuffix(strings.TrimSpace(lines[k-1]), "(") {
			lines = lines[:k]
			break
		}
	}
	chain := strings.Join(lines, "\n")
	if j := strings.Index(chain, ".Default("); j >= 0 {
		if args := splitArguments(chain[j+8:]); len(args) > 0 {
			o.Default = args[0]
		}
	}
	if m := target.FindStringSubmatch(chain); m != nil {
		o.Target = m[1]
	}
}

// callText returns the text from the first parenthesis at or after an offset on, including its closing one, limited to
// maxCall bytes.
func (f *finder) callText(at int) string {
	rest := f.text[min(at, len(f.text)):]
	rest = rest[:min(len(rest), maxCall)]
	open := strings.IndexByte(rest, '(')
	line := strings.IndexByte(rest, '\n')
	if open < 0 || line >= 0 && open > line { // Ruby call without parentheses
		end := 0
		for n := 0; n < 6; n++ {
			j := strings.IndexByte(rest[end:], '\n')
			if j < 0 {
				end = len(rest)
				break
			}
			end += j + 1
			if !strings.HasSuffix(strings.TrimSpace(rest[:end]), ",") {
				break
			}
		}
		if i := strings.IndexAny(rest[:end], " \t"); i >= 0 {
			return "(" + rest[i:end] + ")"
		}
		return ""
	}
	return rest[open:]
}
