package service

import (
	"maps"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// dependencies checks the settings of dependencies beyond their types.
func (c *checker) dependencies() {
	names := slices.Sorted(maps.Keys(c.cfg.Dependencies))
	for _, name := range names {
		d := c.cfg.Dependencies[name]
		at := func(field ...string) []string { return append([]string{"dependencies", name}, field...) }
		for i, need := range d.Needs {
			if !slices.Contains(names, need) {
				report := c.report("C155", "dependency \""+need+"\" is not defined", "", at("needs", strconv.Itoa(i))...)
				report.Allowed, report.Suggestion = names, diag.Nearest(need, names)
			}
		}
		if circle := c.circleFrom(name); circle != nil {
			c.report("C155", "dependencies need each other: "+strings.Join(circle, " needs "), "take one of them out of needs", at("needs")...)
		}
		if d.Addr != "" && !isHostPort(d.Addr) {
			c.report("C155", strconv.Quote(d.Addr)+" is no address", "write HOST:PORT, such as 127.0.0.1:5432", at("addr")...)
		}
		if u, err := url.Parse(d.Health); d.Health != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil) {
			c.report("C155", strconv.Quote(d.Health)+" is not the address of a page", "write it with http://, such as http://127.0.0.1:8080/health; for what speaks another protocol, set addr", at("health")...)
		}
		c.warnUnneeded(d, at("needs"))
		c.warnCommandLine(d.Program, at("command"))
		c.variablesOf(d.Program, at)
		for i, v := range d.Check {
			c.variable(v, at("check", strconv.Itoa(i))...)
		}
	}
}

// warnUnneeded warns of the address of a dependency in the settings of another that does not wait for it.
func (c *checker) warnUnneeded(d config.Dependency, at []string) {
	texts := strings.Join(slices.Concat(d.Program.Args, d.Check, slices.Collect(maps.Values(d.Program.Env))), "\n")
	for _, name := range slices.Sorted(maps.Keys(c.cfg.Dependencies)) {
		if strings.Contains(texts, "${"+config.AddrVariable(name)+"}") && !slices.Contains(d.Needs, name) {
			c.warn("C155", "uses ${"+config.AddrVariable(name)+"}, which is set only while "+name+" is ready", "add "+strconv.Quote(name)+" to its needs", at...)
		}
	}
}

// circleFrom returns the names of dependencies that need each other, beginning and ending with name, if name is the first
// of them by name; else nil.
func (c *checker) circleFrom(name string) []string {
	seen := map[string]bool{}
	var walk func(path []string) []string
	walk = func(path []string) []string {
		for _, need := range c.cfg.Dependencies[path[len(path)-1]].Needs {
			switch {
			case need == name:
				return append(path, need)
			case seen[need] || need < name:
				continue
			}
			seen[need] = true
			if found := walk(append(slices.Clone(path), need)); found != nil {
				return found
			}
		}
		return nil
	}
	return walk([]string{name})
}

func isHostPort(text string) bool {
	host, port, err := net.SplitHostPort(text)
	n, numErr := strconv.ParseUint(port, 10, 16)
	return err == nil && numErr == nil && n > 0 && host != ""
}

// Provider returns the name of the dependency that provides a variable, or "".
func (s *Snapshot) Provider(variable string) string {
	return config.ProviderOf(s.Plan.Config.Dependencies, variable)
}
