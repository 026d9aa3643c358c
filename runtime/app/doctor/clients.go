package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/app/install"
	"github.com/compactor-mcp/compactor/runtime/gateway/clients"
	"github.com/compactor-mcp/compactor/runtime/gateway/process"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// startTime is how long an installed command may take to start, and again to list its
// tools. Clients wait at least as long.
const startTime = 10 * time.Second

// installs checks the entries for compactor in the files of chat clients.
type installs struct {
	place    clients.Place
	work     string
	version  string
	launcher *process.Launcher
	started  map[string]Check // by what was started: many clients start the same command
}

// checkInstalls starts the commands configured in this user's clients, and lists their tools. Entries in a project's
// files are checked but not started, since they may have come with the project.
func checkInstalls(ctx context.Context, work, version string) []Check {
	home, err := os.UserHomeDir()
	if err != nil {
		return []Check{{"clients", Warn, "the home directory is not known", "set HOME"}}
	}
	i := &installs{place: clients.Place{Home: home, GOOS: runtime.GOOS, Getenv: os.Getenv}, work: work, version: version,
		launcher: process.NewLauncher(process.Options{}), started: map[string]Check{}}
	defer i.launcher.Close()
	var out, without []Check
	for _, c := range clients.All() {
		checks := i.ofUser(ctx, c)
		checks = append(checks, i.ofProject(ctx, c)...)
		if len(checks) == 0 && i.place.Has(c) {
			without = append(without, Check{c.Title, Warn, "is here but does not know compactor", "compactor install " + c.Name})
		}
		out = append(out, checks...)
	}
	out = append(out, without...)
	if len(out) == 0 {
		var titles []string
		for _, c := range clients.All() {
			titles = append(titles, c.Title)
		}
		out = append(out, Check{"clients", Good, "none was found in the home directory of: " + strings.Join(titles, ", "), "compactor install lmstudio --print shows the entry for any other"})
	}
	return out
}

func (i *installs) ofUser(ctx context.Context, c clients.Client) (out []Check) {
	for _, path := range i.place.Files(c) {
		entries, err := install.Read(c, path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			out = append(out, Check{c.Title, Bad, err.Error(), "mend it; the client cannot read it either"})
			continue
		}
		for _, e := range entries {
			check := i.checkEntry(ctx, c, e, false)
			check.Subject = entrySubject(c.Title, e)
			check.Found += " (" + path + ")"
			out = append(out, check)
		}
	}
	return out
}

func (i *installs) ofProject(ctx context.Context, c clients.Client) (out []Check) {
	if c.Project == "" || i.work == i.place.Home {
		return nil
	}
	path := filepath.Join(i.work, filepath.FromSlash(c.Project))
	entries, err := install.Read(c, path)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		check := i.checkEntry(ctx, c, e, true)
		check.Subject = entrySubject(c.Title+" (project)", e)
		check.Found += " (" + path + ")"
		out = append(out, check)
	}
	return out
}

func entrySubject(title string, e install.Installed) string {
	if e.Name == "compactor" {
		return title
	}
	return title + ", " + e.Name
}

// checkEntry checks one entry. Entries of a project are not started.
func (i *installs) checkEntry(ctx context.Context, c clients.Client, e install.Installed, project bool) Check {
	again := "compactor install " + c.Name
	if project {
		again += " --project"
	}
	if e.Name != "compactor" {
		again += " --name " + shellWord(e.Name)
	}
	if e.Command == "" && e.URL == "" {
		return Check{Level: Bad, Found: "its entry names neither a command nor a URL", Do: "rewrite it with: " + again}
	}
	if root := goneRoot(e); root != "" {
		return Check{Level: Bad, Found: "its root " + root + " is not there", Do: "name another with: " + again + " --root DIR"}
	}
	for _, root := range e.Roots() {
		again += " --root " + shellWord(root)
	}
	if c := checkStale(ctx, e, again); c != nil {
		return *c
	}
	switch {
	case project:
		return Check{Level: Good, Found: "has an entry whose program and directories are there; it was not started, since it lies in the project"}
	case e.Off:
		return Check{Level: Warn, Found: "has compactor switched off", Do: "switch it on in the client's settings"}
	}
	key := fmt.Sprintf("%q %q %q %q %q", e.Command, e.Args, sorted(e.Env), slices.Sorted(maps.Values(e.Env)), e.URL+e.Dir)
	if _, ok := i.started[key]; !ok {
		i.started[key] = i.startAndList(ctx, e)
	}
	check := i.started[key]
	if check.Level == Bad && e.URL == "" {
		check.Do = "run it by hand to see what it does, or rewrite it with: " + again
	}
	if check.Level == Good && e.Command != "" && install.Lasting(e.Command) != nil {
		check.Level, check.Do = Warn, "its program lies in a place that is cleaned up: put it elsewhere, and then: "+again
	}
	return check
}

