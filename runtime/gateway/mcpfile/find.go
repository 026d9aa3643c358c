package mcpfile

import (
	"os"
	"path/filepath"
	"strings"
)

// Found is a file of another program.
type Found struct {
	Path    string `json:"path"`
	Program string `json:"program"` // as a person calls it
	Name    string `json:"name"`    // as on the command line
	Servers int    `json:"servers"`
	Problem string `json:"problem,omitempty"` // why it cannot be read; "" when it can
	Project bool   `json:"project,omitempty"` // lies in the working directory, and came with it
}

// maxFile bounds what is read of a file: Claude Code's holds its history too.
const maxFile = 64 << 20

type location struct{ name, program, path string }

// Find lists the files of other programs that are there, below a home
// directory and for the project in work.
func Find(home, work string, getenv func(string) string, goos string) []Found {
	var out []Found
	for _, l := range locations(home, work, getenv, goos) {
		data, err := Read(l.path)
		if os.IsNotExist(err) {
			continue
		}
		f := Found{Path: l.path, Program: l.program, Name: l.name, Project: strings.HasSuffix(l.program, ofProject)}
		if err != nil {
			f.Problem = err.Error()
			out = append(out, f)
			continue
		}
		servers, _, err := Parse(SourceOf(l.path, home, getenv), data)
		switch {
		case err == nil:
			f.Servers = len(servers)
		case err != errNoServers:
			f.Problem = err.Error()
		}
		out = append(out, f)
	}
	return out
}

// Read returns a file of reasonable size.
func Read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "read", Path: path, Err: errNoFile}
	}
	if info.Size() > maxFile {
		return nil, &os.PathError{Op: "read", Path: path, Err: errTooLarge}
	}
	return os.ReadFile(path)
}

type fileError string

func (e fileError) Error() string { return string(e) }

const (
	errTooLarge = fileError("the file is larger than 64 MiB")
	errNoFile   = fileError("it is not a file")
)

// SourceOf tells what the path of a file says about it: .vscode/mcp.json and
// .cursor/mcp.json are for the directory above.
func SourceOf(path, home string, getenv func(string) string) Source {
	src := Source{Home: home, Getenv: getenv}
	dir := filepath.Dir(path)
	switch filepath.Base(dir) {
	case ".vscode", ".cursor":
		if filepath.Dir(dir) != filepath.Clean(home) {
			src.Workspace = filepath.Dir(dir)
		}
	default:
		if filepath.Base(path) == ".mcp.json" {
			src.Workspace = dir
		}
	}
	return src
}

// locations lists where each program keeps its servers.
// ofProject ends what files are called that a project brings along.
const ofProject = " (project)"

func locations(home, work string, getenv func(string) string, goos string) []location {
	data := appData(home, getenv, goos)
	zed := filepath.Join(home, ".config", "zed", "settings.json")
	if goos == "windows" {
		zed = filepath.Join(data, "Zed", "settings.json")
	}
	list := []location{
		{"lmstudio", "LM Studio", filepath.Join(home, ".lmstudio", "mcp.json")},
		{"lmstudio", "LM Studio", filepath.Join(home, ".cache", "lm-studio", "mcp.json")},
		{"claude", "Claude Desktop", filepath.Join(data, "Claude", "claude_desktop_config.json")},
		{"claude-code", "Claude Code", filepath.Join(home, ".claude.json")},
		{"claude-code", "Claude Code" + ofProject, filepath.Join(work, ".mcp.json")},
		{"cursor", "Cursor", filepath.Join(home, ".cursor", "mcp.json")},
		{"cursor", "Cursor" + ofProject, filepath.Join(work, ".cursor", "mcp.json")},
		{"vscode", "VS Code", filepath.Join(data, "Code", "User", "mcp.json")},
		{"vscode", "VS Code (settings)", filepath.Join(data, "Code", "User", "settings.json")},
		{"vscode", "VS Code" + ofProject, filepath.Join(work, ".vscode", "mcp.json")},
		{"windsurf", "Windsurf", filepath.Join(home, ".codeium", "windsurf", "mcp_config.json")},
		{"zed", "Zed", zed},
	}
	seen := map[string]bool{}
	var out []location
	for _, l := range list {
		if !seen[l.path] {
			out = append(out, l)
		}
		seen[l.path] = true
	}
	return out
}

// Names lists the programs by their names on the command line.
func Names() []string {
	return []string{"lmstudio", "claude", "claude-code", "cursor", "vscode", "windsurf", "zed"}
}

func appData(home string, getenv func(string) string, goos string) string {
	switch goos {
	case "darwin":
		return filepath.Join(home, "Library", "Application Support")
	case "windows":
		if dir := getenv("APPDATA"); dir != "" {
			return dir
		}
		return filepath.Join(home, "AppData", "Roaming")
	}
	if dir := getenv("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	return filepath.Join(home, ".config")
}
