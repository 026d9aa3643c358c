package tracing_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"go.uber.org/goleak"
	"google.golang.org/protobuf/proto"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/observe/tracing"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// receiver is a collector of OTLP over HTTP.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*tracepb.Span
	raw   bytes.Buffer
	code  int
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{code: http.StatusOK}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		var got tracepb.TracesData
		if err := proto.Unmarshal(body, &got); err != nil || req.URL.Path != "/v1/traces" || req.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Error(err, req.URL, req.Header)
		}
		r.raw.Write(body)
		for _, rs := range got.ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				r.spans = append(r.spans, ss.Spans...)
			}
		}
		w.WriteHeader(r.code)
	}))
	t.Cleanup(r.Close)
	return r
}

const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

// work emits what a request does.
func work(s *event.Stream) {
	ctx, request := event.Start(s.WithContext(context.Background(), "4bf92f3577b34da6a3ce929d0e0e4736", "one"), event.Event{Kind: event.Request, Name: "tools/call", Tool: "research"})
	in, stage := event.Start(ctx, event.Event{Kind: event.Stage, Stage: "look", Name: "code.locate"})
	_, model := event.Start(in, event.Event{Kind: event.Model, Name: "default", Attrs: []slog.Attr{slog.String("purpose", "investigation")}})
	model.TokensIn, model.TokensOut = 900, 40
	model.End(event.OK, "")
	_, call := event.Start(in, event.Event{Kind: event.Upstream, Name: "tools/call", Server: "tickets", Tool: secret})
	call.Message, call.Error = "told "+secret, "no "+secret
	call.Attrs = []slog.Attr{slog.String("note", "what a client wrote"), slog.Int("original_tokens", 5000)}
	call.End("TIMEOUT", "TIMEOUT")
	stage.End(event.OK, "")
	request.End(event.OK, "")
}

func TestOneSpanForEachCallUnderWhatCausedIt(t *testing.T) {
	var stream event.Stream
	r := newReceiver(t)
	x := tracing.New(tracing.Options{Stream: &stream, Version: "1", Say: func(s string) { t.Error(s) }})
	if err := x.Set(r.URL); err != nil {
		t.Fatal(err)
	}
	work(&stream)
	x.Close()
	names := map[string]string{"": ""}
	for _, s := range r.spans {
		names[string(s.SpanId)] = s.Name
	}
	var got []string
	for _, s := range r.spans {
		if fmt.Sprintf("%x", s.TraceId) != "4bf92f3577b34da6a3ce929d0e0e4736" || s.EndTimeUnixNano < s.StartTimeUnixNano {
			t.Error(s)
		}
		line := strings.TrimPrefix(s.Kind.String(), "SPAN_KIND_") + " " + names[string(s.ParentSpanId)] + " > " + s.Name + ":"
		for _, a := range s.Attributes {
			if a.Key != "mcp.session.id" {
				line += " " + a.Key + "=" + a.Value.GetStringValue()
				if n := a.Value.GetIntValue(); n != 0 {
					line += fmt.Sprint(n)
				}
			}
		}
		got = append(got, line)
	}
	want := []string{
		"CLIENT stage look > chat default: compactor.kind=model gen_ai.operation.name=chat gen_ai.request.model=default compactor.stage=look compactor.outcome=ok gen_ai.usage.input_tokens=900 gen_ai.usage.output_tokens=40 compactor.purpose=investigation",
		"CLIENT stage look > tools/call TOOL: compactor.kind=upstream mcp.method.name=tools/call gen_ai.tool.name=TOOL compactor.server=tickets compactor.stage=look compactor.outcome=TIMEOUT compactor.original_tokens=5000 error.type=TIMEOUT",
		"INTERNAL tools/call research > stage look: compactor.kind=stage compactor.runs=code.locate compactor.stage=look compactor.outcome=ok",
		"SERVER  > tools/call research: compactor.kind=request mcp.method.name=tools/call gen_ai.tool.name=research compactor.outcome=ok",
	}
	for _, s := range r.spans { // however the mask names it
		if s.Kind == tracepb.Span_SPAN_KIND_CLIENT && strings.HasPrefix(s.Name, "tools/call ") {
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], strings.TrimPrefix(s.Name, "tools/call "), "TOOL")
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	if raw := r.raw.String(); strings.Contains(raw, "ghp_") || strings.Contains(raw, "wrote") || x.Lost() != 0 {
		t.Error(raw)
	}
}

// Nothing but the configuration opens the network.
func TestOffByDefault(t *testing.T) {
	r := newReceiver(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", r.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", r.URL+"/v1/traces")
	t.Setenv("OTEL_TRACES_EXPORTER", "otlp")
	var stream event.Stream
	x := tracing.New(tracing.Options{Stream: &stream})
	_, request := event.Start(stream.WithContext(context.Background(), "", "one"), event.Event{Kind: event.Request, Name: "tools/call"})
	request.End(event.OK, "")
	if stream.Active() {
		t.Error("events are made for nobody")
	}
	for _, bad := range []string{"127.0.0.1:4318", "ftp://x", "http://u:p@x", "http://"} {
		if x.Set(bad) == nil {
			t.Error(bad)
		}
	}
	x.Close()
	if len(r.spans) > 0 {
		t.Error(r.spans)
	}
}

func TestAReceiverThatRefusesIsSaidOnce(t *testing.T) {
	var stream event.Stream
	r := newReceiver(t)
	r.code = http.StatusServiceUnavailable
	var said []string
	x := tracing.New(tracing.Options{Stream: &stream, Say: func(s string) { said = append(said, s) }})
	_ = x.Set(r.URL)
	for range 300 {
		work(&stream)
	}
	x.Close()
	if len(said) != 1 || !strings.Contains(said[0], "503") || x.Lost() != 1200 {
		t.Error(said, x.Lost())
	}
}
