package config

// Profile determines what a client may see and run of upstream servers, and see of collections.
type Profile struct {
	Servers []string // names or globs; nil for all
	// Collections are names or globs; nil for all.
	Collections []string
	ToolRules   []ToolRule
	Surface     string     // "" for the gateway's
	Selection   *Selection // nil for the gateway's
	// Tools overrides names and descriptions of single tools, by server and the server's
	// own name of the tool.
	Tools     map[string]map[string]ProfileTool
	Header    *bool    // whether a client can request it by header; nil if serve was started without a profile
	LearnFrom []string // profiles whose sessions and marks count here too; "" for sessions without one
	Tokens    []string // ${NAME} of access tokens that open it, and nothing else
}

// ProfileTool overrides the server's name and description of one tool.
type ProfileTool struct{ Rename, Description string }

// Client is the configuration for clients with a name.
type Client struct{ Profile string }

func decodeProfile(n *node) Profile {
	p := Profile{Servers: n.get("servers").texts(), Collections: n.get("collections").texts(), Surface: n.get("surface").text(), Selection: decodeSelection(n.get("selection")), Header: n.get("header").writtenBool(),
		LearnFrom: n.get("learn_from").texts(), Tokens: n.get("tokens").texts(), Tools: map[string]map[string]ProfileTool{}}
	if rules := n.get("toolRules"); rules != nil {
		for _, r := range rules.items {
			p.ToolRules = append(p.ToolRules, decodeToolRule(r))
		}
	}
	for _, server := range n.get("tools").fieldsOrNone() {
		p.Tools[server.name] = map[string]ProfileTool{}
		for _, f := range server.value.fieldsOrNone() {
			p.Tools[server.name][f.name] = ProfileTool{Rename: f.value.get("rename").text(), Description: f.value.get("description").text()}
		}
	}
	return p
}
