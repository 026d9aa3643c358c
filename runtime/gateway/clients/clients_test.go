package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func at(home, goos string, env map[string]string) Place {
	return Place{Home: filepath.FromSlash(home), GOOS: goos, Getenv: func(k string) string { return env[k] }}
}

func TestFileOfEachClient(t *testing.T) {
	for _, c := range []struct {
		goos string
		env  map[string]string
		want map[string]string
	}{
		{"linux", nil, map[string]string{
			"lmstudio": "/h/.lmstudio/mcp.json", "claude": "/h/.config/Claude/claude_desktop_config.json", "claude-code": "/h/.claude.json",
			"cursor": "/h/.cursor/mcp.json", "vscode": "/h/.config/Code/User/mcp.json", "windsurf": "/h/.codeium/windsurf/mcp_config.json",
			"zed": "/h/.config/zed/settings.json", "codex": "/h/.codex/config.toml", "gemini-cli": "/h/.gemini/settings.json",
		}},
		{"linux", map[string]string{"XDG_CONFIG_HOME": "/x", "CODEX_HOME": "/c", "CLAUDE_CONFIG_DIR": "/d"}, map[string]string{
			"claude": "/x/Claude/claude_desktop_config.json", "claude-code": "/d/.claude.json", "vscode": "/x/Code/User/mcp.json",
			"zed": "/x/zed/settings.json", "codex": "/c/config.toml",
		}},
		{"darwin", map[string]string{"XDG_CONFIG_HOME": "/x"}, map[string]string{
			"claude": "/h/Library/Application Support/Claude/claude_desktop_config.json", "vscode": "/h/Library/Application Support/Code/User/mcp.json",
			"zed": "/h/.config/zed/settings.json", "codex": "/h/.codex/config.toml",
		}},
		{"windows", nil, map[string]string{
			"claude": "/h/AppData/Roaming/Claude/claude_desktop_config.json", "zed": "/h/AppData/Roaming/zed/settings.json", "windsurf": "/h/.codeium/windsurf/mcp_config.json",
		}},
		{"windows", map[string]string{"APPDATA": "/a"}, map[string]string{"vscode": "/a/Code/User/mcp.json"}},
	} {
		for name, want := range c.want {
			client, err := Find(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := filepath.ToSlash(at("/h", c.goos, c.env).File(client)); got != want {
				t.Errorf("%s %v: %s is at %s, want %s", c.goos, c.env, name, got, want)
			}
		}
	}
}

// The directory of an older version counts where there is no newer one.
func TestFileOfAnOlderVersion(t *testing.T) {
	home := t.TempDir()
	lm, err := Find("lmstudio")
	if err != nil {
		t.Fatal(err)
	}
	p := at(home, "linux", nil)
	if p.Has(lm) {
		t.Error("an empty home has LM Studio")
	}
	for _, dir := range []string{filepath.Join(".cache", "lm-studio"), ".lmstudio"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		if got := p.File(lm); got != filepath.Join(home, dir, "mcp.json") || !p.Has(lm) {
			t.Errorf("with %s: %s", dir, got)
		}
	}
}

// A file right in the home directory is no sign of its program unless it is there.
func TestHasAFileInTheHome(t *testing.T) {
	home := t.TempDir()
	code, err := Find("claude-code")
	if err != nil {
		t.Fatal(err)
	}
	p := at(home, "linux", nil)
	if p.Has(code) {
		t.Error("every home has Claude Code")
	}
	if err := os.WriteFile(filepath.Join(home, ".claude.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !p.Has(code) {
		t.Error("its file is there and not seen")
	}
}

func TestFindSaysWhichThereAre(t *testing.T) {
	for in, want := range map[string]string{"curser": "did you mean cursor?", "notepad": "not known; there are: lmstudio, claude"} {
		if _, err := Find(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", in, err)
		}
	}
	if c, err := Find("LMStudio"); err != nil || c.Name != "lmstudio" {
		t.Errorf("%q, %v", c.Name, err)
	}
}

// Names are what people type, and no two clients keep their servers in one file.
func TestTable(t *testing.T) {
	seen := map[string]string{}
	p := at("/h", "linux", nil)
	for _, c := range All() {
		if c.Title == "" || c.Key == "" || len(c.Files) == 0 || strings.ToLower(c.Name) != c.Name {
			t.Errorf("%+v", c)
		}
		for _, f := range append(p.Files(c), c.Project) {
			if f != "" && seen[f] != "" {
				t.Errorf("%s and %s have %s", seen[f], c.Name, f)
			}
			seen[f] = c.Name
		}
	}
	if d := cmp.Diff(len(All()), len(Names())); d != "" {
		t.Error(d)
	}
}
