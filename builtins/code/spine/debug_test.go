package spine

import (
	"fmt"
	"os"
	"strings"
	"strconv"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/symbols"
	"github.com/compactor-mcp/compactor/runtime/words"
)

func TestDebug(t *testing.T) {
	f := os.Getenv("SPINE")
	if f == "" {
		t.Skip()
	}
	p := strings.SplitN(f, ":", 3)
	data, _ := os.ReadFile(p[0])
	line, _ := strconv.Atoi(p[1])
	terms := &Terms{}
	for _, w := range strings.Fields(p[2]) {
		terms.Add(words.StemOf(w), 1)
	}
	lang := symbols.Detect(p[0], data)
	tx := Read(lang, data)
	d, _ := symbols.Enclosing(symbols.Scan(p[0], data), line)
	fmt.Println(d.Name, d.Line, d.EndLine)
	units := unitsOf(tx.body(d))
	c := chooser{ask: Ask{Terms: terms}, own: terms.in(d.Name), seen: map[string]bool{}}
	c.read(units)
	for i, u := range units {
		s := 0.0
		for _, x := range c.held[i] { s += c.terms[x] }
		fmt.Printf("%d k%d g%v base %.2f terms %.2f names %d: %s\n", u.line, u.kind, u.guard, c.base[i], s, len(c.names[i]), u.text)
	}
	for _, l := range tx.Lines(d, Ask{Terms: terms, Most: 10}) { fmt.Println("  ", l.Line, l.Text) }
}
