package metrics

import "github.com/prometheus/client_golang/prometheus"

// vectors holds the metrics.
type vectors struct {
	requests, stages, builtins, models, tokens, calls, errors, summaries, saved, cuts, skipped, reloads, lists, uses, runs, searches, reranks, answers *prometheus.CounterVec
	listed, hidden, again, cited, dropped                                                                                                              prometheus.Counter
	requestTime, stageTime, modelTime, callTime, searchTime, rerankTime                                                                                *prometheus.HistogramVec
}

// Bounds of histograms in seconds: builtins answer in milliseconds, models in minutes.
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
	one := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Name: "compactor_" + name, Help: help})
		reg.MustRegister(c)
		return c
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
		lists:       counter("tool_lists_total", "Lists of tools that clients were given, by what became of the session's last one.", "change"),
		listed:      one("tools_listed_total", "Tools of upstream servers on the lists that clients were given."),
		hidden:      one("tools_hidden_total", "Tools of upstream servers that there were and that were left out of those lists."),
		uses:        counter("tool_uses_total", "Calls of upstream tools in sessions that were listed such tools, by whether the tool was on the list.", "server", "list"),
		runs:        counter("index_runs_total", "Runs over collections of documents that changed something or failed.", "collection", "outcome"),
		searches:    counter("searches_total", "Searches and look-ups in collections of documents.", "builtin", "outcome"),
		searchTime:  times("search", "How long searches and look-ups in collections took.", "builtin"),
		reranks:     counter("reranks_total", "Searches whose best passages a model was to judge.", "outcome"),
		rerankTime:  times("rerank", "How long the judging of passages took."),
		answers:     counter("document_answers_total", "Answers and summaries made of documents; abstained are those without support.", "builtin", "outcome"),
		cited:       one("citations_total", "Citations that answers from documents were given."),
		dropped:     one("citations_dropped_total", "Citations and sentences of models that were left out: they did not stand in the documents."),
		again:       one("prompt_tokens_reread_total", "Tokens of prompts that models read again for changed lists, about."),
	}
}
