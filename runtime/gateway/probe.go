package gateway

import (
	"context"
	"math"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// LoadCached loads the lists stored by earlier runs, and returns all tools known then. It starts nothing.
func (g *Gateway) LoadCached(ctx context.Context) *catalog.UpstreamTools {
	g.takeUp(ctx)
	return g.catalog.Load().Tools
}

// takeUp does the same as LoadCached and returns the servers whose lists it loaded.
func (g *Gateway) takeUp(ctx context.Context) []*serverEntry {
	var recalled []*serverEntry
	for _, e := range g.all() {
		if l, _ := e.known(); l == nil && g.recall(ctx, e) {
			recalled = append(recalled, e)
		}
	}
	if len(recalled) > 0 {
		g.rebuild()
	}
	return recalled
}

// Probe asks the named servers, or all, for their tools, whatever is known of them, and returns the time that each
// successful one took.
func (g *Gateway) Probe(ctx context.Context, names []string, progress func(done, total int, name string)) map[string]time.Duration {
	var list []*serverEntry
	for _, e := range g.all() {
		if len(names) == 0 || slices.Contains(names, e.config().Name) {
			list = append(list, e)
		}
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	took := map[string]time.Duration{}
	done := 0
	for _, e := range list {
		wg.Go(func() {
			name := e.config().Name
			start := time.Now()
			_, err := g.fetchListing(ctx, e)
			mu.Lock()
			defer mu.Unlock()
			done++
			if err == nil {
				took[name] = min(time.Since(start), e.sinceStart())
			}
			progress(done, len(list), name)
		})
	}
	wg.Wait()
	return took
}

// sinceStart returns the time since the server's last start began.
func (e *serverEntry) sinceStart() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.up == nil {
		return math.MaxInt64
	}
	return time.Since(e.up.Began())
}

// Reached describes how a server is reached, briefly and without secrets: its program with the first arguments, or its
// host.
func Reached(s config.Server) string {
	if s.Command == "" {
		u, err := url.Parse(s.URL)
		if err != nil || u.Host == "" {
			return "an address"
		}
		return u.Scheme + "://" + u.Host
	}
	parts := []string{filepath.Base(s.Command)}
	before := ""
	for _, a := range s.Args {
		shown := withoutSecret(before, a)
		before = a
		if len(parts) == 3 || len(shown) > 60 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, shown)
	}
	return strings.Join(parts, " ")
}

// commandLine returns a program's command line as a user may type it, without secrets and with variables unexpanded, or
// "" for a server that is not a program.
func commandLine(s config.Server) string {
	if s.Command == "" {
		return ""
	}
	line, before := quotedWord(s.Command), ""
	for _, a := range s.Args {
		line += " " + quotedWord(withoutSecret(before, a))
		before = a
	}
	return line
}

// quotedWord returns a word of a command line, quoted if necessary.
func quotedWord(word string) string {
	if word == "" || strings.ContainsAny(word, " \t\n'\"&;|<>()*?`\\") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// written matches a header passed as a program's argument.
var written = lazyregexp.New(`^([A-Za-z][A-Za-z0-9-]*): *[^/ ]`)

// ShownArgs returns a program's arguments in a form that may be shown: values of options that hold secrets, and
// credentials in URLs and headers, are left out.
func ShownArgs(args []string) []string {
	out := make([]string, len(args))
	before := ""
	for i, a := range args {
		out[i] = withoutSecret(before, a)
		before = a
	}
	return out
}

// withoutSecret returns an argument in a form that may be shown.
func withoutSecret(before, arg string) string {
	name, value, set := strings.Cut(arg, "=")
	option, _ := optionOf(before, arg)
	u, err := url.Parse(arg)
	header := written.FindStringSubmatch(arg)
	switch {
	case set && (optionName.MatchString(name) || isSecret(name, value)):
		return name + "=…"
	case option != "", strings.HasPrefix(before, "-") && isSecret(before, arg):
		return "…"
	case err == nil && u.User != nil:
		return u.Scheme + "://…@" + u.Host
	case header != nil && secretName.MatchString(header[1]):
		return header[1] + ": …"
	}
	return arg
}
