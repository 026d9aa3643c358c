package eventlog

import (
	"log/slog"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// levels lists the levels of a log, quietest first.
var levels = map[string]slog.Level{"error": slog.LevelError, "warn": slog.LevelWarn, "info": slog.LevelInfo, "debug": slog.LevelDebug}

// Off is the level of a log that writes nothing.
const Off = "off"

// kindsOf returns the kinds that have lines of a level or above: the log need not subscribe to others.
func kindsOf(level slog.Level) []event.Kind {
	if level <= slog.LevelDebug {
		return event.Kinds()
	}
	return []event.Kind{event.Request, event.Model, event.Upstream, event.Cut, event.Hook, event.Reload, event.Index, event.Note}
}

// levelOf returns the level of an event.
func levelOf(e event.Event) slog.Level {
	well := e.Outcome == event.OK || e.Outcome == ""
	switch {
	case e.Kind == event.Note:
		return e.Level
	case e.Phase != event.End:
		return slog.LevelDebug
	case e.Code == "INTERNAL", e.Kind == event.Reload && !well:
		return slog.LevelError
	case e.Kind == event.Index && !well, e.Kind == event.Model && !well && e.Outcome != "canceled", e.Kind == event.Hook && e.Outcome == event.Skipped, e.Kind == event.Upstream && e.Outcome == "open":
		return slog.LevelWarn
	case e.Kind == event.Upstream && e.Call == "": // a state: its cause was logged
		return slog.LevelDebug
	case e.Kind == event.Stage, e.Kind == event.Round, e.Kind == event.Builtin, e.Kind == event.Model, e.Kind == event.Hook,
		e.Kind == event.Retrieval, e.Kind == event.Rerank, e.Kind == event.Compose:
		return slog.LevelDebug
	}
	return slog.LevelInfo
}
