package install

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/gateway/clients"
)

// Installed is an entry for compactor as a client reads it.
type Installed struct {
	Name    string
	Command string
	Args    []string
	Env     map[string]string
	Dir     string
	URL     string // of a running server that the client connects to
	Off     bool   // disabled: the client does not start it
}

// Read lists the entries for compactor in a client's file: those with that name, and
// those that start a program with that name.
func Read(c clients.Client, path string) ([]Installed, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", path)
	}
	if info.Size() > maxFile || c.Format == clients.TOML && info.Size() > maxTOML {
		return nil, fmt.Errorf("%s is too large", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	doc, err := fileOf(c).decode(bytes.TrimPrefix(text, bom))
	if err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	servers, _ := doc[c.Key].(map[string]any)
	var out []Installed
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		entry, _ := servers[name].(map[string]any)
		if i := parseInstalled(name, entry); i.Name == "compactor" || isSelf(i.Command) {
			out = append(out, i)
		}
	}
	return out, nil
}

func parseInstalled(name string, entry map[string]any) Installed {
	out := Installed{Name: name, Command: asString(entry["command"]), Dir: asString(entry["cwd"]), Off: entry["disabled"] == true || entry["enabled"] == false,
		URL: cmp.Or(asString(entry["url"]), asString(entry["httpUrl"]), asString(entry["serverUrl"]))}
	args, _ := entry["args"].([]any)
	for _, a := range args {
		out.Args = append(out.Args, asString(a))
	}
	env, _ := entry["env"].(map[string]any)
	for k, v := range env {
		if out.Env == nil {
			out.Env = map[string]string{}
		}
		out.Env[k] = asString(v)
	}
	return out
}

func asString(v any) string {
	s, _ := v.(string)
	return s
}

// Roots returns the directories that the entry names for searching.
func (i Installed) Roots() []string { return i.values("--root") }

// Config returns the configuration directory that the entry names, or "".
func (i Installed) Config() string {
	list := i.values("--config")
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

func (i Installed) values(flag string) (out []string) {
	for n, a := range i.Args {
		if value, ok := strings.CutPrefix(a, flag+"="); ok {
			out = append(out, value)
		} else if a == flag && n+1 < len(i.Args) {
			out = append(out, i.Args[n+1])
		}
	}
	return out
}

// isSelf reports whether a command is compactor, judging by its file name.
func isSelf(command string) bool {
	name := strings.ToLower(filepath.Base(strings.ReplaceAll(command, `\`, "/")))
	return strings.TrimSuffix(name, ".exe") == "compactor"
}
