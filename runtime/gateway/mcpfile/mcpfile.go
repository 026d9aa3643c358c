// Package mcpfile reads the MCP server files of other programs (listed by package clients) and writes their servers as
// a compactor configuration.
//
// The files are JSON, with comments and trailing commas if their owners allow them, or TOML. Content that compactor
// cannot keep is never dropped silently: it is returned as a Problem.
package mcpfile

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Server is one server of a file. ${VAR} in Args, Env, URL and Headers refers to an environment variable, regardless of
// the file's own notation.
type Server struct {
	Name          string
	Kind          string // stdio, http, sse; "" if the file does not say
	Command       string
	Args          []string
	Env           map[string]string
	Dir           string
	URL           string
	Headers       map[string]string
	Disabled      bool
	Timeout       time.Duration // of one call; 0 if the file has none
	AllowedTools  []string      // nil: all
	DisabledTools []string
	EnvFile       string // file of KEY=value lines that belong to Env
	Description   string
	Asks          []Ask
}

// Ask is a variable that the other program asks its user for.
type Ask struct{ Variable, Prompt string }

// Problem says what was left out or changed, and why.
type Problem struct {
	Server  string
	Message string
	Skipped bool // the whole server was left out
}

// Source is what is known about the origin of a file. It provides values for variables such as ${workspaceFolder}; all
// fields may be empty.
type Source struct {
	Home      string
	Workspace string // directory that a project's file belongs to
	Getenv    func(string) string
}

// Parse reads a file. Servers are in file order, those of TOML ordered by name. The error is for a file without servers
// or that is not JSON or TOML, with line and column.
func Parse(src Source, data []byte) ([]Server, []Problem, error) {
	clean := cleanJSON
	if looksLikeTOML(data) {
		clean = jsonOfTOML
	}
	text, err := clean(data)
	if err != nil {
		return nil, nil, err
	}
	groups, err := findGroups(text)
	if err != nil {
		return nil, nil, err
	}
	c := collection{src: src, taken: map[string]int{}}
	for _, g := range groups {
		if err := c.addGroup(g); err != nil {
			return nil, nil, err
		}
	}
	return c.servers, c.problems, nil
}

// collection is what has been read so far.
type collection struct {
	src      Source
	servers  []Server
	original []string       // names as in the file, by server
	taken    map[string]int // index of the server by its own name
	problems []Problem
}

func (c *collection) addGroup(g group) error {
	if n := len(c.servers) + len(g.members); n > maxServers {
		return tooMany(g.where, n, "servers", maxServers)
	}
	last := map[string]int{}
	for i, m := range g.members {
		last[m.Name] = i
	}
	for i, m := range g.members {
		if err := check(m); err != nil {
			return err
		}
		if last[m.Name] != i {
			c.problems = append(c.problems, Problem{Server: m.Name, Message: "the file names it twice; the last one counts"})
			continue
		}
		r := entryReader{src: c.src, inputs: g.inputs, vscode: g.vscode}
		s, notes, skip := r.read(m.Value)
		if skip != "" {
			c.problems = append(c.problems, Problem{m.Name, "left out: " + skip, true})
			continue
		}
		c.add(m.Name, g.where, s, notes)
		if err := checkArgs(c.servers[len(c.servers)-1]); err != nil {
			return err
		}
	}
	return nil
}

func (c *collection) add(name, where string, s Server, notes []string) {
	for i, old := range c.original {
		if old != name {
			continue
		}
		s.Name = c.servers[i].Name
		if !reflect.DeepEqual(s, c.servers[i]) {
			c.problems = append(c.problems, Problem{name, "left out: " + where + " has a different server of this name; rename one of them", true})
		}
		return
	}
	s.Name = c.unique(name)
	if s.Name != name {
		notes = append([]string{fmt.Sprintf("was called %q", name)}, notes...)
	}
	c.taken[s.Name] = len(c.servers)
	c.servers = append(c.servers, s)
	c.original = append(c.original, name)
	for _, n := range notes {
		c.problems = append(c.problems, Problem{Server: s.Name, Message: n})
	}
}

var (
	foreignInName = lazyregexp.New(`[^A-Za-z0-9_.-]+`)
	nameLimit     = 64
)

// spelled transliterates letters that names cannot contain.
var spelled = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ß", "ss", "é", "e", "è", "e", "ê", "e", "á", "a",
	"à", "a", "â", "a", "ã", "a", "å", "a", "ç", "c", "í", "i", "î", "i", "ñ", "n", "ó", "o", "ô", "o", "õ", "o", "ø", "o", "ú", "u", "û", "u", "æ", "ae")

// unique returns a name that a configuration may use and that is not taken.
func (c *collection) unique(name string) string {
	clean := strings.TrimLeft(foreignInName.ReplaceAllString(spelled.Replace(name), "-"), "_.-")
	clean = strings.TrimRight(clean[:min(len(clean), nameLimit)], "-")
	if clean == "" {
		clean = "server"
	}
	unique := clean
	for n := 2; ; n++ {
		if _, ok := c.taken[unique]; !ok {
			return unique
		}
		end := fmt.Sprintf("-%d", n)
		unique = clean[:min(len(clean), nameLimit-len(end))] + end
	}
}
