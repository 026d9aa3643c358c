package web

import (
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/glob"
	"github.com/compactor-mcp/compactor/runtime/base/netscope"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Rules define which pages may be read. nil allows none.
type Rules struct {
	hosts     map[string]host
	names     []string // of hosts, sorted
	maxPage   int64
	timeout   time.Duration
	redirects int
	pages     int
}

type host struct {
	config.WebHost
	paths [][]string // globs, split into segments
}

// Problem describes a mistake in a setting.
type Problem struct {
	Path          []string // below network
	Message, Help string
}

// Compile compiles the rules of a configuration, and returns the mistakes in them.
func Compile(cfg config.Network) (*Rules, []Problem) {
	if !cfg.Open() {
		return nil, nil
	}
	r := &Rules{hosts: map[string]host{}, names: slices.Sorted(maps.Keys(cfg.Hosts)), maxPage: cfg.MaxPage, timeout: cfg.Timeout, redirects: cfg.Redirects, pages: cfg.Pages}
	var wrong []Problem
	for _, name := range r.names {
		h := host{WebHost: cfg.Hosts[name]}
		for i, p := range h.Paths {
			segments, valid := glob.Bytes.Split(strings.TrimPrefix(p, "/"))
			if !valid {
				wrong = append(wrong, Problem{[]string{"hosts", name, "paths", strconv.Itoa(i)}, strconv.Quote(p) + " is not a valid glob", "write a path such as /docs/**, with * for any name and ** for any names"})
			}
			h.paths = append(h.paths, segments)
		}
		if d, known := netscope.Named(name); known && d != netscope.Public && (!h.Private || d == netscope.Reserved) {
			p := Problem{[]string{"hosts", name}, name + " is " + d.String() + ", where nothing is read", "write private: true beside it, if you mean that"}
			if d == netscope.Reserved {
				p.Help = "take it out"
			}
			wrong = append(wrong, p)
		}
		r.hosts[name] = h
	}
	for _, name := range r.names {
		for i, start := range r.hosts[name].Start {
			at := []string{"hosts", name, "start", strconv.Itoa(i)}
			u, err := parseAddress(start)
			if err == nil {
				err = r.checkAddress(u)
			}
			switch {
			case err != nil:
				wrong = append(wrong, Problem{at, err.Error(), "start with an address of this host that may be read"})
			case u.Hostname() != name:
				wrong = append(wrong, Problem{at, "it is an address of " + u.Hostname(), "write it into start of that host"})
			}
		}
	}
	return r, wrong
}

// startAddresses returns the configured start addresses, by host.
func (r *Rules) startAddresses() (out []catalog.WebStart) {
	for _, name := range r.names {
		h := r.hosts[name]
		for _, s := range h.Start {
			if u, err := parseAddress(s); err == nil {
				out = append(out, catalog.WebStart{URL: u.String(), Follow: h.Follow})
			}
		}
	}
	return out
}

// checkAddress returns an error if an address may not be read, judging by its text.
func (r *Rules) checkAddress(u *url.URL) error {
	name := u.Hostname()
	h, known := r.hosts[name]
	switch {
	case !known:
		return refusedError("%s is not a host that network.hosts names, so nothing of it is read; your configuration names %s", cleanText(name), r.hostList())
	case u.Scheme != "https" && !(u.Scheme == "http" && h.HTTP):
		return refusedError("%s is not https; http: true of its host in network.hosts lets pages come in the clear", cleanText(u.String()))
	case !h.allowsPort(u):
		return refusedError("port %s of %s is not open: ports of its host in network.hosts says which are", u.Port(), cleanText(name))
	case !h.allowsPath(u):
		return refusedError("%s is not among the paths of its host that network.hosts opens: %s", cleanText(u.String()), cleanText(strings.Join(h.Paths, ", ")))
	}
	return nil
}

// hostList returns the names of the hosts for a message, shortened if there are many.
func (r *Rules) hostList() string {
	const most = 8
	out := strings.Join(r.names[:min(len(r.names), most)], ", ")
	if more := len(r.names) - most; more > 0 {
		out += fmt.Sprintf(" and %d more", more)
	}
	return out
}

func (h host) allowsPort(u *url.URL) bool {
	if len(h.Ports) == 0 {
		return u.Port() == "" // parse removes the default port
	}
	port := u.Port()
	if port == "" {
		port = usual[u.Scheme]
	}
	n, err := strconv.Atoi(port)
	return err == nil && slices.Contains(h.Ports, n)
}

// allowsPath reports whether the path is allowed. Unless all paths are, it rejects paths that
// a server might interpret in another way than we do.
func (h host) allowsPath(u *url.URL) bool {
	if slices.Contains(h.Paths, "/**") {
		return true
	}
	raw := strings.ToLower(u.EscapedPath())
	for _, sly := range []string{"%2f", "%5c", "%2e", "%25", "%00", ";", "//", `\`} {
		if strings.Contains(raw, sly) {
			return false
		}
	}
	p := strings.Trim(path.Clean(u.Path), "/")
	return slices.ContainsFunc(h.paths, func(segments []string) bool {
		last := len(segments) - 1
		if segments[last] == "**" && glob.Bytes.MatchPath(segments[:last], p) { // the directory itself
			return true
		}
		return glob.Bytes.MatchPath(segments, p)
	})
}

// usual maps schemes to their default ports.
var usual = map[string]string{"https": "443", "http": "80"}

// cleanText sanitizes foreign text for a message.
func cleanText(text string) string { return sanitize.OneLine(text, 200) }
