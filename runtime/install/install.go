// Package install adds compactor to the configuration of chat clients: it
// knows where each keeps its MCP servers, what an entry looks like, and how to
// change such a file without losing what else is in it.
package install

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Client is a program that starts MCP servers.
type Client struct {
	Name  string // as on the command line
	Title string
	key   string // member of the file that holds the servers
	typed bool   // entries carry "type": "stdio"
	path  func(home string) string
}

// Clients lists those that are known.
func Clients() []Client {
	return []Client{
		{Name: "lmstudio", Title: "LM Studio", key: "mcpServers", path: lmStudioPath},
		{Name: "claude", Title: "Claude Desktop", key: "mcpServers", path: claudePath},
		{Name: "cursor", Title: "Cursor", key: "mcpServers", path: func(h string) string { return filepath.Join(h, ".cursor", "mcp.json") }},
		{Name: "vscode", Title: "VS Code", key: "servers", typed: true, path: vscodePath},
	}
}

// Find returns the client of that name.
func Find(name string) (Client, error) {
	var names []string
	for _, c := range Clients() {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Client{}, fmt.Errorf("client %q is not known; there are: %s", name, strings.Join(names, ", "))
}

// lmStudioPath prefers the directory that is there: older versions kept the
// file under ~/.cache.
func lmStudioPath(home string) string {
	now, old := filepath.Join(home, ".lmstudio"), filepath.Join(home, ".cache", "lm-studio")
	if _, err := os.Stat(now); err != nil {
		if _, err := os.Stat(old); err == nil {
			return filepath.Join(old, "mcp.json")
		}
	}
	return filepath.Join(now, "mcp.json")
}

func claudePath(home string) string {
	return filepath.Join(appData(home), "Claude", "claude_desktop_config.json")
}

func vscodePath(home string) string { return filepath.Join(appData(home), "Code", "User", "mcp.json") }

func appData(home string) string {
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Application Support")
	case "windows":
		if dir := os.Getenv("APPDATA"); dir != "" {
			return dir
		}
		return filepath.Join(home, "AppData", "Roaming")
	}
	return filepath.Join(home, ".config")
}

// Path is the client's configuration file below a home directory.
func (c Client) Path(home string) string { return c.path(home) }

// Entry is one server in a client's file.
type Entry struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Timeout int      `json:"timeout,omitempty"`
}

// requestTimeout is what LM Studio is told to wait, in milliseconds. Its own
// default is about 60 s; every reply is out before that, so this is only room
// for a slow disk.
const requestTimeout = 120_000

// EntryFor is the entry that starts this binary on the given roots. Paths are
// absolute: clients start servers in a directory of their own.
func (c Client) EntryFor(binary, config string, roots []string) Entry {
	args := []string{"serve"}
	if config != "" {
		args = append(args, "--config", config)
	}
	for _, r := range roots {
		args = append(args, "--root", r)
	}
	e := Entry{Command: binary, Args: args}
	if c.typed {
		e.Type = "stdio"
	}
	if c.Name == "lmstudio" {
		e.Timeout = requestTimeout
	}
	return e
}

// Deeplink is the link that makes LM Studio offer to add the entry.
func Deeplink(name string, e Entry) (string, error) {
	raw, err := json.Marshal(e)
	if err != nil {
		return "", err
	}
	config := url.QueryEscape(base64.StdEncoding.EncodeToString(raw))
	return "lmstudio://add_mcp?name=" + url.QueryEscape(name) + "&config=" + config, nil
}

// Snippet is the entry as a person would paste it into the file.
func (c Client) Snippet(name string, e Entry) (string, error) {
	raw, err := json.MarshalIndent(map[string]map[string]Entry{c.key: {name: e}}, "", "  ")
	return string(raw), err
}

// Write puts the entry into the client's file and leaves everything else in
// it as it was, byte for byte where it can. The old file is kept beside the
// new one with the ending .bak.
func (c Client) Write(path, name string, e Entry) error {
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	next, err := c.merge(old, name, e)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if bytes.Equal(old, next) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if len(old) > 0 {
		if err := os.WriteFile(path+".bak", old, 0o600); err != nil {
			return err
		}
	}
	return Replace(path, next)
}

// merge changes one member of one object. Members keep their order.
func (c Client) merge(old []byte, name string, e Entry) ([]byte, error) {
	file, err := parseObject(old)
	if err != nil {
		return nil, fmt.Errorf("is not the JSON object that %s writes (%w); mend it, or paste the entry by hand", c.Title, err)
	}
	servers, err := parseObject(file.get(c.key))
	if err != nil {
		return nil, fmt.Errorf("%q is not an object (%w)", c.key, err)
	}
	raw, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	servers.set(name, raw)
	file.set(c.key, servers.json())
	var out bytes.Buffer
	if err := json.Indent(&out, file.json(), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// Replace writes a file that the user alone can read, whole or not at all: a
// power cut leaves the old one or the new. A link stays one, and what it leads to
// is replaced.
func Replace(path string, data []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".compactor-*.tmp") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// object is a JSON object whose members keep their order.
type object struct {
	keys   []string
	values map[string]json.RawMessage
}

func parseObject(raw []byte) (*object, error) {
	o := &object{values: map[string]json.RawMessage{}}
	raw = bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff")))
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return o, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.Join(errors.New("does not begin with {"), err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		o.set(key.(string), v)
	}
	_, err := d.Token()
	return o, err
}

func (o *object) get(key string) json.RawMessage { return o.values[key] }

func (o *object) set(key string, v json.RawMessage) {
	if !slices.Contains(o.keys, key) {
		o.keys = append(o.keys, key)
	}
	o.values[key] = v
}

func (o *object) json() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range o.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(k)
		b.Write(name)
		b.WriteByte(':')
		b.Write(o.values[k])
	}
	b.WriteByte('}')
	return b.Bytes()
}
