package metrics

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/observe/masked"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// Path is where metrics are served over HTTP.
const Path = "/metrics"

const (
	waiting = 4096 // events
	moment  = 100 * time.Millisecond
	// recently is how long a session counts as active after its last request.
	recently    = 5 * time.Minute
	maxSessions = 10_000
)

// Options configure a Sink.
type Options struct {
	Stream   *event.Stream
	Redactor func() *redact.Redactor // returns that of the current configuration; nil means the built-in one
	Version  string
	Caches   func() []Cache // nil for none
}

// Sink counts events. Registry returns it as a prometheus.Gatherer.
type Sink struct {
	reg    *prometheus.Registry
	sub    *event.Subscription
	done   chan struct{}
	masker *masked.Masker
	vectors
	names map[string]*names // by label

	mu       sync.Mutex
	sessions map[string]time.Time // last request
}

// New counts the events of a stream until Close.
func New(opt Options) *Sink {
	s := &Sink{reg: prometheus.NewRegistry(), done: make(chan struct{}), masker: masked.New(opt.Redactor), names: map[string]*names{}, sessions: map[string]time.Time{},
		sub: opt.Stream.Subscribe(waiting, event.Request, event.Stage, event.Builtin, event.Model, event.Upstream, event.Cut, event.Hook, event.Reload,
			event.Index, event.Retrieval, event.Rerank, event.Compose)}
	s.vectors = register(s.reg)
	s.reg.MustRegister(
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "compactor_events_dropped_total", Help: "Events that came faster than they could be counted."},
			func() float64 { return float64(s.sub.Dropped()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "compactor_sessions_active", Help: "Sessions with a request in the last five minutes."}, s.activeSessions),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "compactor_build_info", Help: "Always 1, with the version that serves.",
			ConstLabels: prometheus.Labels{"version": opt.Version}}, func() float64 { return 1 }))
	if opt.Caches != nil {
		s.reg.MustRegister(caches(opt.Caches))
	}
	s.sub.Batch(moment)
	s.sub.Begins()
	go s.run()
	return s
}

// Registry returns the metrics.
func (s *Sink) Registry() prometheus.Gatherer { return s.reg }

// Handler serves the metrics.
func (s *Sink) Handler() http.Handler {
	return promhttp.HandlerFor(s.reg, promhttp.HandlerOpts{MaxRequestsInFlight: 4, DisableCompression: true})
}

// Close stops counting.
func (s *Sink) Close() {
	s.sub.Close()
	<-s.done
}

func (s *Sink) run() {
	defer close(s.done)
	for {
		e, ok := s.sub.Next(context.Background())
		if !ok {
			return
		}
		if list, is := e.Detail.(event.Listed); is {
			s.countList(list)
		} else if e.Phase == event.End {
			s.countEvent(s.masker.Event(e))
		}
	}
}

// countEvent adds an ended event.
func (s *Sink) countEvent(e event.Event) {
	took, how := e.Elapsed.Seconds(), s.labelValue("outcome", e.Outcome)
	switch e.Kind {
	case event.Request:
		s.noteSession(e.Session, e.Time)
		method := s.labelValue("method", e.Name)
		s.requests.WithLabelValues(method, s.labelValue("tool", e.Tool), how).Inc()
		s.requestTime.WithLabelValues(method).Observe(took)
	case event.Stage:
		stage := s.labelValue("stage", e.Stage)
		s.stages.WithLabelValues(stage, how).Inc()
		if e.Outcome != event.Skipped {
			s.stageTime.WithLabelValues(stage).Observe(took)
		}
	case event.Builtin:
		s.builtins.WithLabelValues(s.labelValue("builtin", e.Name), how).Inc()
	case event.Model:
		model := s.labelValue("model", e.Name)
		s.models.WithLabelValues(model, s.labelValue("purpose", attrText(e, "purpose")), how).Inc()
		s.tokens.WithLabelValues(model, "input").Add(float64(max(e.TokensIn, 0)))
		s.tokens.WithLabelValues(model, "output").Add(float64(max(e.TokensOut, 0)))
		s.modelTime.WithLabelValues(model).Observe(took)
	case event.Upstream:
		s.countUpstream(e, how, took)
	case event.Cut:
		s.cuts.WithLabelValues(s.labelValue("cut", e.Name)).Inc()
	case event.Hook:
		if e.Outcome == event.Skipped {
			s.skipped.WithLabelValues(s.labelValue("hook", e.Name), s.labelValue("code", e.Code)).Inc()
		}
	case event.Reload:
		s.reloads.WithLabelValues(how).Inc()
	default:
		s.countDocuments(e, how, took)
	}
}

