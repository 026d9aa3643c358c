package timeline

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// AppendJSON appends spans as encoding/json would write a list of them. A session has so
// many that reflection would be a large part of the cost of keeping them.
func AppendJSON(b []byte, list []*Span) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = s.append(b)
	}
	return append(b, ']')
}

func (s *Span) append(b []byte) []byte {
	text := func(name, value string) {
		if value != "" {
			b = rawjson.AppendQuote(append(b, name...), value)
		}
	}
	number := func(name string, n int) {
		if n != 0 {
			b = strconv.AppendInt(append(b, name...), int64(n), 10)
		}
	}
	b = rawjson.AppendQuote(append(b, `{"session":`...), s.Session)
	b = rawjson.AppendQuote(append(b, `,"trace":`...), s.Trace)
	b = rawjson.AppendQuote(append(b, `,"id":`...), s.ID)
	text(`,"parent":`, s.Parent)
	b = rawjson.AppendQuote(append(b, `,"kind":`...), s.Kind)
	text(`,"purpose":`, s.Purpose)
	text(`,"name":`, s.Name)
	text(`,"stage":`, s.Stage)
	text(`,"role":`, s.Role)
	text(`,"server":`, s.Server)
	text(`,"tool":`, s.Tool)
	b = s.Started.AppendFormat(append(b, `,"started":"`...), time.RFC3339Nano)
	b = strconv.AppendInt(append(b, `","elapsed":`...), int64(s.Elapsed), 10)
	if s.Running {
		b = append(b, `,"running":true`...)
	}
	text(`,"outcome":`, s.Outcome)
	text(`,"code":`, s.Code)
	text(`,"message":`, s.Message)
	text(`,"error":`, s.Error)
	number(`,"tokens_in":`, s.In)
	number(`,"tokens_out":`, s.Out)
	number(`,"bytes":`, s.Bytes)
	if len(s.Attrs) > 0 {
		between := `,"attrs":{`
		for _, name := range slices.Sorted(maps.Keys(s.Attrs)) {
			b = rawjson.AppendQuote(append(b, between...), name)
			b = rawjson.AppendQuote(append(b, ':'), s.Attrs[name])
			between = ","
		}
		b = append(b, '}')
	}
	return append(b, '}')
}
