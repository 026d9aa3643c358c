package mcpfile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFind(t *testing.T) {
	for goos, desktop := range map[string]string{
		"linux": ".config/Claude", "darwin": "Library/Application Support/Claude", "windows": "AppData/Roaming/Claude",
	} {
		home, work := t.TempDir(), t.TempDir()
		put := func(dir, name, text string) string {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
		want := []Found{
			{put(home, ".lmstudio/mcp.json", `{"mcpServers": {"a": {"command": "x"}, "b": {"url": "https://h"}}}`), "LM Studio", "lmstudio", 2, "", false},
			{put(home, desktop+"/claude_desktop_config.json", `{"globalShortcut": ""}`), "Claude Desktop", "claude", 0, "", false},
			{put(work, ".mcp.json", `{"mcpServers": {`), "Claude Code (project)", "claude-code", 0, "1:17: not JSON: it ends too early: a closing brace or bracket is missing", true},
			{put(work, ".vscode/mcp.json", `{"servers": {"a": {"command": "${workspaceFolder}/x"}}}`), "VS Code (project)", "vscode", 1, "", true},
			{put(home, ".codex/config.toml", "[mcp_servers.a]\ncommand = \"x\"\n"), "Codex", "codex", 1, "", false},
			{put(work, ".codex/config.toml", "[mcp_servers.a\n"), "Codex (project)", "codex", 0, "1:15: not TOML: expected ']' to close table name", true},
			{put(home, ".gemini/settings.json", " \n"), "Gemini CLI", "gemini-cli", 0, "", false},
		}
		got := Find(home, work, func(string) string { return "" }, goos)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", goos, d)
		}
	}
}

func TestSourceOf(t *testing.T) {
	for path, want := range map[string]string{
		"/p/.vscode/mcp.json": "/p", "/p/.cursor/mcp.json": "/p", "/p/.mcp.json": "/p", "/p/.codex/config.toml": "/p", "/h/.codex/config.toml": "", "/h/.cursor/mcp.json": "", "/p/mcp.json": "",
	} {
		if got := SourceOf(filepath.FromSlash(path), filepath.FromSlash("/h"), os.Getenv).Workspace; filepath.ToSlash(got) != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}
