package judge

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Each alternative has the defaults of the whole, and each may refer elsewhere: a server's schema must not multiply them.
func TestDefaultsOfManyAlternatives(t *testing.T) {
	const props, others = 1500, 1650
	list := func(n int, item func(i int) string) string {
		out := make([]string, n)
		for i := range out {
			out[i] = item(i)
		}
		return strings.Join(out, ",")
	}
	long := strings.Repeat("x", 100)
	for name, more := range map[string]string{"none of their own": "", "one each": `,"properties":{"q%d":{"default":1}}`} {
		schema := `{"type":"object","properties":{` + list(props, func(i int) string { return fmt.Sprintf(`"p%d%s":{"default":1}`, i, long) }) +
			`},"$defs":{` + list(others, func(i int) string { return fmt.Sprintf(`"%d":{}`, i) }) +
			`},"anyOf":[` + list(others, func(i int) string {
			if more != "" {
				return fmt.Sprintf(`{"$ref":"#/$defs/%d"`+more+`}`, i, i)
			}
			return fmt.Sprintf(`{"$ref":"#/$defs/%d"}`, i)
		}) + `]}`
		if len(schema) > maxSchema {
			schema = strings.ReplaceAll(schema, long, long[:50])
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = Compile(json.RawMessage(schema))
		runtime.ReadMemStats(&after)
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 64 {
			t.Errorf("%s: %d KiB of schema took %d MiB", name, len(schema)>>10, took)
		}
	}
}
