package install

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		client, in string
		want       []Installed
	}{
		{"zed", `{ // ours by name, and by program
			"context_servers": {
				"a": {"command": "npx"}, "code": {"command": "C:\\bin\\Compactor.exe", "args": ["serve", "--root=C:\\src"], "enabled": false},
				"compactor": {"url": "http://127.0.0.1:7720/mcp"},
			},
		}`, []Installed{
			{Name: "code", Command: `C:\bin\Compactor.exe`, Args: []string{"serve", `--root=C:\src`}, Off: true}, {Name: "compactor", URL: "http://127.0.0.1:7720/mcp"},
		}},
		{"codex", "[mcp_servers.compactor]\ncommand = \"/x\"\nargs = [\"serve\"]\ncwd = \"/w\"\nenv = {A = \"1\"}\n",
			[]Installed{{Name: "compactor", Command: "/x", Args: []string{"serve"}, Dir: "/w", Env: map[string]string{"A": "1"}}}},
		{"cursor", " \n", nil}, {"cursor", `{"mcpServers": null}`, nil}, {"cursor", `{"mcpServers": {"compactor": 1}}`, []Installed{{Name: "compactor"}}},
	} {
		got, err := Read(client(t, c.client), write(t, "file", c.in))
		if err != nil {
			t.Error(err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.in, d)
		}
	}
	if _, err := Read(client(t, "cursor"), write(t, "file", `{`)); err == nil {
		t.Error("half a file is read")
	}
}

func TestRootsAndConfig(t *testing.T) {
	i := Installed{Args: []string{"serve", "--root", "/a", "--config=/c", "--root=/b", "--config", "/d", "--root"}}
	if d := cmp.Diff([]string{"/a", "/b"}, i.Roots()); d != "" || i.Config() != "/d" {
		t.Error(d, i.Config())
	}
}