// checkStale returns a failed check if the entry's program or configuration is missing, or nil.
func checkStale(ctx context.Context, e install.Installed, again string) *Check {
	if e.Command == "" {
		return nil
	}
	if strings.ContainsAny(e.Command, `/\`) {
		if _, err := os.Stat(e.Command); filepath.IsAbs(e.Command) && err != nil {
			return &Check{Level: Bad, Found: "starts " + e.Command + ", which is not there", Do: "rewrite the entry with: " + again}
		}
	} else if _, err := process.Find(ctx, e.Command, os.Environ()); err != nil {
		return &Check{Level: Bad, Found: "starts " + e.Command + ", which is not found", Do: "rewrite the entry with: " + again}
	}
	if dir := e.Config(); filepath.IsAbs(dir) {
		if _, err := os.Stat(dir); err != nil {
			return &Check{Level: Bad, Found: "its configuration " + dir + " is not there", Do: "rewrite the entry with: " + again}
		}
	}
	return nil
}

func goneRoot(e install.Installed) string {
	for _, root := range e.Roots() {
		if info, err := os.Stat(root); filepath.IsAbs(root) && (err != nil || !info.IsDir()) {
			return root
		}
	}
	return ""
}

// shellWord quotes a word for pasting into a shell: it may come from a file of the project.
func shellWord(word string) string {
	if word != "" && word[0] != '-' && !strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(`/.\_-+:@%`, r)
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(strings.Map(keepPrintable, word), "'", `'\''`) + "'"
}

// keepPrintable drops characters that are not printable, for use with strings.Map; some of them would end a line.
func keepPrintable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return -1
}

// startAndList acts as the client does: it starts the command, by default in a meaningless place (home), and lists the tools.
func (i *installs) startAndList(ctx context.Context, e install.Installed) Check {
	dir := e.Dir
	if dir == "" {
		dir = i.place.Home
	}
	ctx, cancel := context.WithTimeout(ctx, 2*startTime)
	defer cancel()
	spec := upstream.Spec{Name: e.Name, Command: e.Command, Args: e.Args, Env: e.Env, Dir: dir, URL: e.URL, Era: upstream.Handshake, StartTime: startTime, CallTime: startTime}
	server := upstream.New(spec, upstream.Options{Client: upstream.Client{Name: "compactor doctor", Version: i.version}, Start: i.program})
	defer server.Close()
	offer, err := server.Tools(ctx)
	var bad *upstream.Error
	switch {
	case errors.As(err, &bad):
		return Check{Level: Bad, Found: "a client would see no tools: " + strings.TrimPrefix(bad.Message, "cannot be reached: ")}
	case err != nil:
		return Check{Level: Bad, Found: "a client would see no tools: " + err.Error()}
	case len(offer.Tools) == 0:
		return Check{Level: Bad, Found: "a client would see no tools: it starts and has none", Do: "is there a tool left in the configuration? compactor validate"}
	}
	return Check{Level: Good, Found: fmt.Sprintf("starts compactor and sees its %d tools", len(offer.Tools))}
}

func (i *installs) program(ctx context.Context, s upstream.Spec) (upstream.Program, error) {
	return i.launcher.Start(ctx, process.Command{Name: s.Name, Path: s.Command, Args: s.Args, Env: s.Env, Dir: s.Dir})
}
