package mcpfile

import (
	"strings"
	"testing"
	"time"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/format"
	"github.com/google/go-cmp/cmp"
)

// secret knows values that begin with "sk-".
func secret(_, value string) bool { return strings.HasPrefix(value, "sk-") }

func TestCUE(t *testing.T) {
	got, secrets := CUE([]Server{
		{Name: "github", Kind: "stdio", Command: "npx", Args: []string{"-y", "@modelcontextprotocol/server-github"}, Env: map[string]string{"GITHUB_TOKEN": "sk-1"}},
		{Name: "remote", Kind: "sse", URL: "https://h/mcp", Headers: map[string]string{"Authorization": "Bearer sk-2"}, Disabled: true, Timeout: 90 * time.Second,
			AllowedTools: []string{"read", "what*"}, DisabledTools: []string{"!x"}, Asks: []Ask{{"TEAM", "Your\nteam"}}},
	}, Options{From: "~/.lmstudio/mcp.json", Secret: secret})
	want := `// MCP servers, imported from ~/.lmstudio/mcp.json.
// Edit it by hand; check it with: compactor validate.
// ${VAR} stands for a variable of the environment or of secrets.env beside this file.
package compactor

servers: "github": {
	command: "npx"
	args: ["-y", "@modelcontextprotocol/server-github"]
	env: {GITHUB_TOKEN: "${GITHUB_TOKEN}"}
}

// It needs TEAM: Your team
servers: "remote": {
	kind: "sse"
	url:  "https://h/mcp"
	headers: {Authorization: "Bearer ${REMOTE_AUTHORIZATION}"}
	enabled: false
	timeout: "1m30s"
}

toolRules: [
	// Of remote these tools alone are left.
	{pattern: ["*", "!read", "!what\\*"], server: "remote", enabled: false},
	{pattern: ["\\!x"], server: "remote", enabled: false},
]
`
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]string{"GITHUB_TOKEN": "sk-1", "REMOTE_AUTHORIZATION": "sk-2", "TEAM": ""}, secrets); d != "" {
		t.Error(d)
	}
}

