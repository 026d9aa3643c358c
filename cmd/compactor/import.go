package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/config/bounded"
	"github.com/compactor-mcp/compactor/runtime/gateway/mcpfile"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

type importing struct {
	a             *app
	dryRun, force bool
	format        string
	name          string // program that the file belongs to; "" if unknown
	servers       []mcpfile.Server
	problems      []mcpfile.Problem
	report        importReport
	text          []byte // of the servers, as CUE
}

// importReport is what --format json prints. It never holds a secret.
type importReport struct {
	From      string           `json:"from"`
	Servers   []importedServer `json:"servers"`
	LeftOut   []importedServer `json:"left_out,omitempty"`
	Config    string           `json:"config"`
	Secrets   string           `json:"secrets,omitempty"`
	Variables []string         `json:"variables,omitempty"` // written to secrets.env
	Missing   []string         `json:"missing,omitempty"`   // to be filled in there
	Written   bool             `json:"written"`
	Problems  diag.List        `json:"problems,omitempty"` // of the configuration as it is now
}

type importedServer struct {
	Name      string   `json:"name"`
	Transport string   `json:"transport,omitempty"`
	Target    string   `json:"target,omitempty"` // program or host
	Known     bool     `json:"known,omitempty"`  // the configuration has it already
	Notes     []string `json:"notes,omitempty"`
}

// addNote adds a note to a server of the report.
func (r *importReport) addNote(name, text string) {
	if n := slices.IndexFunc(r.Servers, func(s importedServer) bool { return s.Name == name }); n >= 0 {
		r.Servers[n].Notes = append(r.Servers[n].Notes, text)
	}
}

func (a *app) importServers() *cobra.Command {
	i := importing{a: a}
	cmd := &cobra.Command{
		Use:     "import [FILE]",
		GroupID: "config",
		Short:   "Take over MCP servers from another program's file",
		Long: `Write the MCP servers of another program's file as servers.cue into your own
configuration, or the one that --config names, and their secrets as secrets.env
beside it, readable by you alone.
FILE is a path, - for standard input, or a program: ` + strings.Join(mcpfile.Names(), ", ") + `.
Without it the files on this machine are listed. The other program's file is
never changed.

Servers of a further file are added at the end of servers.cue; what you have
edited there stays. Servers that are declared already are skipped, and named.

Exit code 0: all that is new was taken over. 1: nothing could be, or the
configuration has mistakes.`,
		Example: `  compactor import
  compactor import lmstudio --dry-run
  compactor import lmstudio && compactor import claude
  compactor import ~/.cursor/mcp.json`,
		Args:              requireArgs(0, 1, ""),
		ValidArgsFunction: firstOnly(mcpfile.Names(), cobra.ShellCompDirectiveDefault), // or a file
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return i.listFiles()
			}
			return i.importFrom(cmd.Context(), args[0])
		},
	}
	cmd.Flags().BoolVar(&i.dryRun, "dry-run", false, "show what would be written and write nothing")
	cmd.Flags().BoolVar(&i.force, "force", false, "rewrite servers.cue with these servers alone; the old one stays beside it as .bak")
	formatFlag(cmd, &i.format, "text", "json")
	return cmd
}

// findFiles lists the files of other programs.
func (i *importing) findFiles() []mcpfile.Found {
	home, _ := os.UserHomeDir()
	work, _ := os.Getwd()
	return mcpfile.Find(home, work, os.Getenv, runtime.GOOS)
}

func (i *importing) listFiles() error {
	files := i.findFiles()
	if i.format == "json" {
		if files == nil {
			files = []mcpfile.Found{}
		}
		return json.NewEncoder(i.a.out).Encode(files)
	}
	if len(files) == 0 {
		fmt.Fprintf(i.a.out, "No file with MCP servers was found. Name one: compactor import FILE\n")
		return nil
	}
	var rows [][]string
	for _, f := range files {
		count := fmt.Sprint(f.Servers)
		if f.Problem != "" {
			count = "?"
			f.Path += " (" + f.Problem + ")"
		}
		rows = append(rows, []string{f.Name, f.Program, count, replaceUnprintable(f.Path)})
	}
	if err := screen.Table(i.a.out, []string{"NAME", "PROGRAM", "SERVERS", "FILE"}, rows); err != nil {
		return err
	}
	example := slices.IndexFunc(files, func(f mcpfile.Found) bool { return f.Servers > 0 && !f.Project })
	name := "FILE"
	if example >= 0 {
		name = files[example].Name
	}
	fmt.Fprintf(i.a.out, "\nTake one over by its name or path, such as: compactor import %s\n", name)
	if slices.ContainsFunc(files, func(f mcpfile.Found) bool { return f.Project }) {
		fmt.Fprintln(i.a.out, "What is marked (project) came with this directory: look at it first, and name its path.")
	}
	return nil
}

