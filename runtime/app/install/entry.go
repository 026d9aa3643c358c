package install

import (
	"encoding/base64"
	"encoding/json"
	"net/url"

	"github.com/compactor-mcp/compactor/runtime/gateway/clients"
)

// Entry is a server entry in a client's file.
type Entry struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Timeout int      `json:"timeout,omitempty"`
}

// EntryFor returns the entry that makes a client start this command on the given roots.
// Paths must be absolute: clients start servers in a directory of their own choice.
func EntryFor(c clients.Client, command, config string, roots []string) Entry {
	args := []string{"serve"}
	if config != "" {
		args = append(args, "--config", config)
	}
	for _, r := range roots {
		args = append(args, "--root", r)
	}
	return Entry{Type: c.Type, Command: command, Args: args, Timeout: c.Timeout}
}

// field is one member of an entry.
type field struct {
	name  string
	value any
	gives bool // written only if missing; the user's value stays
}

func (e Entry) fields() []field {
	out := []field{{name: "command", value: e.Command}, {name: "args", value: e.Args}}
	if e.Type != "" {
		out = append([]field{{name: "type", value: e.Type}}, out...)
	}
	if e.Timeout != 0 {
		out = append(out, field{name: "timeout", value: e.Timeout, gives: true})
	}
	return out
}

// Deeplink returns a link that makes a client offer to add the entry, or "" if it
// supports none.
func Deeplink(c clients.Client, name string, e Entry) (string, error) {
	if c.Link == "" {
		return "", nil
	}
	raw, err := json.Marshal(e)
	if err != nil {
		return "", err
	}
	config := url.QueryEscape(base64.StdEncoding.EncodeToString(raw))
	return c.Link + "?name=" + url.QueryEscape(name) + "&config=" + config, nil
}

// Snippet returns the entry as a user would paste it into the file.
func Snippet(c clients.Client, name string, e Entry) (string, error) {
	if c.Format == clients.TOML {
		return tomlTable([]string{c.Key, name}, e, "\n"), nil
	}
	raw, err := json.MarshalIndent(map[string]map[string]Entry{c.Key: {name: e}}, "", "  ")
	return string(raw), err
}
