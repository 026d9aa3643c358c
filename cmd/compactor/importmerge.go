package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/mcpfile"
)

// leaveDeclared leaves out the servers whose names the configuration already declares, so
// that a user's edits are kept. Nothing is added to a configuration that cannot be read.
func (i *importing) leaveDeclared(ctx context.Context, opt service.Options, old []byte, write mcpfile.Options) error {
	if _, err := os.Stat(opt.Dir); err != nil {
		return nil
	}
	cfg, list, err := opt.Load(ctx, config.Options{Defaults: opt.Defaults, Layers: []config.Layer{{Dir: opt.Dir, Display: opt.Display, Project: opt.Project != ""}}})
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	if unread(list) {
		_ = i.a.printDiagnostics(list, "text", opt)
		return exit{exitInvalid, "the configuration cannot be read, so nothing was added to it; mend it and import again"}
	}
	var fresh []mcpfile.Server
	var listed []importedServer
	for n, s := range i.servers {
		shown := i.report.Servers[n]
		_, known := cfg.Servers[s.Name]
		at := cfg.Source.At("servers", s.Name)
		switch {
		case !known:
			fresh = append(fresh, s)
			listed = append(listed, shown)
		case bytes.Contains(old, serverBlock(s, write)):
			shown.Known, shown.Notes = true, []string{"there already, unchanged"}
			listed = append(listed, shown)
		default:
			note := fmt.Sprintf("left out: %s:%d declares another server of this name; to have both, rename that one", at.File, at.Line)
			i.report.LeftOut = append(i.report.LeftOut, importedServer{Name: s.Name, Notes: []string{note}})
		}
	}
	i.servers, i.report.Servers = fresh, listed
	return nil
}

// unread reports whether a configuration has a mistake after which it is unknown what it declares.
func unread(list diag.List) bool {
	return slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Code == "C001" || d.Code == "C004" || d.Code == "C011" })
}

// serverBlock returns a server as import writes it.
func serverBlock(s mcpfile.Server, write mcpfile.Options) []byte {
	write.Append, write.From, write.CommentRules = true, "", true
	s.AllowedTools, s.DisabledTools = nil, nil
	text, _ := mcpfile.CUE([]mcpfile.Server{s}, write)
	return bytes.TrimSpace(text)
}
