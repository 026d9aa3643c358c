package install

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/gateway/clients"
)

var entry = Entry{Command: "/opt/compactor", Args: []string{"serve", "--root", "/src"}}

func client(t testing.TB, name string) clients.Client {
	t.Helper()
	c, err := clients.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// write puts a text into a file and returns its path.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "deep", name)
	if text == "" {
		return path
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const added = `"compactor": {
      "command": "/opt/compactor",
      "args": [
        "serve",
        "--root",
        "/src"
      ]
    }`

// What stands in a file stays as it is written; what is written twice changes
// nothing; what is taken out again leaves what was there.
func TestWriteAndRemove(t *testing.T) {
	for _, c := range []struct{ name, client, in, want, left string }{
		{"no file", "cursor", "", "{\n  \"mcpServers\": {\n    " + added + "\n  }\n}\n", "{\n  \"mcpServers\": {}\n}\n"},
		{"empty object", "cursor", "{}", "{\n  \"mcpServers\": {\n    " + added + "\n  }\n}", "{\n  \"mcpServers\": {}\n}"},
		{"null servers", "cursor", "{\n  \"mcpServers\": null\n}\n", "{\n  \"mcpServers\": {\n    " + added + "\n  }\n}\n", "{\n  \"mcpServers\": {}\n}\n"},
		{"one line", "cursor", `{"theme":"dark","mcpServers":{"z":{"command":"z"}},"n":1e400}`,
			`{"theme":"dark","mcpServers":{"z":{"command":"z"},"compactor":{"command":"/opt/compactor","args":["serve","--root","/src"]}},"n":1e400}`, "="},
		{"one line with spaces", "cursor", `{"mcpServers": {"z": {"command": "z"}}, "n": 1}`,
			`{"mcpServers": {"z": {"command": "z"}, "compactor": {"command":"/opt/compactor","args":["serve","--root","/src"]}}, "n": 1}`, "="},
		{"comments and a comma at the end", "zed", `// Zed settings
{
  "theme": "One", // the dark one
  /* servers */
  "context_servers": {
    "z": {"command": "z", "args": []}, // mine
    // the end of them
  },
}
`, `// Zed settings
{
  "theme": "One", // the dark one
  /* servers */
  "context_servers": {
    "z": {"command": "z", "args": []}, // mine
    // the end of them
    ` + added + `,
  },
}
`, "="},
		{"a comment behind the last server", "zed", "{\n  \"context_servers\": {\n    \"z\": {\"command\": \"z\"} // mine\n  }\n}\n",
			"{\n  \"context_servers\": {\n    \"z\": {\"command\": \"z\"}, // mine\n    " + added + "\n  }\n}\n", "="},
		{"tabs", "vscode", "{\n\t\"servers\": {\n\t\t\"z\": {\n\t\t\t\"command\": \"z\"\n\t\t}\n\t},\n\t\"inputs\": []\n}\n",
			"{\n\t\"servers\": {\n\t\t\"z\": {\n\t\t\t\"command\": \"z\"\n\t\t},\n\t\t\"compactor\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \"/opt/compactor\",\n\t\t\t\"args\": [\n\t\t\t\t\"serve\",\n\t\t\t\t\"--root\",\n\t\t\t\t\"/src\"\n\t\t\t]\n\t\t}\n\t},\n\t\"inputs\": []\n}\n", "="},
		{"lines of Windows", "cursor", "{\r\n  \"mcpServers\": {\r\n    \"z\": {}\r\n  }\r\n}\r\n",
			"{\r\n  \"mcpServers\": {\r\n    \"z\": {},\r\n    " + strings.ReplaceAll(added, "\n", "\r\n") + "\r\n  }\r\n}\r\n", "="},
		{"byte order mark", "cursor", "\ufeff{\n  \"mcpServers\": {}\n}", "\ufeff{\n  \"mcpServers\": {\n    " + added + "\n  }\n}", "="},
		{"servers named twice", "cursor", "{\n  \"mcpServers\": {\"a\": {}},\n  \"mcpServers\": {\n    \"b\": {}\n  }\n}\n",
			"{\n  \"mcpServers\": {\"a\": {}},\n  \"mcpServers\": {\n    \"b\": {},\n    " + added + "\n  }\n}\n", "="},
		{"toml, no file", "codex", "", tomlAdded, ""},
		{"toml", "codex", "model = \"o3\" # the large one\n\n# servers\n[mcp_servers.z]\ncommand = \"z\"\nargs = [\n  \"a\", # first\n]\n# end\n",
			"model = \"o3\" # the large one\n\n# servers\n[mcp_servers.z]\ncommand = \"z\"\nargs = [\n  \"a\", # first\n]\n# end\n\n" + tomlAdded, "="},
		{"toml without a line's end", "codex", "model = \"o3\"", "model = \"o3\"\n\n" + tomlAdded, "model = \"o3\"\n"},
		{"toml, lines of Windows", "codex", "a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(tomlAdded, "\n", "\r\n"), "="},
	} {
		t.Run(c.name, func(t *testing.T) {
			path, to := write(t, "file", c.in), client(t, c.client)
			entry := entry
			entry.Type = to.Type
			change(t, true)(Write(to, path, "compactor", entry))
			if d := cmp.Diff(c.want, read(t, path)); d != "" {
				t.Errorf("written: %s", d)
			}
			if c.in != "" {
				if d := cmp.Diff(c.in, read(t, path+".bak")); d != "" {
					t.Errorf("kept: %s", d)
				}
			}
			change(t, false)(Write(to, path, "compactor", entry))
			change(t, true)(Remove(to, path, "compactor"))
			if c.left == "=" {
				c.left = c.in
			}
			if d := cmp.Diff(c.left, read(t, path)); d != "" {
				t.Errorf("taken out: %s", d)
			}
			change(t, false)(Remove(to, path, "compactor"))
		})
	}
}

const tomlAdded = "[mcp_servers.compactor]\ncommand = \"/opt/compactor\"\nargs = [\"serve\", \"--root\", \"/src\"]\n"

func change(t *testing.T, want bool) func(bool, error) {
	return func(changed bool, err error) {
		t.Helper()
		if err != nil || changed != want {
			t.Fatalf("changed %t, %v", changed, err)
		}
	}
}

// What users add to the entry is theirs; what has to change changes in its place.
func TestWriteKeepsWhatWasAddedToTheEntry(t *testing.T) {
	for _, c := range []struct{ name, client, in, want string }{
		{"json", "lmstudio", `{
  "mcpServers": {
    // the old place
    "compactor": {
      "command": "/old", // to be renewed
      "timeout": 5000,
      "args": ["serve", "--root", "/src"],
      "env": {"A": "1"}
    },
    "z": {}
  }
}
`, `{
  "mcpServers": {
    // the old place
    "compactor": {
      "command": "/opt/compactor", // to be renewed
      "timeout": 5000,
      "args": ["serve", "--root", "/src"],
      "env": {"A": "1"}
    },
    "z": {}
  }
}
`},
		{"json, by an address before", "cursor", "{\n  \"mcpServers\": {\n    \"compactor\": {\"url\": \"http://x\"}\n  }\n}\n", "{\n  \"mcpServers\": {\n    " + added + "\n  }\n}\n"},
		{"json, without arguments", "cursor", "{\n  \"mcpServers\": {\n    \"compactor\": {\n      \"command\": \"/opt/compactor\" // here\n    }\n  }\n}\n",
			"{\n  \"mcpServers\": {\n    \"compactor\": {\n      \"command\": \"/opt/compactor\", // here\n      \"args\": [\n        \"serve\",\n        \"--root\",\n        \"/src\"\n      ]\n    }\n  }\n}\n"},
		{"toml", "codex", "[mcp_servers.compactor] # mine\nenabled = false\nargs = [\n  \"serve\",\n]\n\n[mcp_servers.compactor.env]\nA = \"1\"\n\n[z]\n",
			"[mcp_servers.compactor] # mine\ncommand = \"/opt/compactor\"\nenabled = false\nargs = [\"serve\", \"--root\", \"/src\"]\n\n[mcp_servers.compactor.env]\nA = \"1\"\n\n[z]\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path, to := write(t, "file", c.in), client(t, c.client)
			change(t, true)(Write(to, path, "compactor", entry))
			if d := cmp.Diff(c.want, read(t, path)); d != "" {
				t.Error(d)
			}
		})
	}
}

// Comments around an entry belong to the user, wherever they stand.
func TestRemoveKeepsComments(t *testing.T) {
	for _, c := range []struct{ name, client, in, want string }{
		{"first", "zed", "{\"context_servers\": { // all\n  \"compactor\": {}, // ours\n  \"z\": {} }}", "{\"context_servers\": { // all\n // ours\n  \"z\": {} }}"},
		{"between", "zed", "{\"context_servers\": {\"a\": 1, // one\n \"compactor\": {} /* two */, \"z\": {}}}", "{\"context_servers\": {\"a\": 1, // one\n /* two */ \"z\": {}}}"},
		{"last", "zed", "{\"context_servers\": {\"a\": 1 /* one */, // two\n \"compactor\": {} /* three */}}", "{\"context_servers\": {\"a\": 1 /* one */ // two\n /* three */}}"},
		{"twice", "zed", `{"context_servers": {"compactor": {}, "a": 1, "compactor": {}}}`, `{"context_servers": { "a": 1}}`},
		{"no such thing", "zed", `{"other": 1}`, `{"other": 1}`},
		{"not servers", "zed", `{"context_servers": [1]}`, `{"context_servers": [1]}`},
		{"toml", "codex", "# a\n[mcp_servers.compactor] # b\ncommand = \"x\" # c\n\n[mcp_servers.compactor.env]\nA = \"1\"\n# d\n\n[z]\n", "# a\n\n# d\n\n[z]\n"},
		{"toml in other words", "codex", "[mcp_servers]\ncompactor = {command = \"x\"}\nz.command = \"z\"\n", "[mcp_servers]\nz.command = \"z\"\n"},
		{"toml, dotted and quoted", "codex", "\"mcp_servers\".compactor.command = \"x\"\nmcp_servers.'compactor'.args = [\n]\na = 1\n", "a = 1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, "file", c.in)
			change(t, c.in != c.want)(Remove(client(t, c.client), path, "compactor"))
			if d := cmp.Diff(c.want, read(t, path)); d != "" {
				t.Error(d)
			}
		})
	}
}

// People keep such files in a place of their own, and links to them where programs look.
func TestWriteKeepsALinkAndTheMode(t *testing.T) {
	kept, path := write(t, "kept.json", "{}"), filepath.Join(t.TempDir(), "mcp.json")
	if err := os.Symlink(kept, path); err != nil {
		t.Skip(err) // Windows wants a privilege
	}
	change(t, true)(Write(client(t, "lmstudio"), path, "compactor", entry))
	if to, err := os.Readlink(path); err != nil || to != kept {
		t.Errorf("the link leads to %q: %v", to, err)
	}
	if text := read(t, kept); !strings.Contains(text, "/opt/compactor") {
		t.Errorf("the file holds %s", text)
	}
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// What was in a file may be a stranger's: it is not written to where a link of the stranger's leads.
func TestTheOldFileFollowsNoLink(t *testing.T) {
	own, path := write(t, "profile", "mine"), write(t, "mcp.json", `{"a": "$(id)"}`)
	if err := os.Symlink(own, path+".bak"); err != nil {
		t.Skip(err) // Windows wants a privilege
	}
	change(t, true)(Write(client(t, "claude-code"), path, "compactor", entry))
	if text := read(t, own); text != "mine" {
		t.Errorf("the file that the link leads to holds %s", text)
	}
	if text := read(t, path+".bak"); !strings.Contains(text, "$(id)") {
		t.Errorf("the old file is %s", text)
	}
}

// A repository may bring a link that has no end.
func TestReadTakesFilesOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.Symlink(os.DevNull, path); err != nil {
		t.Skip(err)
	}
	for _, at := range []string{path, t.TempDir()} {
		if _, err := Read(client(t, "claude-code"), at); err == nil || !strings.Contains(err.Error(), "not a file") {
			t.Errorf("%s: %v", at, err)
		}
	}
}

func TestWriteRefusesWhatItCannotKeep(t *testing.T) {
	for _, c := range []struct{ client, in, want string }{
		{"lmstudio", `{"mcpServers": [1]}`, "not an object"}, {"lmstudio", `[]`, "not a JSON object"}, {"lmstudio", `{"mcpServers": {`, "line 1, column 17"},
		{"lmstudio", "\x00", "not JSON"}, {"lmstudio", "\xff\xfe{\x00", "UTF-16"}, {"lmstudio", strings.Repeat(`{"a":`, 20_000), "too deep"},
		{"codex", "a = \n", "line 1"}, {"codex", "mcp_servers = {z = {command = \"z\"}}\n", "in a way that no entry can be added to without changing them; nothing"}, {"codex", "mcp_servers = 1\n", "in a way"},
		{"codex", "[mcp_servers]\ncompactor = {command = \"x\"}\n", "not as a table of its own"}, {"codex", "[mcp_servers.compactor.args]\n[mcp_servers.compactor]\n", "as a table"},
	} {
		path := write(t, "file", c.in)
		if _, err := Write(client(t, c.client), path, "compactor", entry); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%.40q: %v", c.in, err)
		}
		if got := read(t, path); got != c.in {
			t.Errorf("%.40q became %.40q", c.in, got)
		}
	}
}

func TestDeeplinkCarriesTheEntry(t *testing.T) {
	link, err := Deeplink(client(t, "lmstudio"), "compactor", entry)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "lmstudio" || u.Host != "add_mcp" || u.Query().Get("name") != "compactor" {
		t.Fatalf("link %s: %v", link, err)
	}
	raw, err := base64.StdEncoding.DecodeString(u.Query().Get("config"))
	if err != nil {
		t.Fatal(err)
	}
	var got Entry
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(entry, got); d != "" {
		t.Error(d)
	}
}
