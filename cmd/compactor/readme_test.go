package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// TestReadmeWalk holds the README and the scripts together: each command of the
// section on other MCP servers is run by one of them, and its example is the
// configuration that the first runs on.
func TestReadmeWalk(t *testing.T) {
	readme, script := read(t, "../../README.md"), "\n"+read(t, "testdata/script/gateway.txtar")+"\n"+read(t, "testdata/script/selection.txtar")
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

// TestReadmeManual holds the README's walk through a manual and its script together.
func TestReadmeManual(t *testing.T) {
	readme, script := read(t, "../../README.md"), read(t, "testdata/script/docs_manual.txtar")
	_, section, _ := strings.Cut(readme, "\n## Try it on a manual\n")
	section, _, _ = strings.Cut(section, "\n## ")
	commands := 0
	for line := range strings.Lines(section) {
		command, _, _ := strings.Cut(line, " #")
		command, ok := strings.CutPrefix(strings.TrimRight(command, " \n"), "    compactor ")
		if !ok {
			continue
		}
		if commands++; !strings.Contains(script, "exec compactor "+command+"\n") && !strings.Contains(script, "exit 1 compactor "+command+"\n") {
			t.Errorf("the script does not run compactor %s", command)
		}
	}
	if commands < 7 {
		t.Errorf("the section has %d commands", commands)
	}
}

// TestReadmeDocuments holds the README's section on documents and its script together.
func TestReadmeDocuments(t *testing.T) {
	readme, script := read(t, "../../README.md"), read(t, "testdata/script/docs.txtar")
	_, section, _ := strings.Cut(readme, "\n## Your documents\n")
	section, _, found := strings.Cut(section, "\n## ")
	if !found {
		t.Fatal("the README has no such section")
	}
	commands := 0
	for line := range strings.Lines(section) {
		command, _, _ := strings.Cut(line, " #")
		if command, ok := strings.CutPrefix(strings.TrimRight(command, " \n"), "    compactor "); ok {
			quoted := strings.ReplaceAll(command, `"`, "'") // as scripts quote what is one argument
			if commands++; !strings.Contains(script, "exec compactor "+command+"\n") && !strings.Contains(script, "exec compactor "+quoted+"\n") {
				t.Errorf("the script does not run compactor %s", command)
			}
		}
	}
	_, example, _ := strings.Cut(section, "```cue\n")
	example, _, _ = strings.Cut(example, "```")
	if commands < 5 || example == "" || !strings.Contains(script, example) {
		t.Errorf("%d commands; the example is not what the script runs on: %s", commands, example)
	}
}

// TestReadmeProfiles does what the README's section on profiles says, with its examples. The
// servers are ones that need no network.
func TestReadmeProfiles(t *testing.T) {
	skipShort(t)
	t.Parallel()
	_, section, _ := strings.Cut(read(t, "../../README.md"), "\n## A part of the tools for each client\n")
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := strings.Split(section, "```")
	if len(blocks) != 5 {
		t.Fatalf("the section has %d parts", len(blocks))
	}
	const npx = `command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."]`
	example := strings.TrimPrefix(blocks[1], "cue\npackage compactor\n")
	if strings.Count(example, npx) != 2 {
		t.Fatalf("its servers: %s", example)
	}
	dir, binary := frontDir(t, strings.ReplaceAll(example, npx, `command: "sampleserver", args: ["files", "."]`))
	known(t, binary, dir, 4)
	commands := 0
	for line := range strings.Lines(section) {
		command, _, _ := strings.Cut(line, " #")
		if command, is := strings.CutPrefix(strings.TrimRight(command, " \n"), "    compactor "); is {
			commands++
			if out := output(t, binary, dir, strings.Fields(command)...); strings.Contains(out, "letters__") || strings.Contains(out, "write_file") {
				t.Errorf("compactor %s: %s", command, out)
			} else if commands != 2 && !strings.Contains(out, "notes__look_up") {
				t.Errorf("compactor %s: %s", command, out)
			}
		}
	}
	if commands != 3 {
		t.Errorf("%d commands", commands)
	}
	s := serveAPIIn(t, dir, "")
	s.awaitTool("letters__write_file")
	s.awaitTool("notes__write_file")
	client := func(name string, headers ...string) *profileClient {
		return (&profileClient{t: t, url: s.base, name: name, headers: headers}).begin()
	}
	reading := []string{"notes__look_up"}
	for what, c := range map[string]*profileClient{"by its name": client("LM Studio 0.4"), "by the header": client("other", "Compactor-Profile", "reading")} {
		if got := c.tools(); !slices.Equal(got, reading) {
			t.Errorf("%s: %q", what, got)
		}
		if text, ok := c.call("letters__write_file", map[string]any{"path": "x", "content": "y"}); ok {
			t.Errorf("%s: %s", what, text)
		}
	}
	if got := client("other").tools(); !slices.Contains(got, "letters__write_file") || !slices.Contains(got, "notes__read_text_file") {
		t.Errorf("without a profile: %q", got)
	}
	asks := &profileClient{t: t, url: s.base, name: "other", headers: []string{"Compactor-Profile", "writing"}}
	if _, result, text := asks.greet(); result != nil {
		t.Errorf("a profile that cannot be asked for: %s", text)
	}

	for name, text := range map[string]string{"tokens.cue": strings.TrimPrefix(blocks[3], "cue\n"), "secrets.env": "READING_TOKEN=" + readingToken + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	clocktest.Until(t, "without the token it is refused", func() bool {
		status, _, _ := (&profileClient{t: t, url: s.base, name: "LM Studio 0.4"}).greet()
		return status == 401
	})
	if got := client("other", "Authorization", "Bearer "+readingToken).tools(); !slices.Equal(got, reading) {
		t.Errorf("by the token: %q", got)
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
