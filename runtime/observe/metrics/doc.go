// Package metrics counts events from the event stream and exports them in Prometheus format: requests, stages, calls of
// models and of upstream servers, tokens, summaries, hooks, lists of tools, searches of documents and answers from
// them, with histograms of durations.
//
// Labels are names from the configuration and from catalogs, masked, up to a limit; any others become "other". No text
// that a client sent is a label. The registry is the sink's own.
//
// Files:
//
//	metrics.go   which events are counted, and in which metrics; serving them
//	vectors.go   the metrics: names, labels, bounds of histograms
//	names.go     how many values a label may have
//	caches.go    hits and misses of caches
package metrics
