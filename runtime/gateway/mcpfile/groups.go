package mcpfile

import (
	"errors"
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// group is one set of servers in a file.
type group struct {
	where   string // its name in messages
	members []rawjson.Member
	vscode  bool
	inputs  map[string]input
}

// input is something that VS Code asks its user for.
type input struct {
	prompt, value string // value: the default
	secret        bool
}

// shapes are the places where programs keep servers, each a path of members.
var shapes = []struct {
	path   []string
	vscode bool
}{
	{[]string{"mcpServers"}, false},        // LM Studio, Claude, Cursor, Windsurf, Cline and most others
	{[]string{"servers"}, true},            // VS Code, mcp.json
	{[]string{"mcp", "servers"}, true},     // VS Code, settings.json
	{[]string{"mcp.servers"}, true},        // the same, as a flat key
	{[]string{"context_servers"}, false},   // Zed
	{[]string{"mcp_servers"}, false},       // Codex
	{[]string{"mcp", "mcpServers"}, false}, // seen in wrapped exports
}

var errNoServers = errors.New(`no servers in it: neither "mcpServers" nor "servers", "mcp", "context_servers", "mcp_servers" or servers by name at the top`)

func findGroups(text []byte) ([]group, error) {
	if rawjson.Of(text) != rawjson.Object {
		return nil, errNoServers
	}
	root, err := rawjson.Members(text)
	if err != nil {
		return nil, err
	}
	var groups []group
	for _, s := range shapes {
		g, found, err := groupAt(root, s.path)
		if err != nil {
			return nil, err
		}
		if found {
			g.vscode = s.vscode
			groups = append(groups, g)
		}
	}
	projects, found := projectGroups(root)
	groups = append(groups, projects...)
	if len(groups) > 0 || found {
		return groups, nil
	}
	return bareGroup(root)
}

func groupAt(members []rawjson.Member, path []string) (g group, found bool, err error) {
	value, ok := lastMember(members, path[0])
	if !ok || rawjson.Of(value) == rawjson.Null {
		return g, false, nil
	}
	if len(path) > 1 {
		if rawjson.Of(value) != rawjson.Object {
			return g, false, nil
		}
		inner, err := rawjson.Members(value)
		if err != nil {
			return g, false, err
		}
		return groupAt(inner, path[1:])
	}
	g = group{where: fmt.Sprintf("%q", path[0]), inputs: readInputs(members)}
	switch rawjson.Of(value) {
	case rawjson.Object:
		g.members, err = rawjson.Members(value)
	case rawjson.Array:
		g.members, err = namedMembers(value)
	default:
		err = fmt.Errorf("%q is not an object with the servers by name", path[0])
	}
	return g, true, err
}

// namedMembers reads a list of servers with name members.
func namedMembers(list []byte) ([]rawjson.Member, error) {
	items, err := rawjson.Items(list)
	if err != nil {
		return nil, err
	}
	var out []rawjson.Member
	for i, item := range items {
		name := fmt.Sprintf("server %d", i+1)
		if rawjson.Of(item) == rawjson.Object {
			members, _ := rawjson.Members(item)
			if v, ok := lastMember(members, "name"); ok {
				name, _ = scalarText(v)
			}
		}
		out = append(out, rawjson.Member{Name: name, Value: item})
	}
	return out, nil
}

// projectGroups reads the servers that Claude Code keeps by project.
func projectGroups(root []rawjson.Member) (groups []group, found bool) {
	value, ok := lastMember(root, "projects")
	if !ok || rawjson.Of(value) != rawjson.Object {
		return nil, false
	}
	projects, _ := rawjson.Members(value)
	for _, p := range projects {
		if rawjson.Of(p.Value) != rawjson.Object {
			continue
		}
		members, _ := rawjson.Members(p.Value)
		if g, ok, err := groupAt(members, []string{"mcpServers"}); ok && err == nil {
			g.where = "another project than " + sanitize.Cut(p.Name, 200)
			groups = append(groups, g)
			found = true
		}
	}
	return groups, found
}

// bareGroup reads the top level of the file as servers by name.
func bareGroup(root []rawjson.Member) ([]group, error) {
	if looksLikeServer(root) {
		return nil, errors.New(`the file is one server without a name: write {"NAME": {...}} around it`)
	}
	g := group{where: "the file"}
	for _, m := range root {
		if rawjson.Of(m.Value) != rawjson.Object {
			continue
		}
		if members, _ := rawjson.Members(m.Value); looksLikeServer(members) {
			g.members = append(g.members, m)
		}
	}
	if len(g.members) == 0 {
		return nil, errNoServers
	}
	return []group{g}, nil
}

func looksLikeServer(members []rawjson.Member) bool {
	for _, key := range []string{"command", "url", "serverUrl", "httpUrl"} {
		if v, ok := lastMember(members, key); ok && rawjson.Of(v) == rawjson.String {
			return true
		}
	}
	return false
}

func readInputs(members []rawjson.Member) map[string]input {
	value, _ := lastMember(members, "inputs")
	if rawjson.Of(value) != rawjson.Array {
		return nil
	}
	items, _ := rawjson.Items(value)
	out := map[string]input{}
	for _, item := range items {
		if rawjson.Of(item) != rawjson.Object {
			continue
		}
		fields, _ := rawjson.Members(item)
		text := func(key string) string {
			v, _ := lastMember(fields, key)
			s, _ := scalarText(v)
			return s
		}
		out[text("id")] = input{prompt: text("description"), value: text("default"), secret: text("password") == "true"}
	}
	return out
}

// lastMember returns the last member of that name, like every JavaScript program.
func lastMember(members []rawjson.Member, name string) ([]byte, bool) {
	for i := len(members) - 1; i >= 0; i-- {
		if members[i].Name == name {
			return members[i].Value, true
		}
	}
	return nil, false
}

// scalarText returns a string, number or boolean as text.
func scalarText(value []byte) (string, bool) {
	switch rawjson.Of(value) {
	case rawjson.String:
		s, err := rawjson.Text(value)
		return s, err == nil
	case rawjson.Number, rawjson.Bool:
		return string(value), true
	}
	return "", false
}