func (i *importing) importFrom(ctx context.Context, arg string) error {
	path, err := i.chooseFile(arg)
	if err != nil {
		return err
	}
	if err := i.readServers(path); err != nil {
		return err
	}
	opt, err := i.configOptions()
	if err != nil {
		return err
	}
	if err := i.writeFiles(ctx, opt); err != nil {
		return err
	}
	if i.report.Written {
		opt.Unopened, opt.Whole = true, true
		_, i.report.Problems, err = service.Load(ctx, opt)
		if err == nil && opt.Project != "" {
			err = i.allowImported(ctx, opt)
		}
		if err != nil {
			return exit{exitBroken, err.Error()}
		}
	}
	return i.printReport(opt)
}

// allowImported allows what was imported: whoever imports a server wants it to run. A server that
// other files of the project change is not what was imported and stays held.
func (i *importing) allowImported(ctx context.Context, opt service.Options) error {
	_, held, err := service.Judge(ctx, opt)
	if err != nil {
		return err
	}
	alone, err := i.loadAlone(ctx, opt)
	if err != nil {
		return err
	}
	whole, list, err := bounded.Load(ctx, config.Options{Defaults: opt.Defaults, Layers: opt.Layers})
	if err != nil {
		return err
	}
	var paths []string
	broken := unread(list)
	for _, s := range i.servers {
		merged := whole.Servers[s.Name]
		if broken {
			i.report.addNote(s.Name, "not trusted yet, since the configuration cannot be read; mend it, then review it with: "+opt.Command())
			continue
		}
		if merged.Project = false; !reflect.DeepEqual(merged, alone.Servers[s.Name]) {
			i.report.addNote(s.Name, "not trusted yet, since other files of the project change it; review it with: "+opt.Command())
			continue
		}
		paths = append(paths, config.JoinPath("servers", s.Name))
	}
	if held = held.Only(paths...); held == nil {
		return nil
	}
	return consent.Allowed(opt.State).Add(opt.Dir, held)
}

// loadAlone returns a configuration that consists only of what was written now.
func (i *importing) loadAlone(ctx context.Context, opt service.Options) (*config.Config, error) {
	dir, err := os.MkdirTemp("", "compactor-import-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "servers.cue"), i.text, 0o600); err != nil {
		return nil, err
	}
	cfg, _, err := config.Load(ctx, config.Options{Defaults: opt.Defaults, Layers: []config.Layer{{Dir: dir}}})
	return cfg, err
}

// chooseFile finds the file of a program, or takes the argument for a path.
func (i *importing) chooseFile(arg string) (string, error) {
	if arg == "-" || !slices.Contains(mcpfile.Names(), arg) {
		return arg, nil
	}
	if _, err := os.Stat(arg); err == nil {
		return arg, nil
	}
	i.name = arg
	var full, empty, brought []string
	for _, f := range i.findFiles() {
		switch {
		case f.Name != arg:
		case f.Project && f.Servers > 0: // someone else wrote it: it has to be named by its path
			brought = append(brought, f.Path)
		case f.Servers > 0:
			full = append(full, f.Path)
		case f.Problem != "":
			empty = append(empty, f.Path+" cannot be read: "+f.Problem)
		default:
			empty = append(empty, f.Path+" holds no servers")
		}
	}
	switch {
	case len(full) == 1:
		return full[0], nil
	case len(full) > 1:
		return "", exit{exitInvalid, fmt.Sprintf("%s has several files; name one of them:\n  %s", arg, strings.Join(full, "\n  "))}
	case len(brought) > 0:
		return "", exit{exitInvalid, fmt.Sprintf("of %s only a file was found that came with the project: look at it, and name its path: compactor import %s", arg, brought[0])}
	case len(empty) > 0:
		return "", exit{exitInvalid, strings.Join(empty, "\n")}
	}
	return "", exit{exitInvalid, fmt.Sprintf("no file of %s was found; name its path: compactor import FILE", arg)}
}

