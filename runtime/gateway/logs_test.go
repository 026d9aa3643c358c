package gateway

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

func TestLogLinesCarryTheServersNameAndNoSecret(t *testing.T) {
	var got []string
	g := New(Options{Log: func(_ string, params json.RawMessage, session string) { got = append(got, string(params)+session) }})
	defer g.Close()
	e := newEntry(config.Server{Name: "lake"})
	e.secrets = []secret{{"API_KEY", "s3cret-value"}}
	say := g.logHandler(e)
	say(upstream.LogLine{Params: json.RawMessage(`{"mimeType":"x","level":"info","data":"with s3cret-value"}`)})
	say(upstream.LogLine{Params: json.RawMessage(`{"level":"error","logger":"db s3cret-value","data":{"s3cret-value":[1.0]}}`), Left: 3, Session: " s"})
	want := []string{
		`{"level":"info","logger":"lake","data":"with [REDACTED:API_KEY]"}`,
		`{"level":"warning","logger":"lake","data":"log lines of this server were left out, as too many or too long: 3"} s`,
		`{"level":"error","logger":"lake/db [REDACTED:API_KEY]","data":{"[REDACTED:API_KEY]":[1.0]}} s`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
