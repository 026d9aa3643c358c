package eventlog

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// What an upstream server or a client says makes no line of its own in the log, and
// steers no terminal that shows it.
func TestALineIsOneLineWhateverIsSaid(t *testing.T) {
	for _, said := range []string{"a\n2026-01-01 00:00:00 ERROR forged", "a\r\nb", "\x1b[2J\x1b]0;title\x07", "a\u2028b\u2029c\u0085d", "\u202egnirts", "\x9b31m", "\xff\xfe\n", `"}` + "\n" + `{"msg":"forged"`} {
		e := event.Event{Time: time.Unix(0, 0), Kind: event.Upstream, Name: said, Stage: said, Role: said, Server: said, Tool: said, Outcome: said, Code: said,
			Message: said, Error: said, Attrs: []slog.Attr{slog.String("text", said), slog.String(said, "key"), slog.Any("any", []string{said})}}
		for name, h := range map[string]func(*bytes.Buffer) slog.Handler{
			"text": func(b *bytes.Buffer) slog.Handler { return newPeople(b) },
			"json": func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
		} {
			var b bytes.Buffer
			if err := h(&b).Handle(context.Background(), newRecord(e, redact.Default())); err != nil {
				t.Fatal(err)
			}
			line := strings.TrimSuffix(b.String(), "\n")
			if strings.ContainsAny(line, "\n\r\x1b\x07\u2028\u2029\u0085\u202e\u009b") || strings.ToValidUTF8(line, "") != line {
				t.Errorf("%s of %q: %q", name, said, line)
			}
		}
	}
}
