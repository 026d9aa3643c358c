package config

import (
	"strings"
	"time"
)

// Dependency is a program that runs beside compactor. ${VAR} is not expanded here.
type Dependency struct {
	Program     Server   // what starts it: its name, command, arguments, environment and directory
	Needs       []string // dependencies that must be ready first
	Addr        string   // "" if it announces its address, or has none
	Health      string   // a page that answers with 2xx once it is ready; "" for none
	Check       []string // a program that exits with 0 once it is ready; nil for none
	Start, Stop time.Duration
	MaxRestarts int // in a row
}

// CheckProgram returns what Check runs, like Program, and whether there is one.
func (d Dependency) CheckProgram() (Server, bool) {
	if len(d.Check) == 0 {
		return Server{}, false
	}
	out := d.Program
	out.Command, out.Args = d.Check[0], d.Check[1:]
	return out, true
}

// AddrVariable returns the name of the variable that holds the address of a dependency, HOST:PORT, while it is ready.
func AddrVariable(dependency string) string { return strings.ToUpper(dependency) + "_ADDR" }

// ProviderOf returns the name of the dependency that sets a variable while it is ready, or "".
func ProviderOf(list map[string]Dependency, variable string) string {
	for name := range list {
		if AddrVariable(name) == variable {
			return name
		}
	}
	return ""
}

func decodeDependencies(c *Config, t *node, project side) {
	c.Dependencies = map[string]Dependency{}
	for _, f := range t.get("dependencies").fieldsOrNone() {
		n := f.value
		c.Dependencies[f.name] = Dependency{
			Program: Server{Name: f.name, Command: n.get("command").text(), Args: n.get("args").texts(), Env: n.get("env").textMap(), Dir: n.get("dir").text(),
				Enabled: true, Prefix: f.name, Project: project != 0 && n.side == project},
			Needs: n.get("needs").texts(), Addr: n.get("addr").text(), Health: n.get("health").text(), Check: n.get("check").texts(),
			Start: n.get("start").duration(), Stop: n.get("stop").duration(), MaxRestarts: n.get("max_restarts").number()}
	}
}
