package upstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// FuzzLines reads arbitrary bytes as the output of a program.
func FuzzLines(f *testing.F) {
	for _, b := range bad {
		f.Add([]byte(strings.ReplaceAll(b.line, "%s", "7")+"\n"), 100)
	}
	f.Add([]byte("{}\r\n\n  {\"id\":1}"), 5)
	f.Fuzz(func(t *testing.T, data []byte, limit int) {
		limit = 1 + max(limit, -limit)%1000
		if limit <= 0 {
			limit = 1
		}
		r := newLineReader(iotest.OneByteReader(bytes.NewReader(data)), int64(limit))
		for {
			line, err := r.next()
			if err != nil {
				if long := (errLong{}); !errors.Is(err, io.EOF) && !errors.As(err, &long) {
					t.Fatal(err)
				}
				return
			}
			if len(line) > limit+1 || len(line) == 0 || bytes.ContainsAny(line, "\n") {
				t.Fatalf("line %q, limit %d", line, limit)
			}
			message, err := parse(line)
			if err == nil && message.bad == nil {
				sound(t, line, message)
			}
		}
	})
}

// sound holds what the rest of the package relies on for a message that is not bad.
func sound(t *testing.T, line []byte, m message) {
	if !json.Valid(line) || rawjson.Duplicate(line) != "" {
		t.Fatalf("%q passed", line)
	}
	for _, part := range []json.RawMessage{m.id, m.params, m.result, m.failure} {
		if part != nil && !json.Valid(part) {
			t.Fatalf("part %q of %q", part, line)
		}
	}
	if result, err := m.answer(); err == nil && rawjson.Of(result) != rawjson.Object {
		t.Fatalf("result %q", result)
	}
	_ = withoutMember(m.params, "progressToken")
}

// FuzzEvents reads arbitrary bytes as a stream of events, whole and byte by byte: both give the same.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("\xef\xbb\xbfevent: endpoint\r\ndata: /a\r\n\r\n: ping\n\nid: 1\nretry: 5\ndata:{\"a\":\rdata:1}\r\r"), 100)
	f.Fuzz(func(t *testing.T, data []byte, limit int) {
		limit = 1 + max(limit, -limit)%1000
		if limit <= 0 {
			limit = 1
		}
		whole := newEventReader(bytes.NewReader(data), int64(limit))
		split := newEventReader(iotest.OneByteReader(bytes.NewReader(data)), int64(limit))
		for {
			a, errA := whole.next()
			b, errB := split.next()
			if (errA == nil) != (errB == nil) || a.name != b.name || !bytes.Equal(a.data, b.data) || whole.lastID != split.lastID {
				t.Fatalf("%+v %v, %+v %v", a, errA, b, errB)
			}
			if errA != nil {
				return
			}
			if len(a.data) > limit {
				t.Fatalf("%d bytes, limit %d", len(a.data), limit)
			}
		}
	})
}
