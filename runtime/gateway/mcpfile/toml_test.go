package mcpfile

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseTOML(t *testing.T) {
	servers, problems, err := Parse(Source{Getenv: os.Getenv}, []byte(`# of Codex
model = "o3"
notify = nan

[mcp_servers.web]
url = "https://h/mcp"
bearer_token_env_var = "TOKEN"
http_headers = {X-A = "1"}
env_http_headers = {X-B = "B_VALUE"}
tool_timeout_sec = 1.5
enabled = false

[mcp_servers.files]
command = "npx"
args = ["-y", "files"]
env_vars = ["HOME", "no name"]
enabled_tools = ["read"]
startup_timeout_sec = 20

[mcp_servers.files.env]
A = "1"
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []Server{
		{Name: "files", Kind: "stdio", Command: "npx", Args: []string{"-y", "files"}, Env: map[string]string{"A": "1", "HOME": "${HOME}"}, AllowedTools: []string{"read"}},
		{Name: "web", URL: "https://h/mcp", Headers: map[string]string{"Authorization": "Bearer ${TOKEN}", "X-A": "1", "X-B": "${B_VALUE}"},
			Timeout: 1500 * time.Millisecond, Disabled: true},
	}
	if d := cmp.Diff(want, servers); d != "" {
		t.Error(d)
	}
	var said []string
	for _, p := range problems {
		said = append(said, p.Server+": "+p.Message)
	}
	if d := cmp.Diff([]string{`files: env_vars names "no name", which no variable is called`, `files: "startup_timeout_sec" is not known here and left out`}, said); d != "" {
		t.Error(d)
	}
}

func TestParseTOMLMistakes(t *testing.T) {
	for in, want := range map[string]string{
		"a = 1\nb = \n": "2:5: not TOML: ", "[other]\na = 1\n": "no servers in it", "mcp_servers = 1\n": "not an object", "[mcp_servers]\na = nan\n": "unsupported value",
		"[1, 2]": "no servers in it", `"a": 1 = 2`: "not JSON",
		"[mcp_servers." + strings.Repeat("a.", 100_000) + "b]\n": "nested too deep", "[mcp_servers." + strings.Repeat("a.", 1_000_000) + "b]\n": "larger than",
	} {
		if _, _, err := Parse(Source{Getenv: os.Getenv}, []byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v", in, err)
		}
	}
}
