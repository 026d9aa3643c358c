package metrics

import "github.com/prometheus/client_golang/prometheus"

// vectors are what is counted.
type vectors struct {
	requests, stages, builtins, models, tokens, calls, errors, summaries, saved, cuts, skipped, reloads *prometheus.CounterVec
	requestTime, stageTime, modelTime, callTime                                                         *prometheus.HistogramVec
}

// Bounds of histograms in seconds: builtins answer in milliseconds, models in
// minutes.
var buckets = []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120}

func register(reg *prometheus.Registry) vectors {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "compactor_" + name, Help: help}, labels)
		reg.MustRegister(v)
		return v
	}
	times := func(name, help string, labels ...string) *prometheus.HistogramVec {
		v := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "compactor_" + name + "_duration_seconds", Help: help, Buckets: buckets}, labels)
		reg.MustRegister(v)
		return v
	}
	return vectors{
		requests:    counter("requests_total", "Requests of clients.", "method", "tool", "outcome"),
		requestTime: times("request", "How long requests of clients took.", "method"),
		stages:      counter("stages_total", "Stages of pipelines that ran or were skipped.", "stage", "outcome"),
		stageTime:   times("stage", "How long stages of pipelines took.", "stage"),
		builtins:    counter("builtin_calls_total", "Builtins that stages, roles or models ran.", "builtin", "outcome"),
		models:      counter("model_calls_total", "Requests to models.", "model", "purpose", "outcome"),
		modelTime:   times("model_call", "How long requests to models took.", "model"),
		tokens:      counter("model_tokens_total", "Tokens that models read and wrote.", "model", "direction"),
		calls:       counter("upstream_calls_total", "Requests to upstream servers.", "server", "tool", "outcome"),
		errors:      counter("upstream_errors_total", "Requests to upstream servers that failed.", "server", "tool", "code"),
		callTime:    times("upstream_call", "How long requests to upstream servers took.", "server"),
		summaries:   counter("summaries_total", "Results that were summarized.", "server", "by"),
		saved:       counter("summary_tokens_saved_total", "Tokens that summaries left out.", "server"),
		cuts:        counter("cuts_total", "Replies and results that were cut.", "cut"),
		skipped:     counter("hooks_skipped_total", "Hooks that did not run.", "hook", "code"),
		reloads:     counter("reloads_total", "Configurations that were read again.", "outcome"),
	}
}
