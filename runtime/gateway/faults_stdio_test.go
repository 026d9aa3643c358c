//go:build unix

package gateway

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// stdioFaults are U07 and U10 as a program makes them.
var stdioFaults = []fault{
	{"nested 10,000 deep", atCall, failure}, {"member twice", atCall, failure}, {"answer and error", atCall, failure},
	{"invalid UTF-8", atCall, failure}, {"huge error code", atCall, failure}, {"NaN", atCall, failure}, {"null result", atCall, failure},
	{"result is a list", atCall, failure}, {"neither", atCall, failure}, {"cut off", atCall, failure}, {"raw ESC", atCall, failure},
	{"error full of ESC", atCall, failure}, {"huge number", atCall, anything}, {"escaped ESC", atCall, anything},
	{"content is no list", atCall, anything}, {"answer of no method", slowly, anything},
	{"two answers", atCall, right}, {"text on stdout", atCall, right}, {"empty lines", atCall, right}, {"flood stderr", atCall, right},
	{"storm of changes", atCall, right}, {"asks back", atCall, right}, {"exit after the answer", atCall, right}, {"leave a daemon", atCall, right},
	{"wrong id", slowly, failure}, {"id as text", atCall, right}, {"id is null", slowly, failure}, {"duplicate id", slowly, failure},
	{"batch", slowly, failure}, {"byte order mark", slowly, anything}, {"answer after cancel", slowly, failure}, {"hang", slowly, failure},
	{"line without end", atCall, failure}, {"text without end", atCall, failure}, {"exit", atCall, failure}, {"exit within a line", atCall, failure},
	{"close stdout", atCall, failure}, {"endless notes", slowly, failure},
	{"exit at start", atStart, failure}, {"text at start", atStart, anything}, {"bad initialize", atStart, failure}, {"hang at initialize", atStart, failure},
	{"exit at list", atList, anything}, {"list is null", atList, anything}, {"cyclic cursors", atList, anything}, {"endless pages", atList, anything},
	{"100,000 tools", atList, anything}, {"another schema at each list", atList, anything}, {"tools that are none", atList, anything},
	{"hang at list", atList, anything}, {"hang at shutdown", atStop, anything},
}

// R05, U07, U10: programs that do all that programs can do wrong touch nobody but themselves.
func TestFaultsOfProgramsTouchNobodyElse(t *testing.T) {
	faults := 55
	switch {
	case raced:
		faults = 25
	case testing.Short():
		faults = 30
	}
	before := holding()
	f := &fleet{world: newRealWorld(t, map[string]string{"well1": simple("echo"), "well2": simple("echo"), "well3": simple("echo"), "well4": simple("echo"),
		"well5": simple("echo"), "well6": simple("echo")})}
	f.well = []string{"well1", "well2", "well3", "well4", "well5", "well6"}
	for i := range 14 {
		f.addProgram(fmt.Sprintf("sick%d", i), i, 14)
	}
	f.open()
	f.chaos(number(faultsEnv, faults), before)
}

func (f *fleet) addProgram(name string, place, of int) {
	dir := filepath.Join(f.dir, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		f.t.Fatal(err)
	}
	f.addSick(name, config.Server{Command: os.Args[0], Env: map[string]string{faultyDir: dir}})
	s := &sick{name: name, faults: stdioFaults, restart: "exit"}
	turn := 0
	s.mode = func(m string) {
		if err := os.WriteFile(filepath.Join(dir, "mode"), []byte(m), 0o600); err != nil {
			f.t.Error(err)
		}
	}
	s.again = func() { turn++; f.replace(name, turn) }
	s.stands = func() bool {
		_, err := os.Stat(filepath.Join(dir, "stands"))
		return err == nil
	}
	f.join(s, place, of)
}
