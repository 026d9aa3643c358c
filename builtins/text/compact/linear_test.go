package compact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// Texts whose lines all differ, or that have very many of what is counted, take time in proportion to their length.
func TestReadersAreLinear(t *testing.T) {
	for name, text := range map[string]func(n int) string{
		"escapes": func(n int) string { return strings.Repeat("\x1b[1ma\rb\x1b[K", n) + "\n" },
		"data":    func(n int) string { return strings.Repeat(strings.Repeat("aB3", 100)+" ", n/16) },
		"events":  func(n int) string { return linesFor(n, `{"level":"error","time":"%d","msg":"m","error":"x%d"}`+"\n") },
		"packages": func(n int) string {
			return linesFor(n, `{"Action":"output","Package":"p%d","Output":"ok  \tp%d\n"}`+"\n")
		},
		"junit": func(n int) string {
			return "<testsuite>" + linesFor(n, `<testcase name="a%d" classname="b%d"/>`) + "</testsuite>"
		},
		"list":    func(n int) string { return `{"a":["x"` + linesFor(n, `,"item-%d-%d"`) + "]}" },
		"numbers": func(n int) string { return "id,total,state\n" + linesFor(n, "a%d,%d.5,open\n") },
		"maps": func(n int) string {
			return "[" + strings.TrimSuffix(linesFor(n, `{"id":%d,"deps":{"d%d":"1"}},`), ",") + "]"
		},
	} {
		t.Run(name, func(t *testing.T) {
			clocktest.Linear(t, 600, func(n int) func() {
				s := text(n)
				return func() { Shorten(s, Options{Bytes: 600, Subject: Subject{Task: fmt.Sprint("which item-", n)}}) }
			})
		})
	}
}
