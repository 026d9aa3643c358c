package tracing

import (
	"encoding/hex"
	"log/slog"
	"strings"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// batch returns the contents of one request: an ExportTraceServiceRequest has the same encoding.
func batch(spans []*tracepb.Span, version string) *tracepb.TracesData {
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource:   &resource.Resource{Attributes: []*common.KeyValue{textAttribute("service.name", "compactor"), textAttribute("service.version", version)}},
		ScopeSpans: []*tracepb.ScopeSpans{{Scope: &common.InstrumentationScope{Name: "compactor", Version: version}, Spans: spans}},
	}}}
}

// spanOf converts a masked End event to a span. It returns nil if the event's ids are not valid.
func spanOf(e event.Event) *tracepb.Span {
	trace, err := hex.DecodeString(e.Trace)
	id, bad := hex.DecodeString(e.Call)
	if err != nil || bad != nil || len(trace) != 16 || len(id) != 8 {
		return nil
	}
	parent, _ := hex.DecodeString(e.Parent)
	s := &tracepb.Span{TraceId: trace, SpanId: id, ParentSpanId: parent, Name: nameOf(e), Kind: kindOf(e.Kind), Attributes: attributes(e),
		StartTimeUnixNano: uint64(e.Time.Add(-e.Elapsed).UnixNano()), EndTimeUnixNano: uint64(e.Time.UnixNano()), Status: &tracepb.Status{}}
	switch {
	case e.Outcome == event.OK, e.Outcome == event.Skipped, e.Outcome == "":
	default:
		s.Status.Code = tracepb.Status_STATUS_CODE_ERROR
		why := e.Code
		if why == "" {
			why = e.Outcome
		}
		s.Attributes = append(s.Attributes, textAttribute("error.type", why))
	}
	return s
}

// nameOf names a span following the conventions for GenAI and MCP: the operation, then its target.
func nameOf(e event.Event) string {
	switch e.Kind {
	case event.Model:
		return "chat " + e.Name
	case event.Request, event.Upstream:
		return strings.TrimSpace(e.Name + " " + e.Tool)
	case event.Stage:
		return "stage " + e.Stage
	case event.Round:
		return "round of " + e.Stage
	}
	return e.Kind.String() + " " + e.Name
}

func kindOf(k event.Kind) tracepb.Span_SpanKind {
	switch k {
	case event.Request:
		return tracepb.Span_SPAN_KIND_SERVER
	case event.Model, event.Upstream:
		return tracepb.Span_SPAN_KIND_CLIENT
	}
	return tracepb.Span_SPAN_KIND_INTERNAL
}

// attributes returns names, counts and codes.
func attributes(e event.Event) []*common.KeyValue {
	var out []*common.KeyValue
	add := func(key, value string) {
		if value != "" {
			out = append(out, textAttribute(key, value))
		}
	}
	count := func(key string, n int) {
		if n != 0 {
			out = append(out, numberAttribute(key, int64(n)))
		}
	}
	add("compactor.kind", e.Kind.String())
	add("mcp.session.id", e.Session) // already a digest
	switch e.Kind {
	case event.Request, event.Upstream:
		add("mcp.method.name", e.Name)
	case event.Model:
		add("gen_ai.operation.name", "chat")
		add("gen_ai.request.model", e.Name)
	case event.Stage, event.Round:
		add("compactor.runs", e.Name)
	}
	add("gen_ai.tool.name", e.Tool)
	add("compactor.server", e.Server)
	add("compactor.stage", e.Stage)
	add("compactor.role", e.Role)
	add("compactor.outcome", e.Outcome)
	count("gen_ai.usage.input_tokens", e.TokensIn)
	count("gen_ai.usage.output_tokens", e.TokensOut)
	count("compactor.bytes", e.Bytes)
	for _, a := range e.Attrs {
		switch a.Value.Kind() {
		case slog.KindInt64:
			out = append(out, numberAttribute("compactor."+a.Key, a.Value.Int64()))
		case slog.KindFloat64:
			out = append(out, &common.KeyValue{Key: "compactor." + a.Key, Value: &common.AnyValue{Value: &common.AnyValue_DoubleValue{DoubleValue: a.Value.Float64()}}})
		case slog.KindString:
			if short[a.Key] {
				add("compactor."+a.Key, a.Value.String())
			}
		}
	}
	return out
}

// short lists the text attributes of events that are names.
var short = map[string]bool{"purpose": true, "by": true, "surface": true, "collection": true, "ended": true}

func textAttribute(key, value string) *common.KeyValue {
	return &common.KeyValue{Key: key, Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: strings.ToValidUTF8(value, "?")}}}
}

func numberAttribute(key string, n int64) *common.KeyValue {
	return &common.KeyValue{Key: strings.ToValidUTF8(key, "?"), Value: &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: n}}}
}
