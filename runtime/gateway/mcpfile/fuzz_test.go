package mcpfile

import (
	"testing"

	"cuelang.org/go/cue/format"
	"github.com/google/go-cmp/cmp"
)

func FuzzParse(f *testing.F) {
	for _, c := range files {
		f.Add([]byte(c.text))
	}
	f.Add([]byte("[mcp_servers.a]\nurl = \"https://h\"\nbearer_token_env_var = \"T\"\ntool_timeout_sec = 1.5\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		servers, problems, err := Parse(Source{}, data)
		if err != nil {
			if len(servers)+len(problems) > 0 {
				t.Error("servers and an error")
			}
			return
		}
		names := map[string]bool{}
		for _, s := range servers {
			if names[s.Name] || s.Name == "" {
				t.Errorf("name %q", s.Name)
			}
			names[s.Name] = true
			if (s.Command == "") == (s.URL == "") {
				t.Errorf("command and url of %+v", s)
			}
		}
		config, _ := CUE(servers, Options{})
		formatted, err := format.Source(config)
		if err != nil {
			t.Fatalf("%v\n%s", err, config)
		}
		if d := cmp.Diff(string(formatted), string(config)); d != "" {
			t.Error(d)
		}
	})
}
