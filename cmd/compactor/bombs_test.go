package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// bombScript holds what every command and a running server make of a
// configuration that would take all there is.
const bombScript = `
# Every command says so, and ends.
exit 1 compactor validate
stdout 'error %[1]s'
exit 2 compactor research 'where is the pool'
stderr 'error %[1]s'
stderr 'is not valid; nothing was run'
exit 2 compactor config show
stderr 'error %[1]s'
exit 2 compactor explain ping
exit 2 compactor call ping
exit 2 compactor test .compactor
compactor __complete call ''
! stdout ping
! compactor doctor
exit 1 compactor import --config .compactor mcp.json
stdout 'error %[1]s'
%[2]s
rm .compactor/servers.cue
exit 2 compactor serve
stderr 'error %[1]s'

# A running server refuses it as an edit, goes on, and takes the next one.
rm .compactor/bomb.cue
mcp start --trust-config
mcp call mine '{"text":"once"}'
cp $BOMB .compactor/bomb.cue
within serve.err 'error C'
within serve.err 'the edit was refused'
mcp call mine '{"text":"twice"}'
grep twice mcp.out
! mcp call mine '{"text":"where","bomb":true}'
grep 'EXPRESSION_LIMIT' mcp.out
mcp call mine '{"text":"thrice"}'
grep thrice mcp.out
rm .compactor/bomb.cue
cp other.cue .compactor/mine.cue
mcp changed
mcp list
grep other mcp.out
mcp stop

-- src/pool.go --
package src

// NewPool builds a pool.
func NewPool() {}
-- .compactor/mine.cue --
package compactor

pipelines: mine: {
	stages: {
		boom: {builtin: "code.locate", when: "input.bomb", with: question: "reduce(1..60, #acc + #acc, input.text)"}
	}
	output: "{said: input.text, boom: boom.value}"
}
tools: mine: {description: "Says it again.", pipeline: "mine", #input: {text: string & !="", bomb: *false | bool}}
-- mcp.json --
{"mcpServers": {"e": {"command": "true"}}}
-- other.cue --
package compactor

pipelines: mine: {stages: a: {builtin: "code.locate", with: question: "input.text"}, output: "a"}
tools: other: {description: "Another.", pipeline: "mine", #input: text: string & !=""}
-- .compactor/bomb.cue --
`

// TestBombsInEveryCommand takes two kinds, and all with COMPACTOR_LONG=1.
func TestBombsInEveryCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that do one thing, many times")
	}
	t.Parallel()
	files, err := filepath.Glob("../../runtime/config/bounded/testdata/bombs/*.cue")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	dir := t.TempDir()
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".cue")
		if os.Getenv("COMPACTOR_LONG") == "" && !slices.Contains([]string{"text_doubled", "stages"}, name) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code, imported := "C011", "! exists .compactor/servers.cue"
		if name == "stages" {
			code, imported = "C(132|011)", "" // a slow or instrumented build does not get that far
		}
		script := fmt.Sprintf(bombScript, code, imported) + string(text)
		if err := os.WriteFile(filepath.Join(dir, name+".txtar"), []byte(script), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "home", "config"))
			env.Setenv("COMPACTOR_CONFIG", "")
			env.Setenv("BOMB", filepath.Join(env.WorkDir, "bomb.txt"))
			env.Values[sessionKey{}] = &session{}
			text, err := os.ReadFile(filepath.Join(env.WorkDir, ".compactor", "bomb.cue"))
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(env.WorkDir, "bomb.txt"), text, 0o644)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"mcp": mcpCommand, "exit": exitCommand, "within": withinCommand},
	})
}
