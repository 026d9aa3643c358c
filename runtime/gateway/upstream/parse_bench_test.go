package upstream

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkParse reads an answer of 100 KB.
func BenchmarkParse(b *testing.B) {
	var rows []string
	for i := range 600 {
		rows = append(rows, fmt.Sprintf(`{"id":%d,"title":"Issue %d: the pool is built twice","state":"open","url":"https://example.org/issues/%d","labels":["bug","pool"],"author":{"login":"someone","id":%d}}`, i, i, i, i*7))
	}
	data := []byte(`{"jsonrpc":"2.0","id":7,"result":{"content":[],"structuredContent":{"items":[` + strings.Join(rows, ",") + `]}}}`)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if m, err := parse(data); err != nil || m.bad != nil {
			b.Fatal(err, m.bad)
		}
	}
}
