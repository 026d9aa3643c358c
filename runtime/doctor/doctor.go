// Package doctor checks what can go wrong before it does, and says what to do
// about it. It changes nothing.
package doctor

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"compactor/runtime/config"
	"compactor/runtime/diag"
	"compactor/runtime/install"
	"compactor/runtime/service"
)

// Level says how a check ended.
type Level string

// The levels.
const (
	Good Level = "ok"
	Warn Level = "warning"
	Bad  Level = "error"
)

// Check is one thing that was looked at.
type Check struct {
	Subject string `json:"subject"`
	Level   Level  `json:"level"`
	Found   string `json:"found"`
	Do      string `json:"do,omitempty"` // what to do about it
}

// Run makes all checks. Nothing is sent anywhere but a connection attempt to
// declared endpoints on this machine.
func Run(ctx context.Context, opt service.Options) []Check {
	out := []Check{configDir(opt)}
	snap, diags, err := service.Load(ctx, opt)
	out = append(out, configuration(diags, err)...)
	out = append(out, clients()...)
	if snap == nil {
		return out
	}
	defer snap.Close()
	out = append(out, roots(ctx, snap)...)
	out = append(out, models(ctx, snap.Plan.Config)...)
	return append(out, artifacts(snap.Plan.Config))
}

// Healthy reports whether nothing is an error.
func Healthy(checks []Check) bool {
	return !slices.ContainsFunc(checks, func(c Check) bool { return c.Level == Bad })
}

func configDir(opt service.Options) Check {
	if opt.Dir == "" {
		return Check{"configuration", Good, "the built-in one", "write your own with: compactor init"}
	}
	return Check{"configuration", Good, opt.Display, ""}
}

func configuration(list diag.List, err error) []Check {
	if err != nil {
		return []Check{{"configuration", Bad, err.Error(), "mend it, or choose another directory with --config"}}
	}
	errs, warnings := list.Count()
	switch {
	case errs > 0:
		return []Check{{"configuration", Bad, fmt.Sprintf("%d errors; the first: %s", errs, list.Err()), "see all with: compactor validate"}}
	case warnings > 0:
		return []Check{{"configuration", Warn, fmt.Sprintf("%d warnings", warnings), "see them with: compactor validate"}}
	}
	return nil
}

// clients looks for chat clients and whether they know compactor.
func clients() []Check {
	home, err := os.UserHomeDir()
	if err != nil {
		return []Check{{"clients", Warn, "the home directory is not known", "set HOME"}}
	}
	var out []Check
	for _, c := range install.Clients() {
		path := c.Path(home)
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			continue
		}
		data, err := os.ReadFile(path)
		switch {
		case err == nil && strings.Contains(string(data), "compactor"):
			out = append(out, Check{c.Title, Good, "knows compactor (" + path + ")", ""})
		default:
			out = append(out, Check{c.Title, Warn, "is here but does not know compactor", "compactor install " + c.Name})
		}
	}
	if len(out) == 0 {
		out = append(out, Check{"clients", Good, "none of LM Studio, Claude, Cursor, VS Code was found in the home directory", "compactor install lmstudio --print shows the entry for any other"})
	}
	return out
}

func roots(ctx context.Context, snap *service.Snapshot) []Check {
	var out []Check
	for i, r := range snap.Roots.Roots() {
		if i == 0 {
			out = append(out, Check{"sandbox", Good, r.Wall(), ""})
		}
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		files, stats, err := r.Files(ctx, "")
		cancel()
		c := Check{"root " + r.Path(), Good, fmt.Sprintf("%d files; left out: %d ignored, %d denied, %d links", len(files), stats.Ignored, stats.Denied, stats.Links), ""}
		switch {
		case err != nil && len(files) == 0:
			c = Check{c.Subject, Bad, err.Error(), "name another directory in roots, or with --root"}
		case stats.Cut:
			c.Level, c.Do = Warn, "it took more than 5 s to list; name a smaller directory, or ignore build output in .gitignore"
		case len(files) == 0:
			c.Level, c.Do = Warn, "there is nothing to search; is everything ignored?"
		}
		out = append(out, c)
	}
	return out
}

// models tries to connect to each endpoint; it asks nothing of it.
func models(ctx context.Context, cfg *config.Config) []Check {
	var out []Check
	for _, name := range sorted(cfg.Models) {
		m := cfg.Models[name]
		switch {
		case m.Provider == "none" || m.Provider == "":
			out = append(out, Check{"model " + name, Good, nobody(m), ""})
		case m.URL != "":
			out = append(out, endpoint(ctx, name, m.URL))
		}
	}
	return out
}

func nobody(m config.Model) string {
	if m.Sampling {
		return "none: answers come from the builtins, and from the MCP client's model where the client offers it"
	}
	return "none: answers come from the builtins alone"
}

func endpoint(ctx context.Context, name, raw string) Check {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return Check{"model " + name, Bad, "its url is not one: " + raw, "write it like http://localhost:1234/v1"}
	}
	host := u.Host
	if u.Port() == "" {
		host = net.JoinHostPort(u.Hostname(), map[string]string{"https": "443", "http": "80"}[u.Scheme])
	}
	d := net.Dialer{Timeout: time.Second}
	conn, err := d.DialContext(ctx, "tcp", host)
	if err != nil {
		return Check{"model " + name, Warn, "nothing answers at " + host, "start the model server; until then the builtins answer alone"}
	}
	_ = conn.Close()
	return Check{"model " + name, Good, "something listens at " + host, ""}
}

func artifacts(cfg *config.Config) Check {
	if cfg.Artifacts.Dir == "" {
		return Check{"artifacts", Good, "off", "set artifacts: dir to keep handoffs"}
	}
	return Check{"artifacts", Good, cfg.Artifacts.Dir, ""}
}

func sorted(m map[string]config.Model) []string {
	var names []string
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
