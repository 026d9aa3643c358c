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
)

var entry = Entry{Command: "/opt/compactor", Args: []string{"serve", "--root", "/src"}}

func TestWriteKeepsWhatElseIsInTheFile(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"no file", "", "{\n  \"mcpServers\": {\n    \"compactor\": {\n      \"command\": \"/opt/compactor\",\n      \"args\": [\n        \"serve\",\n        \"--root\",\n        \"/src\"\n      ]\n    }\n  }\n}\n"},
		{"other servers and keys", `{"theme":"dark","mcpServers":{"z":{"command":"z","env":{"A":"1"}},"a":{"url":"http://x"}},"n":1e400}`, ""},
		{"byte order mark", "\ufeff{\"mcpServers\":{}}", ""},
		{"null servers", `{"mcpServers":null}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "deep", "mcp.json")
			if c.in != "" {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(c.in), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			lm, err := Find("lmstudio")
			if err != nil {
				t.Fatal(err)
			}
			if err := lm.Write(path, "compactor", entry); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if c.want != "" {
				if d := cmp.Diff(c.want, string(got)); d != "" {
					t.Error(d)
				}
				return
			}
			for _, keep := range []string{`"theme": "dark"`, `"A": "1"`, `"url": "http://x"`, "1e400"} {
				if strings.Contains(strings.ReplaceAll(c.in, `":`, `": `), keep) && !strings.Contains(string(got), keep) {
					t.Errorf("%s is gone from\n%s", keep, got)
				}
			}
			if !strings.Contains(string(got), `"/opt/compactor"`) {
				t.Errorf("no entry in\n%s", got)
			}
			if bak, err := os.ReadFile(path + ".bak"); err != nil || string(bak) != c.in {
				t.Errorf("backup %q, %v", bak, err)
			}
			again, _ := os.Stat(path)
			if err := lm.Write(path, "compactor", entry); err != nil {
				t.Fatal(err)
			}
			if now, _ := os.Stat(path); !now.ModTime().Equal(again.ModTime()) {
				t.Error("an unchanged entry rewrites the file")
			}
		})
	}
}

// People keep such files in a place of their own, and links to them where programs look.
func TestWriteKeepsALink(t *testing.T) {
	kept, path := filepath.Join(t.TempDir(), "kept.json"), filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(kept, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(kept, path); err != nil {
		t.Skip(err) // Windows wants a privilege
	}
	lm, err := Find("lmstudio")
	if err != nil {
		t.Fatal(err)
	}
	if err := lm.Write(path, "compactor", entry); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(path); err != nil || to != kept {
		t.Errorf("the link leads to %q: %v", to, err)
	}
	if text, err := os.ReadFile(kept); err != nil || !strings.Contains(string(text), "/opt/compactor") {
		t.Errorf("the file holds %s: %v", text, err)
	}
}

func TestWriteRefusesWhatItCannotKeep(t *testing.T) {
	for _, in := range []string{`{"mcpServers": [1]}`, `[]`, `{"mcpServers": {`, `// comments are not JSON` + "\n{}", "\x00"} {
		path := filepath.Join(t.TempDir(), "mcp.json")
		if err := os.WriteFile(path, []byte(in), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Clients()[0].Write(path, "compactor", entry); err == nil {
			t.Errorf("%q was overwritten", in)
		}
		if got, _ := os.ReadFile(path); string(got) != in {
			t.Errorf("%q became %q", in, got)
		}
	}
}

func TestDeeplinkCarriesTheEntry(t *testing.T) {
	link, err := Deeplink("compactor", entry)
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

func TestPathsLieBelowHome(t *testing.T) {
	t.Setenv("APPDATA", "")
	home := t.TempDir()
	for _, c := range Clients() {
		if p := c.Path(home); !strings.HasPrefix(p, home) || filepath.Ext(p) != ".json" {
			t.Errorf("%s: %s", c.Name, p)
		}
	}
	if err := os.MkdirAll(filepath.Join(home, ".cache", "lm-studio"), 0o755); err != nil {
		t.Fatal(err)
	}
	if p := Clients()[0].Path(home); !strings.Contains(p, ".cache") {
		t.Errorf("older installation is not found: %s", p)
	}
}
