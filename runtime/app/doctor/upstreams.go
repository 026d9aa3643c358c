package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/gateway/mcpfile"
	"github.com/compactor-mcp/compactor/runtime/gateway/oauth"
	"github.com/compactor-mcp/compactor/runtime/gateway/process"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// answerTime is the timeout for connecting to an address.
const answerTime = 3 * time.Second

// checkUpstreams checks the configured servers without starting one.
func checkUpstreams(ctx context.Context, snap *service.Snapshot, opt service.Options) []Check {
	cfg := snap.Plan.Config
	var out []Check
	programs := false
	for _, name := range sorted(cfg.Servers) {
		s := cfg.Servers[name]
		if !s.Enabled {
			continue
		}
		programs = programs || s.Command != ""
		c := Check{Level: Warn, Found: "not started: declared by a project configuration you have not allowed", Do: "review and allow it with: " + opt.Command()}
		if !snap.Held().Holds("servers", name) {
			c = checkServer(ctx, s, snap, opt)
		}
		c.Subject = "server " + name
		out = append(out, c)
	}
	if programs && runtime.GOOS != "windows" {
		out = append(out, checkGuard(ctx))
	}
	stored, sound := checkStorage(ctx, snap, len(cfg.Servers) > 0)
	out = append(out, stored...)
	if sound && len(out) > len(stored) {
		out = append(out, checkPending(ctx, snap)...)
	}
	return append(out, findElsewhere(cfg, opt)...)
}

// checkServer checks whether a server can be reached, as far as this is visible from outside.
func checkServer(ctx context.Context, s config.Server, snap *service.Snapshot, opt service.Options) Check {
	var missing []string
	expand := func(text string) string {
		return variable.ReplaceAllStringFunc(text, func(m string) string {
			parts := variable.FindStringSubmatch(m)
			value, ok := opt.Variable(s, parts[1])
			if !ok && parts[2] == "" && !slices.Contains(missing, parts[1]) {
				missing = append(missing, parts[1])
			}
			return value
		})
	}
	address := expand(s.URL)
	for _, text := range slices.Concat(s.Args, sortedValues(s.Env), sortedValues(s.Headers)) {
		expand(text)
	}
	if len(missing) > 0 && snap.Provider(missing[0]) != "" {
		return Check{Level: Warn, Found: missing[0] + " not set: dependency " + snap.Provider(missing[0]) + " does not run", Do: "start it in another terminal with: compactor supervise"}
	}
	if len(missing) > 0 {
		return Check{Level: Bad, Found: strings.Join(missing, ", ") + " not set", Do: "set it in " + service.SecretsFile + " beside the configuration, as KEY=value, or in the environment"}
	}
	if s.Command != "" {
		return checkProgram(ctx, s)
	}
	c := checkAddress(ctx, address)
	if c.Level == Good && gateway.NoLogin(s) == "" {
		headers := map[string]string{}
		for name, value := range s.Headers {
			headers[name] = expand(value)
		}
		return checkLogin(ctx, c, opt, oauth.Server{Name: s.Name, URL: address, Headers: headers, ClientID: expand(s.OAuth.ClientID), Issuer: expand(s.OAuth.Issuer)})
	}
	return c
}

// checkLogin adds to the check of a reachable server whether the user has logged in or has to.
func checkLogin(ctx context.Context, c Check, opt service.Options, of oauth.Server) Check {
	var state oauth.State
	if logins := service.Logins(opt.State); logins != nil {
		state = logins.State(of)
	}
	line := state.Line(time.Now())
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	switch {
	case line == "" && of.Wants(ctx):
		line = "login needed: it refuses who has not logged in"
	case line == "":
		return c
	}
	c.Found += "; " + line
	if strings.HasPrefix(line, "login needed") {
		c.Level, c.Do = Warn, "log in with: "+of.Command()
	}
	return c
}

