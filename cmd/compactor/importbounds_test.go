package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A file of more than any program has is refused with the file, the member and the limit,
// and nothing is written.
func TestImportIsBounded(t *testing.T) {
	skipShort(t)
	t.Parallel()
	var many strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&many, `,"s%d":{"command":"x","args":[%q]}`, i, strings.Repeat("y", 300))
	}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"arguments": {`{"mcpServers":{"many":{"command":"x","args":["y"` + strings.Repeat(`,"y"`, 199_999) + `]}}}`, []string{`server "many": "args" has 200000 elements`, "at most 1000"}},
		"a name":    {`{"mcpServers":{"` + strings.Repeat("n", 60_000_000) + `":{"command":"x"}}}`, []string{"its name has 60000000 bytes", "at most 256"}},
		"a total":   {`{"mcpServers":{` + many.String()[1:] + `}}`, []string{"servers.cue would have ", "has at most 1048576: take over fewer"}},
		"a file":    {strings.Repeat(" ", 65<<20), []string{"larger than 64 MiB"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, binary := frontDir(t, "")
			file := filepath.Join(dir, "mcp.json")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, from := range []string{file, "-"} {
				cmd := exec.Command(binary, "import", from)
				cmd.Env, cmd.Stdin = append(os.Environ(), frontEnv(dir)...), strings.NewReader(c.text)
				out, err := cmd.CombinedOutput()
				if err == nil || cmd.ProcessState.ExitCode() != exitInvalid {
					t.Errorf("%v %.300s", err, out)
				}
				if from == "-" {
					from = "standard input"
				}
				for _, want := range append(c.want, from) {
					if !strings.Contains(string(out), want) {
						t.Errorf("%q is not in %.300s", want, out)
					}
				}
				if _, err := os.Stat(filepath.Join(dir, "servers.cue")); err == nil {
					t.Error("servers.cue was written")
				}
			}
		})
	}
}
