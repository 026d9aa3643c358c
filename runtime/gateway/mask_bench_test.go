package gateway

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// largeResult is a result of about 100 KB, as JSON in a text and beside it.
func largeResult(structured bool) json.RawMessage {
	var rows []string
	for i := range 400 {
		rows = append(rows, fmt.Sprintf(`{"id":%d,"title":"Issue %d: the pool is built twice","state":"open","url":"https://example.org/issues/%d","labels":["bug","pool"],"author":{"login":"someone","id":%d}}`, i, i, i, i*7))
	}
	all := `{"items":[` + strings.Join(rows, ",") + `],"total":400}`
	text, _ := json.Marshal(all)
	if !structured {
		lines, _ := json.Marshal(strings.Repeat("func (p *Pool) Admit(r Request) error { return p.limit.Wait(r.Context()) } // see pool.go:44\n", 1000))
		return json.RawMessage(`{"content":[{"type":"text","text":` + string(lines) + `}]}`)
	}
	return json.RawMessage(`{"content":[{"type":"text","text":` + string(text) + `}],"structuredContent":` + all + `}`)
}

// BenchmarkMask masks a large result as it is passed on.
func BenchmarkMask(b *testing.B) {
	for _, structured := range []bool{false, true} {
		raw := largeResult(structured)
		b.Run(fmt.Sprintf("structured=%v", structured), func(b *testing.B) {
			m := guarded()
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.result(b.Context(), raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