var variable = lazyregexp.New(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}`)

func sortedValues(m map[string]string) []string {
	var out []string
	for _, k := range sorted(m) {
		out = append(out, m[k])
	}
	return out
}

func checkProgram(ctx context.Context, s config.Server) Check {
	if strings.ContainsAny(s.Command, `/\`) { // a path: starting it shows what is wrong
		if filepath.IsAbs(s.Command) {
			if _, err := os.Stat(s.Command); err != nil {
				return Check{Level: Bad, Found: s.Command + " is not there", Do: "install it, or mend command"}
			}
		}
		return Check{Level: Good, Found: s.Command, Do: ""}
	}
	path, err := process.Find(ctx, s.Command, os.Environ())
	if err != nil {
		found, do, _ := strings.Cut(err.Error(), "; ")
		do, _, _ = strings.Cut(do, "; it was looked for")
		return Check{Level: Bad, Found: found, Do: do}
	}
	return Check{Level: Good, Found: path}
}

func checkAddress(ctx context.Context, address string) Check {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return Check{Level: Bad, Found: "its url is not an address", Do: "write it with http:// or https://"}
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80"}[u.Scheme]
	}
	if port == "" {
		port = "443"
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return Check{Level: Warn, Found: u.Host + " takes no connection", Do: "is the server running, its url right, and is there a network?"}
	}
	_ = conn.Close()
	return Check{Level: Good, Found: u.Host + " takes connections"}
}

// checkGuard checks that the program that ends servers when compactor is killed can start;
// it ends at once.
func checkGuard(ctx context.Context) Check {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	self, err := os.Executable()
	if err == nil {
		cmd := exec.CommandContext(ctx, self, "guard")
		cmd.Stdin, cmd.Env = strings.NewReader("done\n"), []string{"GOMAXPROCS=1"}
		err = cmd.Run()
	}
	if err != nil {
		return Check{"guard", Bad, "the guard of started servers does not run: " + err.Error(), "without it servers may stay when compactor is killed; is " + self + " still there and executable?"}
	}
	return Check{"guard", Good, "ends started servers when compactor is killed", ""}
}

// checkStorage opens the store if it exists. sound reports whether it could be opened.
func checkStorage(ctx context.Context, snap *service.Snapshot, needed bool) (out []Check, sound bool) {
	at, unset := snap.StoreAt()
	if unset != nil {
		found, do, _ := strings.Cut(unset.Error(), "; ")
		return []Check{{"store", Bad, found, do}}, false
	}
	if store.OnServer(at) {
		return onServer(ctx, at)
	}
	file := store.Shown(at)
	if store.Full(at) {
		out = append(out, Check{"store", Bad, file + ": the disk is full: approvals, sessions and the use of tools are not kept", "free some space, or have store.url name a file on another disk"})
	}
	out = append(out, checkBeside(ctx, snap.Plan.Config, at)...)
	_, err := os.Stat(file)
	switch {
	case at == "" && needed:
		return []Check{{"store", Warn, "off: approvals and lists of tools are forgotten at the end of each run", "store: url names a file; leave it out for one in your state directory"}}, false
	case at == "", !needed && err != nil:
		return out, false
	case errors.Is(err, fs.ErrNotExist):
		if err := store.Place(at); err != nil {
			return []Check{{"store", Bad, err.Error(), "until then no tool is trusted"}}, false
		}
		return append(out, Check{"store", Good, file + " (made when first needed)", ""}), false
	}
	s, err := store.Open(ctx, at)
	if err != nil {
		c := Check{"store", Bad, err.Error(), ""}
		if errors.Is(err, store.ErrDamaged) {
			c.Do = "compactor doctor --renew-store moves it away and begins a new one; tools are to be approved again"
		}
		return append(out, c), false
	}
	_ = s.Close()
	return append(out, Check{"store", Good, file, ""}), true
}

// checkBeside opens the files next to the store that are in use, and returns failed checks.
func checkBeside(ctx context.Context, cfg *config.Config, at string) (out []Check) {
	for _, f := range []struct {
		path, keeps string
		off         bool
	}{
		{store.UsagePath(at), "the use of tools is", cfg.Usage.Off},
		{store.TimelinePath(at), "sessions of the dashboard are", cfg.Timeline.Off},
	} {
		if f.off || f.path == "" || !store.Exists(f.path) {
			continue
		}
		s, err := store.Open(ctx, f.path)
		if err == nil {
			err = s.Close()
		}
		if known := (*store.Error)(nil); errors.As(err, &known) {
			out = append(out, Check{"store", Bad, f.path + ": " + known.What() + ": " + f.keeps + " not kept", known.Remedy()})
		} else if err != nil {
			out = append(out, Check{"store", Bad, f.path + ": " + err.Error(), ""})
		}
	}
	return out
}

// onServer checks a store on a database server.
func onServer(ctx context.Context, at string) ([]Check, bool) {
	s, err := store.Open(ctx, at)
	if err != nil {
		found, do := err.Error(), ""
		if i := strings.LastIndex(found, "); "); i > 0 {
			found, do = found[:i+1], found[i+len("); "):]
		}
		return []Check{{"store", Bad, found, do}}, false
	}
	_ = s.Close()
	c := Check{"store", Good, store.Shown(at), ""}
	if doubt := store.Doubt(at); doubt != "" {
		c = Check{"store", Warn, c.Found + ": " + doubt, "leave sslmode out of store.url, or write sslmode=verify-full"}
	}
	return []Check{c}, true
}

// checkPending counts the tools seen in earlier runs that await a user's decision.
func checkPending(ctx context.Context, snap *service.Snapshot) []Check {
	svc := service.New(snap)
	defer svc.Close()
	svc.Gateway().LoadCached(ctx)
	out := listRepaired(svc.Gateway())
	n := 0
	for _, count := range svc.Gateway().Undecided() {
		n += count
	}
	if n == 0 {
		return out
	}
	return append(out, Check{"tools", Warn, fmt.Sprintf("%d set aside: new, or changed since they were trusted", n), "see what they say and trust them with: compactor tools approve"})
}

// maxRepaired limits how many tools with repaired definitions are named.
const maxRepaired = 5

// listRepaired names the tools whose definitions clients see in repaired form.
func listRepaired(g *gateway.Gateway) (out []Check) {
	all := gateway.Repairs(g)
	for _, r := range all[:min(len(all), maxRepaired)] {
		found := r.Whats[0]
		if more := len(r.Whats) - 1; more > 0 {
			found += fmt.Sprintf(" (and %d more)", more)
		}
		out = append(out, Check{"tool " + sanitize.Brief(r.Tool, 60) + " of " + r.Server, Warn, "its definition was repaired for strict clients: " + found,
			"it works; its server's author can mend it"})
	}
	if more := len(all) - maxRepaired; more > 0 {
		out = append(out, Check{"tools", Warn, fmt.Sprintf("%d more whose definitions were repaired", more), "see the flags in: compactor tools show NAME"})
	}
	return out
}

// findElsewhere looks for servers in the files of chat clients: those that could move
// behind compactor, and those that are configured in both places.
func findElsewhere(cfg *config.Config, opt service.Options) []Check {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	var out []Check
	for _, f := range mcpfile.Find(home, opt.Work, os.Getenv, runtime.GOOS) {
		data, err := mcpfile.Read(f.Path)
		if err != nil || f.Problem != "" {
			out = append(out, Check{f.Program, Warn, f.Path + " cannot be read: " + f.Problem, "mend it; the chat client cannot read it either"})
			continue
		}
		servers, _, _ := mcpfile.Parse(mcpfile.SourceOf(f.Path, home, os.Getenv), data)
		var fresh, twice []string
		for _, s := range servers {
			if own, ok := cfg.Servers[s.Name]; !ok && s.Name == "compactor" { // our own entry, whatever it starts
				continue
			} else if !ok {
				fresh = append(fresh, s.Name)
			} else if own.Enabled && !s.Disabled && strings.Contains(string(data), "compactor") {
				twice = append(twice, s.Name)
			}
		}
		if len(twice) > 0 {
			out = append(out, Check{f.Program, Warn, "has itself what is behind compactor: " + strings.Join(twice, ", "), "take them out of " + f.Path + ", so that the model does not see their tools twice"})
		}
		if len(fresh) > 0 {
			out = append(out, Check{f.Program, Good, "has MCP servers that compactor does not: " + strings.Join(fresh, ", "), "put them behind it with: compactor import " + f.Name})
		}
	}
	return out
}
