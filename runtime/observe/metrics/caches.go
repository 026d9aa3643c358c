package metrics

import "github.com/prometheus/client_golang/prometheus"

// Cache counts the lookups of one cache.
type Cache struct {
	Name         string
	Hits, Misses int64 // since it was created
}

// caches exports the caches' own counters.
type caches func() []Cache

var looks = prometheus.NewDesc("compactor_cache_lookups_total", "Looks into what is kept between calls, by whether it was there.", []string{"cache", "outcome"}, nil)

// Describe implements prometheus.Collector.
func (c caches) Describe(out chan<- *prometheus.Desc) { out <- looks }

// Collect implements prometheus.Collector.
func (c caches) Collect(out chan<- prometheus.Metric) {
	for _, x := range c() {
		out <- prometheus.MustNewConstMetric(looks, prometheus.CounterValue, float64(x.Hits), x.Name, "hit")
		out <- prometheus.MustNewConstMetric(looks, prometheus.CounterValue, float64(x.Misses), x.Name, "miss")
	}
}