// noFile says that there is neither a file nor a program of this name.
func noFile(path string) string {
	names := mcpfile.Names()
	if near := diag.Nearest(filepath.Base(path), names); near != "" {
		return "there is no file " + path + "; did you mean " + near + "?"
	}
	return "there is no file " + path + "; name one that is there, or one of " + strings.Join(names, ", ")
}

func (i *importing) readServers(path string) error {
	i.report.From = path
	var data []byte
	var err error
	home, _ := os.UserHomeDir()
	src := mcpfile.Source{Home: home, Getenv: os.Getenv}
	if path == "-" {
		i.report.From = "standard input"
		if data, err = mcpfile.ReadFrom(i.a.in); err != nil {
			err = fmt.Errorf("standard input: %w", err)
		}
	} else {
		if path, err = filepath.Abs(path); err != nil {
			return exit{exitBroken, err.Error()}
		}
		i.report.From = path
		src = mcpfile.SourceOf(path, home, os.Getenv)
		data, err = mcpfile.Read(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return exit{exitInvalid, noFile(path)}
	}
	if err != nil {
		return exit{exitInvalid, err.Error()}
	}
	if i.servers, i.problems, err = mcpfile.Parse(src, data); err != nil {
		return exit{exitInvalid, i.report.From + ":" + spaceMessage(err.Error())}
	}
	for n := range i.servers {
		i.envFile(&i.servers[n], src, path)
	}
	i.fillReport()
	if len(i.servers) == 0 && len(i.problems) == 0 {
		return exit{exitInvalid, i.report.From + " holds no servers"}
	}
	return nil
}

// spaceMessage keeps "file:3:7: message" together and sets other messages apart.
func spaceMessage(message string) string {
	if message[0] >= '0' && message[0] <= '9' {
		return message
	}
	return " " + message
}

// envFile adds the variables in the envFile of a server to its own, which take precedence.
func (i *importing) envFile(s *mcpfile.Server, src mcpfile.Source, from string) {
	if s.EnvFile == "" {
		return
	}
	path := s.EnvFile
	if !filepath.IsAbs(path) {
		path = filepath.Join(src.Workspace, path)
		if src.Workspace == "" {
			path = filepath.Join(filepath.Dir(from), s.EnvFile)
		}
	}
	values, bad, err := mcpfile.ReadEnv(path)
	if err != nil {
		i.problems = append(i.problems, mcpfile.Problem{Server: s.Name, Message: "its envFile was not taken over: " + err.Error()})
		return
	}
	if len(bad) > 0 {
		i.problems = append(i.problems, mcpfile.Problem{Server: s.Name, Message: fmt.Sprintf("its envFile has lines that are no KEY=value: %d", bad)})
	}
	if s.Env == nil {
		s.Env = map[string]string{}
	}
	for k, v := range values {
		if _, ok := s.Env[k]; !ok {
			s.Env[k] = v
		}
	}
	s.EnvFile = ""
}

func (i *importing) fillReport() {
	notes := map[string][]string{}
	for _, p := range i.problems {
		if p.Skipped {
			i.report.LeftOut = append(i.report.LeftOut, importedServer{Name: p.Server, Notes: []string{p.Message}})
			continue
		}
		notes[p.Server] = append(notes[p.Server], p.Message)
	}
	i.report.Servers = []importedServer{}
	for _, s := range i.servers {
		out := importedServer{Name: s.Name, Transport: s.Kind, Target: s.Command, Notes: notes[s.Name]}
		if s.URL != "" {
			out.Target = hostOf(s.URL)
		}
		if s.URL != "" && s.Kind == "" {
			out.Transport = "http or sse"
		}
		if s.Disabled {
			out.Notes = append([]string{"disabled"}, out.Notes...)
		}
		i.report.Servers = append(i.report.Servers, out)
	}
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "an address"
	}
	return u.Host
}

// atHome abbreviates the home directory in a path to ~.
func atHome(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "" {
		return path
	}
	if rel, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok {
		return "~" + string(filepath.Separator) + rel
	}
	return path
}

// replaceUnprintable replaces the unprintable characters in a foreign text, so that it can go to a terminal.
func replaceUnprintable(s string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return '?'
		}
		return c
	}, s)
}

// holdsSecret reports whether a value is a secret by its name or by the rules of the redactor.
func holdsSecret(key, value string) bool {
	if mcpfile.NamesSecret(key, value) {
		return true
	}
	text := value
	if key != "" && key != mcpfile.PathKey {
		text = key + "=" + value
	}
	_, spans := redact.Default().Redact(text)
	return len(spans) > 0
}
