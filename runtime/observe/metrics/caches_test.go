package metrics_test

import (
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/observe/metrics"
)

func TestCachesCountForThemselves(t *testing.T) {
	var stream event.Stream
	hits := int64(3)
	s := metrics.New(metrics.Options{Stream: &stream, Caches: func() []metrics.Cache { return []metrics.Cache{{Name: "searches", Hits: hits, Misses: 2}} }})
	defer s.Close()
	hits = 4
	want := `# HELP compactor_cache_lookups_total Looks into what is kept between calls, by whether it was there.
# TYPE compactor_cache_lookups_total counter
compactor_cache_lookups_total{cache="searches",outcome="hit"} 4
compactor_cache_lookups_total{cache="searches",outcome="miss"} 2
`
	if err := testutil.GatherAndCompare(s.Registry(), strings.NewReader(want), "compactor_cache_lookups_total"); err != nil {
		t.Error(err)
	}
}
