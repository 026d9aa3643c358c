package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"compactor/runtime/gateway/mcpfile"
	"compactor/runtime/redact"
	"compactor/runtime/service"
)

// directory is where the configuration is read from, or the user's own where
// there is none yet: a chat client starts compactor in a directory of its
// choice.
func (i *importing) directory() (service.Options, error) {
	opt, err := i.a.options()
	if err != nil || opt.Dir != "" {
		return opt, err
	}
	user, err := os.UserConfigDir()
	if err != nil {
		return opt, exit{exitBroken, "there is no user configuration directory: name one with --config"}
	}
	opt.Dir = filepath.Join(user, "compactor")
	opt.Display = shown(opt.Work, opt.Dir)
	return opt, nil
}

// write puts both files into place, the secrets first: servers that name
// variables which are not there yet would be worse than the reverse.
func (i *importing) write(dir string) error {
	r := &i.report
	r.Config, r.Secrets = filepath.Join(dir, "servers.cue"), filepath.Join(dir, "secrets.env")
	oldSecrets, err := existing(r.Secrets)
	if err != nil {
		return err
	}
	old, err := existing(r.Config)
	if err != nil {
		return err
	}
	taken, _ := mcpfile.EnvLines(oldSecrets)
	config, secrets := mcpfile.CUE(i.servers, mcpfile.Options{From: atHome(r.From), Secret: holdsSecret, Taken: taken, CommentRules: hasRules(dir)})
	for _, name := range slices.Sorted(maps.Keys(secrets)) {
		switch _, known := taken[name]; {
		case known:
		case secrets[name] == "" && os.Getenv(name) != "": // the environment has it
			delete(secrets, name)
		case secrets[name] == "":
			r.Missing = append(r.Missing, name)
		default:
			r.Variables = append(r.Variables, name)
		}
	}
	switch {
	case i.dryRun || len(i.servers) == 0:
		return i.preview(old, config)
	case old != nil && !bytes.Equal(old, config) && !i.force:
		return i.refuse(old, config)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return exit{exitBroken, err.Error()}
	}
	if next := mcpfile.AppendEnv(oldSecrets, secrets, i.prompts()); len(next) > 0 {
		err = replaceFile(r.Secrets, next)
	}
	if err == nil && old != nil && !bytes.Equal(old, config) {
		err = replaceFile(r.Config+".bak", old)
	}
	if err == nil {
		err = replaceFile(r.Config, config)
	}
	if err != nil {
		return exit{exitBroken, err.Error()}
	}
	r.Written = true
	return nil
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
	if i.format == "json" || len(i.servers) == 0 {
		return nil
	}
	fmt.Fprintf(i.a.out, "Nothing is written. %s would hold:\n\n", i.report.Config)
	if old == nil {
		fmt.Fprintf(i.a.out, "%s\n", config)
		return nil
	}
	fmt.Fprintln(i.a.out, changes(old, config))
	return nil
}

// refuse names what would change, and how to do it all the same.
func (i *importing) refuse(old, config []byte) error {
	if i.format == "text" {
		fmt.Fprintln(i.a.out, changes(old, config))
	}
	return exit{exitInvalid, fmt.Sprintf("%s is there already; nothing was written. --force replaces it and keeps the old one as servers.cue.bak", i.report.Config)}
}

func existing(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, exit{exitBroken, err.Error()}
	}
	return data, nil
}

var rulesField = regexp.MustCompile(`(?m)^\s*toolRules\s*:`)

// hasRules tells whether another file of the configuration lists toolRules:
// two lists in one configuration disagree.
func hasRules(dir string) bool {
	found := false
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".cue" || path == filepath.Join(dir, "servers.cue") {
			return nil
		}
		if text, err := os.ReadFile(path); err == nil && rulesField.Match(text) {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// replaceFile writes a file that the user alone can read, whole or not at all.
// A link stays one.
func replaceFile(path string, data []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".import-*.tmp") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// changes lists the lines that go (-) and come (+). Secrets in them are
// masked: the old file is the user's own.
func changes(old, config []byte) string {
	a, b := strings.Split(strings.TrimSpace(string(old)), "\n"), strings.Split(strings.TrimSpace(string(config)), "\n")
	// Lines at both ends are the same as a rule; what lies between is small.
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
