package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/mcpfile"
)

// readDeclared compares the servers with the configuration that they are written to, if there is
// one. Nothing is added to one that cannot be read; --force replaces its servers.cue.
func (i *importing) readDeclared(ctx context.Context, opt service.Options, old []byte, write *mcpfile.Options) error {
	if _, err := os.Stat(opt.Dir); err != nil {
		return nil
	}
	cfg, list, err := opt.Load(ctx, config.Options{Defaults: opt.Defaults, Layers: []config.Layer{{Dir: opt.Dir, Display: opt.Display, Project: opt.Project != ""}}})
	switch {
	case err != nil:
		return exit{exitBroken, err.Error()}
	case unread(list) && !i.force:
		_ = i.a.printDiagnostics(list, "text", opt)
		return exit{exitInvalid, "the configuration cannot be read, so nothing was added to it; mend it and import again"}
	case i.force:
		write.CommentRules = hasRules(cfg.Source, path.Join(opt.Display, "servers.cue"))
	default:
		write.CommentRules = hasRules(cfg.Source, "")
		i.leaveDeclared(cfg, old, *write)
	}
	return nil
}

var rulesField = lazyregexp.New(`(?m)^\s*toolRules\s*:`)

// hasRules reports whether a file of the configuration, other than the named one, lists toolRules:
// two lists in one configuration conflict.
func hasRules(src *config.Source, except string) bool {
	return slices.ContainsFunc(src.Files(), func(name string) bool { return name != except && rulesField.Match(src.Text(name)) })
}

// leaveDeclared leaves out the servers whose names the configuration already declares, so that a
// user's edits are kept.
func (i *importing) leaveDeclared(cfg *config.Config, old []byte, write mcpfile.Options) {
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
