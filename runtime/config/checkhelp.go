package config

import (
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

// Fields of an mcp.json that people carry over by hand: their names here, or what to write instead.
var (
	renamed = map[string]string{"type": "kind", "transport": "kind", "cwd": "dir", "environment": "env", "serverUrl": "url", "httpUrl": "url"}
	instead = map[string]string{
		"disabled":      "write enabled: false",
		"envFile":       "write what it holds into env, and keys into secrets.env beside the configuration",
		"disabledTools": "toolRules says which tools can be used",
		"allowedTools":  "toolRules says which tools can be used",
		"alwaysAllow":   "leave it out: the chat client asks before a call, compactor does not",
		"autoApprove":   "leave it out: the chat client asks before a call, compactor does not",
	}
)

// gone lists fields of definitions that were renamed, or that had no effect.
var gone = map[string]map[string]struct{ here, do string }{
	"#Role":  {"assist": {here: "task"}, "network": {do: "leave it out: network stands at the top of your configuration, and tools says what the role's model may call"}},
	"#Stage": {"assist": {here: "task"}},
}

func wasField(d *diag.Diagnostic, definition, field string) {
	was, known := gone[definition][field]
	if known {
		d.Suggestion, d.Help = was.here, was.do
	}
}

func otherName(d *diag.Diagnostic, field string) {
	if here := renamed[field]; here != "" {
		d.Suggestion = here
	}
	if do := instead[field]; do != "" {
		d.Suggestion, d.Help = "", do
	}
}

// formHelp rewrites a text as the list or server that was meant.
func formHelp(n *node, want kind, path []string) string {
	text, ok := n.scalar.(string)
	if n.kind != scalarNode || !ok || text == "" {
		return ""
	}
	last := path[len(path)-1]
	switch {
	case want == listNode && last == "args":
		return "write " + wordList(text)
	case want == listNode:
		return "write [" + strconv.Quote(text) + "]"
	case len(path) == 2 && path[0] == "servers":
		return "write " + commandLine(text)
	}
	return ""
}

// scalarHelp explains a command that is written as a list, as some programs do.
func scalarHelp(n *node, path []string) string {
	if n.kind == listNode && len(path) == 3 && (path[0] == "servers" || path[0] == "dependencies") && path[2] == "command" {
		return `write the program alone, and what follows it in args: ["..."]`
	}
	return ""
}

func wordList(text string) string {
	var out []string
	for w := range strings.FieldsSeq(text) {
		out = append(out, strconv.Quote(w))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// commandLine writes a shell command line, or an address, as the fields of a server.
func commandLine(text string) string {
	if strings.Contains(text, "://") {
		return "{url: " + strconv.Quote(text) + "}"
	}
	program, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if rest == "" {
		return "{command: " + strconv.Quote(program) + "}"
	}
	return "{command: " + strconv.Quote(program) + ", args: " + wordList(rest) + "}"
}
