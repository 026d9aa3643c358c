package mcpfile

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// files are in the shapes that the programs write and document.
var files = []struct {
	name, text string
	servers    []Server
	problems   []string
}{
	{"LM Studio", `{
  "mcpServers": {
    "hf-mcp-server": {
      "url": "https://huggingface.co/mcp",
      "headers": {"Authorization": "Bearer hf_x"},
      "timeout": 120000
    },
    "playwright": {"command": "npx", "args": ["-y", "@playwright/mcp@latest"], "disabled": true}
  }
}`, []Server{
		{Name: "hf-mcp-server", URL: "https://huggingface.co/mcp", Headers: map[string]string{"Authorization": "Bearer hf_x"}, Timeout: 2 * time.Minute},
		{Name: "playwright", Kind: "stdio", Command: "npx", Args: []string{"-y", "@playwright/mcp@latest"}, Disabled: true},
	}, nil},
	{"only the part within mcpServers", `"a": {"command": "x"}, "b": {"url": "http://h/mcp"},`,
		[]Server{{Name: "a", Kind: "stdio", Command: "x"}, {Name: "b", URL: "http://h/mcp"}}, nil},
	{"the same within braces", "\ufeff{\"a\": {\"command\": \"x\"}}", []Server{{Name: "a", Kind: "stdio", Command: "x"}}, nil},
	{"Claude Desktop", `{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "C:\\Users\\me\\Desktop"],
      "env": {"APPDATA": "C:\\Users\\me\\AppData\\Roaming\\"}
    },
    "compactor": {"command": "C:\\bin\\Compactor.exe", "args": ["serve"]}
  }
}`, []Server{{Name: "filesystem", Kind: "stdio", Command: "npx", Args: []string{"-y", "@modelcontextprotocol/server-filesystem", `C:\Users\me\Desktop`},
		Env: map[string]string{"APPDATA": `C:\Users\me\AppData\Roaming\`}}},
		[]string{"compactor: left out: it is compactor itself, which would call itself"}},
	{"Claude Code", `{
  "mcpServers": {
    "api": {"type": "http", "url": "${API_BASE:-https://api.example.com}/mcp", "headers": {"Authorization": "Bearer ${API_KEY}"}},
    "asana": {"type": "sse", "url": "https://mcp.asana.com/sse"}
  }
}`, []Server{
		{Name: "api", Kind: "http", URL: "https://api.example.com/mcp", Headers: map[string]string{"Authorization": "Bearer ${API_KEY}"},
			Asks: []Ask{{Variable: "API_KEY"}}},
		{Name: "asana", Kind: "sse", URL: "https://mcp.asana.com/sse"},
	}, []string{"api: API_BASE is not set, so its default stands in its place", "api: API_KEY is not set here"}},
	{"Claude Code, all projects", `{
  "numStartups": 7,
  "mcpServers": {"github": {"type": "stdio", "command": "github-mcp-server", "args": ["stdio"], "env": {}}},
  "projects": {
    "/src/one": {"allowedTools": [], "history": [], "mcpServers": {"db": {"type": "stdio", "command": "dbhub", "args": [], "env": {}}}},
    "/src/two": {"mcpServers": {
      "db": {"type": "stdio", "command": "other", "args": []},
      "github": {"type": "stdio", "command": "github-mcp-server", "args": ["stdio"]}}},
    "/src/three": {"mcpServers": {}}
  }
}`, []Server{
		{Name: "github", Kind: "stdio", Command: "github-mcp-server", Args: []string{"stdio"}},
		{Name: "db", Kind: "stdio", Command: "dbhub"},
	}, []string{"db: left out: another project than /src/two has a different server of this name; rename one of them"}},
	{"Cursor", `{
  "mcpServers": {
    "local": {
      "type": "stdio", "command": "python3", "args": ["${workspaceFolder}/tools/server.py"],
      "env": {"API_KEY": "${env:MY_KEY}", "HOME_DIR": "${userHome}/x"}, "envFile": "${workspaceFolder}/.env"
    },
    "remote": {"url": "https://api.example.com/mcp", "auth": {"CLIENT_ID": "x"}}
  }
}`, []Server{
		{Name: "local", Kind: "stdio", Command: "python3", Args: []string{"/work/tools/server.py"},
			Env: map[string]string{"API_KEY": "${MY_KEY}", "HOME_DIR": "/home/me/x"}, EnvFile: "/work/.env", Asks: []Ask{{Variable: "MY_KEY"}}},
		{Name: "remote", URL: "https://api.example.com/mcp"},
	}, []string{"local: MY_KEY is not set here", `remote: "auth" is left out: sign in elsewhere and put the token into headers`}},
	{"VS Code", `{
  // asked for once
  "inputs": [
    {"type": "promptString", "id": "perplexity-key", "description": "Perplexity API Key", "password": true},
    {"type": "pickString", "id": "region", "options": ["eu", "us"], "default": "eu"},
  ],
  "servers": {
    "perplexity": {
      "type": "stdio", "command": "npx", "args": ["-y", "server-perplexity-ask", "--region=${input:region}"],
      "env": {"PERPLEXITY_API_KEY": "${input:perplexity-key}", "UNSET": null, "PORT": 8080, "FLAG": true},
      "dev": {"watch": "src/**"},
    },
    "io.github.github/github-mcp-server": {"type": "http", "url": "https://api.githubcopilot.com/mcp/", "gallery": true, "version": "1.0"},
    "extension": {"command": "${command:pick}", "type": "stdio"}, /* only VS Code knows */
  },
}`, []Server{
		{Name: "perplexity", Kind: "stdio", Command: "npx", Args: []string{"-y", "server-perplexity-ask", "--region=eu"},
			Env:  map[string]string{"PERPLEXITY_API_KEY": "${PERPLEXITY_KEY}", "PORT": "8080", "FLAG": "true"},
			Asks: []Ask{{"PERPLEXITY_KEY", "Perplexity API Key"}}},
		{Name: "io.github.github-github-mcp-server", URL: "https://api.githubcopilot.com/mcp/"},
	}, []string{
		`perplexity: ${input:region} has its default, "eu"`,
		`perplexity: the other program asks for "perplexity-key": set PERPLEXITY_KEY`,
		`io.github.github-github-mcp-server: was called "io.github.github/github-mcp-server"`,
		"extension: left out: only the other program knows what ${command:pick} stands for: write it out in the file",
	}},
	{"VS Code, settings.json", `{"editor.fontSize": 13, "mcp": {"inputs": [], "servers": {"a": {"command": "x", "cwd": "/d"}}}}`,
		[]Server{{Name: "a", Kind: "stdio", Command: "x", Dir: "/d"}}, nil},
	{"Windsurf", `{"mcpServers": {"figma": {"serverUrl": "https://mcp.figma.com/mcp", "headers": {"X-Token": "${env:FIGMA}"}, "disabledTools": ["a", "b"]}}}`,
		[]Server{{Name: "figma", URL: "https://mcp.figma.com/mcp", Headers: map[string]string{"X-Token": "${FIGMA}"}, DisabledTools: []string{"a", "b"},
			Asks: []Ask{{Variable: "FIGMA"}}}}, []string{"figma: FIGMA is not set here"}},
	{"Zed", `{"context_servers": {
  "new": {"source": "custom", "enabled": false, "command": "uv", "args": ["run", "main.py"], "env": {}},
  "old": {"command": {"path": "uvx", "args": ["mcp"], "env": {"A": "1"}}, "settings": {}},
}}`, []Server{
		{Name: "new", Kind: "stdio", Command: "uv", Args: []string{"run", "main.py"}, Disabled: true},
		{Name: "old", Kind: "stdio", Command: "uvx", Args: []string{"mcp"}, Env: map[string]string{"A": "1"}},
	}, nil},
	{"Cline", `{"mcpServers": {"a": {"type": "streamableHttp", "url": "https://h/mcp", "disabled": false, "autoApprove": ["x"], "timeout": 1800}}}`,
		[]Server{{Name: "a", Kind: "http", URL: "https://h/mcp", Timeout: 30 * time.Minute}}, nil},
	{"Gemini CLI", `{"mcpServers": {"a": {"httpUrl": "https://h/mcp", "includeTools": ["x"], "excludeTools": ["y"], "timeout": 600000, "trust": false}}}`,
		[]Server{{Name: "a", Kind: "http", URL: "https://h/mcp", AllowedTools: []string{"x"}, DisabledTools: []string{"y"}, Timeout: 10 * time.Minute}}, nil},
	{"Copilot CLI", `{"mcpServers": {"a": {"type": "local", "command": "x", "tools": ["*"]}}}`, []Server{{Name: "a", Kind: "stdio", Command: "x"}}, nil},
	{"a list", `{"mcpServers": [{"name": "a", "command": ["npx", "-y", "x"]}]}`, []Server{{Name: "a", Kind: "stdio", Command: "npx", Args: []string{"-y", "x"}}}, nil},
	{"no servers yet", `{"mcpServers": {}}`, nil, nil},
	{"odd values", `{"mcpServers": {
  "words": {"command": "npx -y pkg"},
  "path": {"command": "C:\\Program Files\\x.exe"},
  "string args": {"command": "x", "args": "--a 'b c' \"\" d"},
  "number args": {"command": "x", "args": [1, true, null, {"a": 1}, 1.50]},
  "bad env": {"command": "x", "env": {"A": [1], "B=C": "x", "OK": 12345678901234567890}},
  "env list": {"command": "x", "env": ["A=1"]},
  "both": {"command": "x", "url": "https://h"},
  "both by type": {"type": "sse", "command": "x", "url": "https://h"},
  "neither": {"args": ["x"]},
  "stdio url": {"type": "stdio", "url": "https://h"},
  "file": {"url": "file:///etc/passwd"},
  "ws": {"type": "ws", "url": "ws://h"},
  "unknown": {"command": "x", "type": "pipe", "colour": "red"},
  "text": "npx", "slow": {"command": "x", "timeout": -1}, "quick": {"command": "x", "timeout": "45s"}, "dir": {"command": "${TOOLS}/x"}
}}`, []Server{
		{Name: "words", Kind: "stdio", Command: "npx", Args: []string{"-y", "pkg"}},
		{Name: "path", Kind: "stdio", Command: `C:\Program Files\x.exe`},
		{Name: "string-args", Kind: "stdio", Command: "x", Args: []string{"--a", "b c", "", "d"}},
		{Name: "number-args", Kind: "stdio", Command: "x", Args: []string{"1", "true", "1.50"}},
		{Name: "bad-env", Kind: "stdio", Command: "x", Env: map[string]string{"OK": "12345678901234567890"}},
		{Name: "env-list", Kind: "stdio", Command: "x"},
		{Name: "both", Kind: "stdio", Command: "x"},
		{Name: "both-by-type", Kind: "sse", URL: "https://h"},
		{Name: "stdio-url", URL: "https://h"},
		{Name: "unknown", Kind: "stdio", Command: "x"},
		{Name: "slow", Kind: "stdio", Command: "x"},
		{Name: "quick", Kind: "stdio", Command: "x", Timeout: 45 * time.Second},
	}, []string{
		"words: command held arguments; they are in args now",
		`string-args: was called "string args"`, "string-args: args was one string; it was cut into 4 arguments",
		`number-args: was called "number args"`, "number-args: args[2] is not text and left out", "number-args: args[3] is not text and left out",
		`bad-env: was called "bad env"`, "bad-env: env.A is not text and left out", "bad-env: env.B=C is left out: no such name is possible",
		`env-list: was called "env list"`, `env-list: "env" is not an object and left out`,
		"both: it has a command and a URL; the command counts",
		`both-by-type: was called "both by type"`, "both-by-type: it has a command and a URL; its type says the URL counts",
		"neither: left out: it has neither a command nor a URL",
		`stdio-url: was called "stdio url"`, "stdio-url: its type is stdio, but it has a URL and no command",
		"file: left out: its URL is not one of http:// or https://",
		`ws: left out: servers of type "ws" cannot be used from outside that program`,
		`unknown: "colour" is not known here and left out`, `unknown: type "pipe" is not known and left out`,
		"text: left out: it is not an object", "slow: timeout -1 is left out",
		"dir: left out: command holds ${TOOLS}, which is not set: write it out in the file",
	}},
	{"duplicates and odd names", `{"mcpServers": {"a": {"command": "one"}, "a": {"command": "two", "command": "three"}, "a b": {"command": "x"}, "a/b": {"command": "y"}, "Büro": {"command": "w"}, "日本": {"command": "z"}, "日本語": {"command": "z2"}}}`,
		[]Server{
			{Name: "a", Kind: "stdio", Command: "three"}, {Name: "a-b", Kind: "stdio", Command: "x"}, {Name: "a-b-2", Kind: "stdio", Command: "y"},
			{Name: "Buero", Kind: "stdio", Command: "w"}, {Name: "server", Kind: "stdio", Command: "z"}, {Name: "server-2", Kind: "stdio", Command: "z2"},
		}, []string{
			"a: the file names it twice; the last one counts", `a-b: was called "a b"`, `a-b-2: was called "a/b"`,
			`Buero: was called "Büro"`, `server: was called "日本"`, `server-2: was called "日本語"`,
		}},
}

func TestParse(t *testing.T) {
	for _, c := range files {
		t.Run(c.name, func(t *testing.T) {
			src := Source{Home: "/home/me", Workspace: "/work", Getenv: func(string) string { return "" }}
			servers, problems, err := Parse(src, []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			for _, p := range problems {
				said = append(said, p.Server+": "+p.Message)
			}
			if d := cmp.Diff(c.servers, servers); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(c.problems, said); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestVariablesTheMachineKnows(t *testing.T) {
	src := Source{Getenv: func(name string) string { return map[string]string{"TOOLS": "/opt", "BASE": "https://b"}[name] }}
	servers, problems, err := Parse(src, []byte(`{"a": {"command": "${TOOLS}/x", "cwd": "${env:TOOLS}", "args": ["${BASE:-c}"]}}`))
	want := []Server{{Name: "a", Kind: "stdio", Command: "/opt/x", Dir: "/opt", Args: []string{"${BASE}"}}}
	if d := cmp.Diff(want, servers); d != "" || err != nil || len(problems) > 0 {
		t.Error(d, err, problems)
	}
}

func TestAWorkspaceThatIsNotKnown(t *testing.T) {
	servers, problems, err := Parse(Source{}, []byte(`{"a": {"command": "x", "args": ["${workspaceFolder}"]}}`))
	if err != nil || len(servers) != 0 || len(problems) != 1 || !problems[0].Skipped {
		t.Error(servers, problems, err)
	}
}

func TestVariablesOfOthers(t *testing.T) {
	for written, want := range map[string]string{
		"${x%y}": "${x%y}", "${1}": "${1}", "$HOME": "$HOME", "${}": "${}", "${FILE}": "${FILE}", "${filename}": "${filename}",
		"${CLAUDE_PLUGIN_ROOT}/x": "${CLAUDE_PLUGIN_ROOT}/x", "${config:a.b}": "", "${file}": "", "${fileDirname}": "", "${workspaceFolder:api}": "", "${env:a b}": "", "${cwd}": "",
	} {
		servers, problems, err := Parse(Source{}, []byte(`{"a": {"command": "sh", "args": ["-c", "`+written+`"]}}`))
		switch {
		case err != nil:
			t.Error(err)
		case want == "" && (len(servers) > 0 || len(problems) != 1 || !problems[0].Skipped):
			t.Errorf("%s: %+v %v", written, servers, problems)
		case want != "" && (len(servers) != 1 || servers[0].Args[1] != want):
			t.Errorf("%s: %+v %v", written, servers, problems)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "the file is empty"},
		{" // nothing\n", "the file is empty"},
		{"\x7fELF\x00\x01", "the file is not text"},
		{"\xff\xfe{\x00", "the file is UTF-16: save it as UTF-8"},
		{"[]", `no servers in it: neither "mcpServers" nor`},
		{"{}", `no servers in it`},
		{`{"preferences": {"x": 1}}`, `no servers in it`},
		{`{"command": "x"}`, `write {"NAME": {...}} around it`},
		{`{"mcpServers": 7}`, `"mcpServers" is not an object`},
		{"{\n  \"mcpServers\": {\n    \"a\": {\"command\" \"x\"}\n}}", "3:21: not JSON: unexpected '\"' after object key"},
		{"{\"mcpServers\": {", "1:17: not JSON: it ends too early"},
		{"{\n\"é\": 'x'}", "2:6: not JSON: unexpected '\\'' where a value should begin"},
		{"\"a\": {\"command\": }", "1:18: not JSON"},
		{"{\"a\": 1 /* x", "1:9: the comment is not closed"},
		{"{\"a\": \"\xff\"}", "1:8: not UTF-8"},
		{"{\"a\": 1} {", "1:10: not JSON"},
	} {
		_, _, err := Parse(Source{}, []byte(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, not %s", c.text, err, c.want)
		}
	}
}

func TestALargeFile(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(`{"history": [`)
	for b.Len() < 10<<20 {
		b.WriteString(`{"display": "a // b, }", "n": [1, 2, {"x": "\"}"}]}, `)
	}
	b.WriteString(`], "mcpServers": {`)
	for i := range 500 {
		fmt.Fprintf(&b, `"s%d": {"command": "x"},`, i)
	}
	b.WriteString(`}}`)
	servers, problems, err := Parse(Source{}, b.Bytes())
	if err != nil || len(servers) != 500 || len(problems) != 0 {
		t.Errorf("%d servers, %d problems, %v", len(servers), len(problems), err)
	}
}

// What is larger than any program's servers is refused before work is done with it, with
// the member and the limit.
func TestParseIsBounded(t *testing.T) {
	many := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	keys := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"K%d":"v"`, i)
		}
		return b.String()[1:]
	}
	for name, c := range map[string]struct{ text, want string }{
		"arguments":          {`{"mcpServers":{"a":{"command":"x","args":[` + many(200_000, `"y"`) + `]}}}`, `server "a": "args" has 200000 elements, and at most 1000 are taken`},
		"arguments of one":   {`{"mcpServers":{"a":{"command":"x","args":"` + strings.Repeat("y ", 100_000) + `"}}}`, `server "a": "args" has 100000 elements, and at most 1000 are taken`},
		"a command line":     {`{"mcpServers":{"a":{"command":"x` + strings.Repeat(" y", 100_000) + `"}}}`, `server "a": "args" has 100000 elements, and at most 1000 are taken`},
		"variables":          {`{"servers":{"a":{"command":"x","env":{` + keys(1001) + `}}}}`, `server "a": "env" has 1001 members, and at most 1000 are taken`},
		"members":            {`{"servers":{"a":{"command":"x",` + keys(1000) + `}}}`, `server "a" has 1001 members, and at most 1000 are taken`},
		"an argument":        {`{"mcpServers":{"a":{"command":"x","args":["` + strings.Repeat("y", 300<<10) + `"]}}}`, `server "a" has 307227 bytes, and at most 262144 are taken`},
		"a name":             {`{"mcpServers":{"` + strings.Repeat("n", 5_000_000) + `":{"command":"x"}}}`, `server "` + strings.Repeat("n", 60) + `…": its name has 5000000 bytes, and at most 256 are taken`},
		"a name in a list":   {`{"mcpServers":[{"command":"x","name":"` + strings.Repeat("n", 5000) + `"}]}`, `server "` + strings.Repeat("n", 60) + `…": its name has 5000 bytes, and at most 256 are taken`},
		"the name of a flag": {`{"mcpServers":{"a":{"command":"x","` + strings.Repeat("k", 300<<10) + `":true}}}`, `server "a" has 307223 bytes, and at most 262144 are taken`},
		"servers":            {`{"mcpServers":{` + strings.ReplaceAll(keys(20_001), `"v"`, `{"command":"x"}`) + `}}`, `"mcpServers" has 20001 servers, and at most 20000 are taken`},
	} {
		t.Run(name, func(t *testing.T) {
			if servers, _, err := Parse(Source{}, []byte(c.text)); err == nil || err.Error() != c.want {
				t.Errorf("%d servers, %.300v, want %s", len(servers), err, c.want)
			}
		})
	}
	ok := `{"mcpServers":{"a":{"command":"x","args":[` + many(1000, `"y"`) + `],"env":{` + keys(1000) + `}}}}`
	if servers, _, err := Parse(Source{}, []byte(ok)); err != nil || len(servers) != 1 || len(servers[0].Args) != 1000 || len(servers[0].Env) != 1000 {
		t.Error(len(servers), err)
	}
}