// countDocuments counts events of collections, searches of them and answers from them.
func (s *Sink) countDocuments(e event.Event, how string, took float64) {
	switch e.Kind {
	case event.Index:
		s.runs.WithLabelValues(s.labelValue("collection", e.Name), how).Inc()
	case event.Retrieval:
		s.searches.WithLabelValues(s.labelValue("builtin", e.Name), how).Inc()
		s.searchTime.WithLabelValues(s.labelValue("builtin", e.Name)).Observe(took)
	case event.Rerank:
		s.reranks.WithLabelValues(how).Inc()
		s.rerankTime.WithLabelValues().Observe(took)
	case event.Compose:
		s.answers.WithLabelValues(s.labelValue("builtin", e.Name), how).Inc()
		s.cited.Add(float64(max(attrNumber(e, "cited"), 0)))
		s.dropped.Add(float64(max(attrNumber(e, "dropped"), 0)))
	}
}

// countList counts a list that a client was given. It keeps none of the names. It increments lists last, so that the other
// counters include a list once lists does.
func (s *Sink) countList(l event.Listed) {
	s.listed.Add(float64(l.Names))
	s.hidden.Add(float64(l.Hidden))
	s.again.Add(float64(l.Again))
	s.lists.WithLabelValues(string(l.Change)).Inc()
}

func (s *Sink) countUpstream(e event.Event, how string, took float64) {
	if e.Call == "" { // a change of its state
		return
	}
	server := s.labelValue("server", e.Server)
	tool := s.labelValue("upstream tool", e.Tool)
	s.calls.WithLabelValues(server, tool, how).Inc()
	s.callTime.WithLabelValues(server).Observe(took)
	if e.Outcome != event.OK {
		s.errors.WithLabelValues(server, tool, s.labelValue("code", first(e.Code, e.Outcome))).Inc()
	}
	switch attrText(e, "hidden") {
	case "true":
		s.uses.WithLabelValues(server, "hidden").Inc()
	case "false":
		s.uses.WithLabelValues(server, "listed").Inc()
	}
	original, given := attrNumber(e, "original_tokens"), attrNumber(e, "summary_tokens")
	if attrText(e, "result") != "" && original > 0 {
		s.summaries.WithLabelValues(server, s.labelValue("by", attrText(e, "by"))).Inc()
		s.saved.WithLabelValues(server).Add(float64(max(original-given, 0)))
	}
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func attrText(e event.Event, key string) string {
	for _, a := range e.Attrs {
		if a.Key == key {
			return a.Value.String()
		}
	}
	return ""
}

func attrNumber(e event.Event, key string) int64 {
	for _, a := range e.Attrs {
		if a.Key == key && a.Value.Kind() == slog.KindInt64 {
			return a.Value.Int64()
		}
	}
	return 0
}

func (s *Sink) noteSession(session string, at time.Time) {
	if session == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.sessions[session]; known || len(s.sessions) < maxSessions {
		s.sessions[session] = at
	}
}

// activeSessions counts sessions, and forgets those that are no longer active.
func (s *Sink) activeSessions() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, last := range s.sessions {
		if time.Since(last) > recently {
			delete(s.sessions, id)
		}
	}
	return float64(len(s.sessions))
}
