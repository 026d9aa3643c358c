package brief

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// Each of many arguments costs about the same, whatever a server makes of its schema.
func TestManyArguments(t *testing.T) {
	clocktest.Linear(t, 1000, func(n int) func() {
		props, names := make([]string, n), make([]string, n)
		for i := range n {
			props[i], names[i] = fmt.Sprintf(`"a%d":{}`, i), fmt.Sprintf(`"a%d"`, i)
		}
		schema := json.RawMessage(`{"properties":{` + strings.Join(props, ",") + `},"required":[` + strings.Join(names, ",") + `]}`)
		return func() {
			if got := Params(schema); len(got) != n || !got[n-1].Required {
				t.Fatalf("%d of %d arguments", len(got), n)
			}
		}
	})
}

// Nor does it matter to Fit how many there are, and how many of them are required.
func TestFitOfManyArguments(t *testing.T) {
	clocktest.Linear(t, 2000, func(n int) func() {
		argument := func(i int) string { return fmt.Sprintf(`"a%d":{}`, i) }
		schema := json.RawMessage(`{"properties":{` + repeated(n, argument) + `},"required":[` + repeated(n, func(i int) string { return fmt.Sprintf(`"b%d"`, i) }) + `]}`)
		return func() {
			if _, left := Fit(schema, upTo(100)); len(left) != 1 {
				t.Fatalf("left out is %q", left)
			}
		}
	})
}
