package mcpfile

import (
	"os"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

var variable = lazyregexp.New(`\$\{([^{}]*)\}`)

// editors matches the names of variables in VS Code and its relatives.
var editors = lazyregexp.New(`^(?:(?:config|command|env|input|extensionInstallFolder):|workspace(?:Folder|Root)|file(?:$|[A-Z])|relativeFile|(?:userHome|cwd|execPath|pathSeparator|lineNumber|columnNumber|selectedText|defaultBuildTask|/)$)`)

// expand rewrites every variable as ${NAME} of the environment, or replaces it with its value.
func (r *entryReader) expand(text string) string {
	return variable.ReplaceAllStringFunc(text, func(written string) string {
		return r.variable(written, written[2:len(written)-1])
	})
}

func (r *entryReader) variable(written, name string) string {
	if envName.MatchString(name) && !editors.MatchString(name) {
		return r.referEnv(name)
	}
	if env, ok := strings.CutPrefix(name, "env:"); ok && envName.MatchString(env) {
		return r.referEnv(env)
	}
	if id, ok := strings.CutPrefix(name, "input:"); ok {
		return r.input(id)
	}
	if env, value, ok := strings.Cut(name, ":-"); ok && envName.MatchString(env) {
		if r.src.Getenv != nil && r.src.Getenv(env) != "" {
			return "${" + env + "}"
		}
		r.note("%s is not set, so its default stands in its place", env)
		return value
	}
	value := ""
	switch name {
	case "userHome":
		value = r.src.Home
	case "workspaceFolder", "workspaceRoot":
		value = r.src.Workspace
	case "workspaceFolderBasename":
		if r.src.Workspace != "" {
			value = path.Base(strings.ReplaceAll(r.src.Workspace, `\`, "/"))
		}
	case "pathSeparator", "/":
		value = string(os.PathSeparator)
	}
	if value == "" && !editors.MatchString(name) {
		return written // of a shell, say: not one of ours
	}
	if value == "" {
		r.skipServer("only the other program knows what %s stands for: write it out in the file", written)
		return written
	}
	return value
}

// referEnv returns a reference to an environment variable; if it is not set, the user has to fill it in, as with VS
// Code's inputs.
func (r *entryReader) referEnv(name string) string {
	if r.src.Getenv != nil && r.src.Getenv(name) == "" {
		r.addAsk(Ask{Variable: name}, "%s is not set here", name)
	}
	return "${" + name + "}"
}

// addAsk records a variable that has to be filled in, once.
func (r *entryReader) addAsk(a Ask, note string, args ...any) {
	if slices.ContainsFunc(r.s.Asks, func(b Ask) bool { return b.Variable == a.Variable }) {
		return
	}
	r.s.Asks = append(r.s.Asks, a)
	r.note(note, args...)
}

// input resolves what VS Code asks for when it starts a server.
func (r *entryReader) input(id string) string {
	in := r.inputs[id]
	if in.value != "" && !in.secret {
		r.note("${input:%s} has its default, %q", id, in.value)
		return in.value
	}
	name := variableName(id)
	r.addAsk(Ask{name, in.prompt}, "the other program asks for %q: set %s", id, name)
	return "${" + name + "}"
}

// expandFixed expands text that compactor does not expand itself: the program and directories. Environment variables are
// replaced by their current values.
func (r *entryReader) expandFixed(key, text string) string {
	return variable.ReplaceAllStringFunc(r.expand(text), func(written string) string {
		name := written[2 : len(written)-1]
		if r.src.Getenv != nil {
			if value := r.src.Getenv(name); value != "" {
				return value
			}
		}
		r.skipServer("%s holds %s, which is not set: write it out in the file", key, written)
		return written
	})
}

// variableName builds the name of an environment variable from any words.
func variableName(words ...string) string {
	var b strings.Builder
	for _, c := range strings.Join(words, "_") {
		switch {
		case c >= 'a' && c <= 'z':
			b.WriteRune(c - 'a' + 'A')
		case c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
			b.WriteRune(c)
		default:
			if s := b.String(); s != "" && !strings.HasSuffix(s, "_") {
				b.WriteByte('_')
			}
		}
	}
	name := strings.TrimRight(b.String(), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "VALUE_" + name
	}
	return strings.TrimRight(name, "_")
}

// references lists the variables in a text.
func references(text string) []string {
	var out []string
	for _, m := range variable.FindAllStringSubmatch(text, -1) {
		if envName.MatchString(m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}
