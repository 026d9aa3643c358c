// Package clients lists the programs that start MCP servers: the name of each, where it keeps its servers on each
// system, and in what format.
//
// It is data: package install writes these files, package mcpfile reads them, and neither refers to a program by name.
package clients

import (
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

// Format is the syntax of a file.
type Format int

// Formats.
const (
	JSON Format = iota // with comments and trailing commas if the file has them
	TOML
)

// Client is one program.
type Client struct {
	Name  string // as on the command line
	Title string // as people call it

	Key    string   // member of a file that holds the servers by name
	Format Format   // of all its files
	Files  []string // of the user: the first whose directory exists; see Place.File
	// Project is the file below a project's directory; "" if the client has none.
	Project string
	// Also are further files with servers that are only read, keyed by a word that describes them.
	Also map[string]string

	Type    string // "type" of an entry; "" if the client wants none
	Timeout int    // "timeout" of an entry in milliseconds; 0 leaves it to the client
	// Link begins a link that makes the client offer to add an entry; "" if it supports none.
	Link string
}

// requestTimeout is the timeout written for LM Studio. Its own default is about 60 s; every reply is sent before that,
// so this only leaves room for a slow disk.
const requestTimeout = 120_000

const stdio = "stdio"

var all = []Client{
	{Name: "lmstudio", Title: "LM Studio", Key: "mcpServers", Files: []string{"~/.lmstudio/mcp.json", "~/.cache/lm-studio/mcp.json"},
		Timeout: requestTimeout, Link: "lmstudio://add_mcp"},
	{Name: "claude", Title: "Claude Desktop", Key: "mcpServers", Files: []string{"%data%/Claude/claude_desktop_config.json"}},
	{Name: "claude-code", Title: "Claude Code", Key: "mcpServers", Files: []string{"$CLAUDE_CONFIG_DIR/.claude.json", "~/.claude.json"}, Project: ".mcp.json", Type: stdio},
	{Name: "cursor", Title: "Cursor", Key: "mcpServers", Files: []string{"~/.cursor/mcp.json"}, Project: ".cursor/mcp.json"},
	{Name: "vscode", Title: "VS Code", Key: "servers", Files: []string{"%data%/Code/User/mcp.json"}, Project: ".vscode/mcp.json", Type: stdio,
		Also: map[string]string{"settings": "%data%/Code/User/settings.json"}},
	{Name: "windsurf", Title: "Windsurf", Key: "mcpServers", Files: []string{"~/.codeium/windsurf/mcp_config.json"}},
	{Name: "zed", Title: "Zed", Key: "context_servers", Files: []string{"%config%/zed/settings.json"}, Project: ".zed/settings.json"},
	{Name: "codex", Title: "Codex", Key: "mcp_servers", Format: TOML, Files: []string{"$CODEX_HOME/config.toml", "~/.codex/config.toml"}, Project: ".codex/config.toml"},
	{Name: "gemini-cli", Title: "Gemini CLI", Key: "mcpServers", Files: []string{"~/.gemini/settings.json"}, Project: ".gemini/settings.json"},
}

// All lists the clients.
func All() []Client { return slices.Clone(all) }

// Names lists their names.
func Names() []string {
	var out []string
	for _, c := range all {
		out = append(out, c.Name)
	}
	return out
}

// Find returns the client of that name, ignoring case.
func Find(name string) (Client, error) {
	for _, c := range all {
		if strings.EqualFold(c.Name, name) {
			return c, nil
		}
	}
	near := diag.Nearest(name, Names())
	if near != "" {
		near = "; did you mean " + near + "?"
	}
	return Client{}, fmt.Errorf("client %q is not known%s; there are: %s", name, near, strings.Join(Names(), ", "))
}
