package gateway

import (
	"encoding/json"
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// logHandler returns a function that passes on a server's log lines outside of calls, or nil if they are not wanted.
func (reg *registry) logHandler(e *serverEntry) func(upstream.LogLine) {
	if reg.opt.Log == nil {
		return nil
	}
	return func(line upstream.LogLine) {
		server := e.config().Name
		name := server
		tell := func(level, data json.RawMessage) {
			reg.opt.Log(server, logParams(level, name, data), line.Session)
		}
		if line.Left > 0 {
			tell(rawjson.Quote("warning"), rawjson.Quote(fmt.Sprintf("log lines of this server were left out, as too many or too long: %d", line.Left)))
		}
		m := reg.masker(e)
		said := map[string]json.RawMessage{"data": json.RawMessage("null")}
		members, _ := rawjson.Members(line.Params) // an invalid line gets no level, and so reaches no client
		for _, x := range members {
			said[x.Name] = x.Value
		}
		if own, err := rawjson.Text(said["logger"]); err == nil && own != "" {
			name += "/" + m.maskText(own)
		}
		tell(said["level"], removeOwnMarks(m.maskValue(said["data"]), false))
	}
}

// logParams builds the params of notifications/message.
func logParams(level json.RawMessage, logger string, data json.RawMessage) json.RawMessage {
	if level == nil {
		level = json.RawMessage("null")
	}
	return rawjson.Join([]rawjson.Member{{Name: "level", Value: level}, {Name: "logger", Value: rawjson.Quote(logger)}, {Name: "data", Value: data}})
}
