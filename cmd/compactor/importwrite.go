package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/app/install"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/mcpfile"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// configOptions returns the options for the configuration that is named, otherwise for the user's
// own, even inside a project: the servers of chat clients belong to the user, and their keys
// have no place in a repository.
func (i *importing) configOptions() (service.Options, error) {
	opt, err := i.a.options()
	if err != nil || i.a.configDir != "" || os.Getenv("COMPACTOR_CONFIG") != "" {
		return opt, err
	}
	user, err := os.UserConfigDir()
	if err != nil {
		return opt, exit{exitBroken, "there is no user configuration directory: name one with --config"}
	}
	opt.Place = consent.Own(opt.Work, filepath.Join(user, "compactor"))
	return opt, nil
}

// maxConfigFile limits what config reads of a file, in bytes.
const maxConfigFile = config.MaxFileSize

// writeFiles puts both files into place, the secrets first: servers that name variables which do
// not exist yet would be worse than the reverse.
func (i *importing) writeFiles(ctx context.Context, opt service.Options) error {
	r := &i.report
	r.Config, r.Secrets = filepath.Join(opt.Dir, "servers.cue"), filepath.Join(opt.Dir, "secrets.env")
	for _, path := range []string{opt.Dir, r.Config, r.Secrets} {
		if err := noLink(path); opt.Project != "" && err != nil {
			return err
		}
	}
	oldSecrets, err := readExisting(r.Secrets)
	if err != nil {
		return err
	}
	old, err := readExisting(r.Config)
	if err != nil {
		return err
	}
	taken, _ := mcpfile.EnvLines(oldSecrets)
	write := mcpfile.Options{From: atHome(r.From), Secret: holdsSecret, Taken: taken, Append: old != nil && !i.force}
	if err := i.readDeclared(ctx, opt, old, &write); err != nil {
		return err
	}
	config, secrets := mcpfile.CUE(i.servers, write)
	i.splitVariables(secrets, taken)
	i.text = slices.Concat([]byte("package compactor\n"), bytes.Replace(config, []byte("package compactor\n"), nil, 1))
	switch {
	case len(i.servers) == 0:
		return nil
	case write.Append:
		config = slices.Concat(bytes.TrimRight(old, "\n"), []byte("\n\n"), config)
	}
	if len(config) > maxConfigFile {
		return exit{exitInvalid, fmt.Sprintf("%s would have %d bytes with the servers of %s, and a file of a configuration has at most %d: take over fewer of them", r.Config, len(config), r.From, maxConfigFile)}
	}
	if i.dryRun {
		return i.preview(old, config)
	}
	if err := os.MkdirAll(opt.Dir, 0o700); err != nil {
		return exit{exitBroken, err.Error()}
	}
	if next := mcpfile.AppendEnv(oldSecrets, secrets, i.prompts()); len(next) > 0 {
		err = install.Replace(r.Secrets, next)
	}
	if err == nil && i.force && old != nil && !bytes.Equal(old, config) {
		err = install.KeepOld(r.Config, old)
	}
	if err == nil {
		err = install.Replace(r.Config, config)
	}
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	r.Written = true
	return nil
}

// splitVariables separates the secrets that are written from those to be filled in, and drops
// those that the environment has.
func (i *importing) splitVariables(secrets, taken map[string]string) {
	r := &i.report
	for _, name := range slices.Sorted(maps.Keys(secrets)) {
		switch _, known := taken[name]; {
		case known:
		case secrets[name] == "" && os.Getenv(name) != "":
			delete(secrets, name)
		case secrets[name] == "":
			r.Missing = append(r.Missing, name)
		default:
			r.Variables = append(r.Variables, name)
		}
	}
}

func (i *importing) prompts() map[string]string {
	out := map[string]string{}
	for _, s := range i.servers {
		for _, a := range s.Asks {
			out[a.Variable] = a.Prompt
		}
	}
	return out
}

// preview shows what would be written.
func (i *importing) preview(old, config []byte) error {
	if i.format == "json" {
		return nil
	}
	if old == nil {
		fmt.Fprintf(i.a.out, "Nothing is written. %s would hold:\n\n%s\n", i.report.Config, config)
		return nil
	}
	fmt.Fprintf(i.a.out, "Nothing is written. %s would change:\n\n%s\n", i.report.Config, diffLines(old, config))
	return nil
}

func readExisting(path string) ([]byte, error) {
	data, err := mcpfile.Read(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, exit{exitBroken, err.Error()}
	}
	return data, nil
}

// diffLines lists the removed (-) and the added (+) lines. Secrets in them are masked: the old
// file is the user's own.
func diffLines(old, config []byte) string {
	a, b := strings.Split(strings.TrimSpace(string(old)), "\n"), strings.Split(strings.TrimSpace(string(config)), "\n")
	// Both ends are usually equal, and the part in between is small.
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out strings.Builder
	for _, l := range a[head : len(a)-tail] {
		out.WriteString("- " + l + "\n")
	}
	for _, l := range b[head : len(b)-tail] {
		out.WriteString("+ " + l + "\n")
	}
	masked, _ := redact.Default().Redact(out.String())
	return masked
}
