package find

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// TestTheEndOfTimeNamesAnArgument says that a search which ran out of time names an
// argument that it has.
func TestTheEndOfTimeNamesAnArgument(t *testing.T) {
	named := regexp.MustCompile(`name a directory in (\w+)`)
	for _, c := range []struct {
		builtin catalog.Builtin
		in      map[string]any
	}{
		{Grep(), map[string]any{"pattern": "Close"}},
		{Glob(), map[string]any{"pattern": "**"}},
		{Ls(), map[string]any{}},
		{Symbols(), map[string]any{"name": "Close"}},
	} {
		env := codetest.NewEnv(t, codetest.Fixture)
		env.Scan = time.Nanosecond
		out, err := c.builtin.Run(t.Context(), env, c.in)
		if err != nil {
			t.Errorf("%s: %v", c.builtin.Name, err)
			continue
		}
		raw, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		said := named.FindStringSubmatch(string(raw))
		if said == nil {
			t.Errorf("%s does not say that its time ended: %s", c.builtin.Name, raw)
			continue
		}
		schema, err := json.Marshal(c.builtin.In)
		if err != nil || !strings.Contains(string(schema), `"`+said[1]+`"`) {
			t.Errorf("%s has no argument %s: %s", c.builtin.Name, said[1], schema)
		}
	}
}