// hard are servers whose values are hard to quote and lay out.
var hard = []Server{
	{Name: "a.b-c", Kind: "stdio", Command: `C:\x "y"\(z)`, Args: []string{"", "a\tb\nc\r", "\x00\x1b[31m\x7f", "\u202e\u2028\U000e0001", "é🎉", `\(x)`, "\xff"}},
	{Name: "long", Kind: "stdio", Command: "x", Args: []string{strings.Repeat("a", 60), strings.Repeat("b", 60)}, Dir: "/d",
		Env: map[string]string{"_HIDDEN": strings.Repeat("c", 90), "true": "x", "for": "y", "A": "1"}},
	{Name: "headers", URL: "https://h", Kind: "http", Headers: map[string]string{"X-A": strings.Repeat("d", 90), "X-Long-Name": "e", "_": "f"}, Timeout: time.Hour, Description: "what it's for"},
	{Name: "tools", Command: "x", Kind: "stdio", DisabledTools: []string{"[a]", "{b}", "/c", `d\`}, Timeout: 1500 * time.Millisecond},
}

func TestCUEIsFormattedAndSaysTheSame(t *testing.T) {
	for _, comment := range []bool{false, true} {
		got, _ := CUE(hard, Options{From: "a\nb\x00", CommentRules: comment})
		formatted, err := format.Source(got)
		if err != nil {
			t.Fatalf("%v\n%s", err, got)
		}
		if d := cmp.Diff(string(formatted), string(got)); d != "" {
			t.Error(d)
		}
		checkSame(t, got, hard)
	}
}

// checkSame reads a configuration back and compares what it holds.
func checkSame(t *testing.T, config []byte, servers []Server) {
	t.Helper()
	v := cuecontext.New().CompileBytes(config)
	if err := v.Err(); err != nil {
		t.Fatalf("%v\n%s", err, config)
	}
	for _, want := range servers {
		var got struct {
			Command, URL, Dir, Timeout string
			Args                       []string
			Env, Headers               map[string]string
		}
		if err := v.LookupPath(cue.MakePath(cue.Str("servers"), cue.Str(want.Name))).Decode(&got); err != nil {
			t.Fatalf("%s: %v\n%s", want.Name, err, config)
		}
		args := []string{}
		for _, a := range want.Args {
			args = append(args, strings.ToValidUTF8(a, "\ufffd"))
		}
		if got.Command != want.Command || got.URL != want.URL || got.Dir != want.Dir || strings.Join(got.Args, "\x01") != strings.Join(args, "\x01") {
			t.Errorf("%+v, not %+v", got, want)
		}
		for k, s := range want.Env {
			if got.Env[k] != s {
				t.Errorf("%s: env %s is %q, not %q", want.Name, k, got.Env[k], s)
			}
		}
		for k, s := range want.Headers {
			if got.Headers[k] != s {
				t.Errorf("%s: header %s is %q, not %q", want.Name, k, got.Headers[k], s)
			}
		}
	}
}

func TestSecrets(t *testing.T) {
	for _, c := range []struct {
		name    string
		server  Server
		want    Server
		secrets map[string]string
	}{
		{"flags", Server{Args: []string{"--api-key=sk-1", "--token", "sk-2", "-e", "MY_KEY=sk-3", "sk-4", "--plain", "x"}},
			Server{Args: []string{"--api-key=${S_API_KEY}", "--token", "${S_TOKEN}", "-e", "MY_KEY=${MY_KEY}", "${S_SECRET}", "--plain", "x"}},
			map[string]string{"S_API_KEY": "sk-1", "S_TOKEN": "sk-2", "MY_KEY": "sk-3", "S_SECRET": "sk-4"}},
		{"a header among arguments", Server{Args: []string{"mcp-remote", "https://h/sse", "--header", "Authorization: Bearer sk-1", "Authorization:sk-1"}},
			Server{Args: []string{"mcp-remote", "https://h/sse", "--header", "Authorization: Bearer ${S_AUTHORIZATION}", "Authorization:${S_AUTHORIZATION}"}},
			map[string]string{"S_AUTHORIZATION": "sk-1"}},
		{"addresses", Server{URL: "https://h/s/sk-1/mcp?key=sk-2%2B&x=1#f", Args: []string{"postgres://me:sk-3@db:5432/x"}},
			Server{URL: "https://h/s/${S_URL}/mcp?key=${S_KEY}&x=1#f", Args: []string{"postgres://me:${S_PASSWORD}@db:5432/x"}},
			map[string]string{"S_URL": "sk-1", "S_KEY": "sk-2%2B", "S_PASSWORD": "sk-3"}},
		{"taken names", Server{Env: map[string]string{"USED": "sk-1", "SAME": "sk-2", "OTHER": "sk-3"}, Args: []string{"${OUTSIDE}", "${OTHER}"}, Headers: map[string]string{"A": "${OUTSIDE}"}},
			Server{Env: map[string]string{"USED": "${S_USED}", "SAME": "${SAME}", "OTHER": "${OTHER}"}, Args: []string{"${OUTSIDE}", "${OTHER}"}, Headers: map[string]string{"A": "${OUTSIDE}"}},
			map[string]string{"S_USED": "sk-1", "SAME": "sk-2", "OTHER": "sk-3"}},
		{"a name from outside", Server{Env: map[string]string{"OUTSIDE": "${OUTSIDE}", "MINE": "sk-1"}, Args: []string{"${MINE_2}"}},
			Server{Env: map[string]string{"OUTSIDE": "${OUTSIDE}", "MINE": "${MINE}"}, Args: []string{"${MINE_2}"}}, map[string]string{"MINE": "sk-1"}},
		{"own variables", Server{Env: map[string]string{"BASE": "x", "AUTH": "Bearer sk-1"}, Args: []string{"--url=${BASE}/y", "Authorization:${AUTH}"}},
			Server{Env: map[string]string{"BASE": "x", "AUTH": "Bearer ${S_AUTH}"}, Args: []string{"--url=x/y", "Authorization:Bearer ${S_AUTH}"}}, map[string]string{"S_AUTH": "sk-1"}},
		{"odd names", Server{Env: map[string]string{"lower": "sk-1"}, Headers: map[string]string{"x-api-key": "sk-2"}},
			Server{Env: map[string]string{"lower": "${lower}"}, Headers: map[string]string{"x-api-key": "${S_X_API_KEY}"}}, map[string]string{"lower": "sk-1", "S_X_API_KEY": "sk-2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.server.Name, c.server.Kind, c.server.Command = "s", "stdio", "x"
			c.want.Name = "s"
			c.want.Command = "x"
			config, secrets := CUE([]Server{c.server}, Options{Secret: secret, Taken: map[string]string{"USED": "else", "SAME": "sk-2"}})
			if d := cmp.Diff(c.secrets, secrets); d != "" {
				t.Error(d)
			}
			checkSame(t, config, []Server{c.want})
			if strings.Contains(string(config), "sk-") {
				t.Errorf("a secret is left:\n%s", config)
			}
		})
	}
}

func TestTwoServersWithOneVariable(t *testing.T) {
	config, secrets := CUE([]Server{
		{Name: "a", Command: "x", Kind: "stdio", Env: map[string]string{"X_TOKEN": "sk-1"}},
		{Name: "b", Command: "x", Kind: "stdio", Env: map[string]string{"X_TOKEN": "sk-2"}},
		{Name: "c", Command: "x", Kind: "stdio", Env: map[string]string{"X_TOKEN": "sk-1"}},
		{Name: "b.", Command: "x", Kind: "stdio", Env: map[string]string{"X_TOKEN": "sk-3"}},
	}, Options{Secret: secret})
	if d := cmp.Diff(map[string]string{"X_TOKEN": "sk-1", "B_X_TOKEN": "sk-2", "B_X_TOKEN_2": "sk-3"}, secrets); d != "" {
		t.Errorf("%s\n%s", d, config)
	}
}
