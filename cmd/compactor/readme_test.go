package main

import (
	"os"
	"strings"
	"testing"
)

// TestReadmeWalk holds the README and the script together: each command of the
// section on other MCP servers is run by the script, and its example is the
// configuration that the script runs on.
func TestReadmeWalk(t *testing.T) {
	readme, script := read(t, "../../README.md"), "\n"+read(t, "testdata/script/gateway.txtar")
	_, section, _ := strings.Cut(readme, "\n## Put other MCP servers behind it\n")
	section, _, found := strings.Cut(section, "\n## ")
	if !found {
		t.Fatal("the README has no such section")
	}
	commands := 0
	for line := range strings.Lines(section) {
		command, _, _ := strings.Cut(line, " #")
		command, ok := strings.CutPrefix(command, "    ")
		if command = strings.TrimSpace(command); !ok || !strings.HasPrefix(command, "compactor ") {
			continue
		}
		commands++
		if !strings.Contains(script, "\n"+command+"\n") && !strings.Contains(script, " "+command+"\n") {
			t.Errorf("the script does not run %q", command)
		}
	}
	if commands < 8 {
		t.Errorf("the section has %d commands", commands)
	}
	_, example, _ := strings.Cut(section, "```cue\n")
	example, _, _ = strings.Cut(example, "```")
	if example == "" || !strings.Contains(script, example) {
		t.Error("the example is not what the script runs on")
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
