package brief

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// Each of many arguments costs about the same, whatever a server makes of its schema.
func TestManyArguments(t *testing.T) {
	read := func(n int) time.Duration {
		props, names := make([]string, n), make([]string, n)
		for i := range n {
			props[i], names[i] = fmt.Sprintf(`"a%d":{}`, i), fmt.Sprintf(`"a%d"`, i)
		}
		schema := json.RawMessage(`{"properties":{` + strings.Join(props, ",") + `},"required":[` + strings.Join(names, ",") + `]}`)
		start := time.Now()
		if got := Params(schema); len(got) != n || !got[n-1].Required {
			t.Fatalf("%d of %d arguments", len(got), n)
		}
		return time.Since(start)
	}
	few, many := time.Hour, time.Hour
	for range 8 { // a busy machine may need several attempts; growth by the square is looked for, 400 times
		few, many = min(few, read(1000)), min(many, read(20_000))
		if many < 100*few {
			return
		}
	}
	t.Errorf("%v for 1000 arguments, %v for 20 times as many", few, many)
}
