package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/compactor-mcp/compactor/runtime/observe/eventlog"
	"github.com/compactor-mcp/compactor/runtime/observe/tracing"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// serveLog is the log of a server, set by the configuration unless the command line names a
// file.
type serveLog struct {
	*eventlog.Log
	traces    *tracing.Exporter
	app       *app
	transport string
	file      string // from the command line
	service   atomic.Pointer[service.Service]
}

// openLog creates the log and the logger of the command. Until a configuration is loaded, the
// log uses its defaults.
func (a *app) openLog(file, transport string) (*serveLog, error) {
	l := &serveLog{app: a, transport: transport, file: file}
	a.events = &event.Stream{}
	l.Log = eventlog.New(eventlog.Options{Stream: a.events, Err: a.err, Redactor: l.redactor,
		Say: func(text string) { fmt.Fprintln(a.err, "compactor: "+sanitize.Strip(text)) }})
	a.log = slog.New(eventlog.Handler(a.events))
	l.traces = tracing.New(tracing.Options{Stream: a.events, Redactor: l.redactor, Version: versionString(), Say: func(text string) { a.log.Warn(text) }})
	if err := l.Set(l.fillSettings(eventlog.Settings{})); err != nil {
		l.Close()
		return nil, exit{exitBroken, err.Error()}
	}
	return l, nil
}

// Close sends the traces and writes the pending lines.
func (l *serveLog) Close() {
	l.traces.Close()
	l.Log.Close()
}

func (l *serveLog) redactor() *redact.Redactor {
	if svc := l.service.Load(); svc != nil {
		return svc.Snapshot().Redactor
	}
	return redact.Default()
}

// applyConfig applies the current configuration. If a file cannot be opened, it says so and the
// log continues unchanged.
func (l *serveLog) applyConfig(svc *service.Service) {
	l.service.Store(svc)
	snap := svc.Snapshot()
	if err := l.traces.Set(snap.Plan.Config.Tracing.Endpoint); err != nil {
		fmt.Fprintln(l.app.err, "compactor: "+snap.Egress.Line(err.Error())+"; serving goes on without traces")
	}
	log := snap.Plan.Config.Log
	said := eventlog.Settings{Level: log.Level, Format: log.Format, File: log.File}
	if said.File != "" && !filepath.IsAbs(said.File) {
		said.File = filepath.Join(workDir(), said.File)
	}
	if err := l.Set(l.fillSettings(said)); err != nil {
		fmt.Fprintln(l.app.err, "compactor: "+snap.Egress.Line(err.Error())+"; serving goes on without it")
	}
}

// fillSettings fills in what the configuration leaves out. Over stdio, clients show standard
// error as errors: nothing goes there unless the user asks for it.
func (l *serveLog) fillSettings(said eventlog.Settings) eventlog.Settings {
	out := eventlog.Settings{Level: cmp.Or(said.Level, "info"), Format: said.Format, File: cmp.Or(l.file, said.File)}
	if out.File == "" && said.Level == "" && l.transport == server.Stdio {
		out.Level = eventlog.Off
	}
	if _, shown := l.app.err.(*terminal); out.Format == "" && out.File == "" && shown {
		out.Format = "text"
	}
	return out
}
