package mcpfile

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/gateway/clients"
)

// Found is a file of another program.
type Found struct {
	Path    string `json:"path"`
	Program string `json:"program"` // as people call it
	Name    string `json:"name"`    // as on the command line
	Servers int    `json:"servers"`
	Problem string `json:"problem,omitempty"` // why it cannot be read; "" if it can
	Project bool   `json:"project,omitempty"` // it is in the working directory, and came with it
}

// maxFile limits the size of a file: Claude Code's contains its history too.
const maxFile = 64 << 20

type location struct{ name, program, path string }

// Find lists the existing files of other programs, below a home directory and for the project in work.
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
		case err != errNoServers && err != errEmpty: // clients treat those as a file without servers
			f.Problem = err.Error()
		}
		out = append(out, f)
	}
	return out
}

// Read returns the contents of a file of reasonable size.
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

// ReadFrom reads a file of reasonable size from a stream.
func ReadFrom(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = errTooLarge
	}
	return data, err
}

// ReadEnv reads a file of KEY=value lines that a server names, and returns the numbers of invalid lines.
func ReadEnv(path string) (values map[string]string, bad []int, err error) {
	data, err := Read(path)
	if err != nil {
		return nil, nil, err
	}
	if len(data) > maxServer {
		return nil, nil, tooMany(path, len(data), "bytes", maxServer)
	}
	values, bad = EnvLines(data)
	if len(values) > maxItems {
		return nil, nil, tooMany(path, len(values), "variables", maxItems)
	}
	return values, bad, nil
}

type fileError string

func (e fileError) Error() string { return string(e) }

const (
	errTooLarge = fileError("the file is larger than 64 MiB")
	errNoFile   = fileError("it is not a file")
)

// SourceOf derives the source of a file from its path: .vscode/mcp.json belongs to the directory above, and .mcp.json
// to its own.
func SourceOf(path, home string, getenv func(string) string) Source {
	src := Source{Home: home, Getenv: getenv}
	for _, c := range clients.All() {
		if c.Project == "" {
			continue
		}
		work, ok := strings.CutSuffix(filepath.ToSlash(path), "/"+c.Project)
		if work = filepath.FromSlash(work); ok && work != filepath.Clean(home) {
			src.Workspace = work
		}
	}
	return src
}

// ofProject ends the names of files that belong to a project.
const ofProject = " (project)"

// locations lists where each program keeps its servers.
func locations(home, work string, getenv func(string) string, goos string) []location {
	place := clients.Place{Home: home, GOOS: goos, Getenv: getenv}
	var list []location
	for _, c := range clients.All() {
		for _, f := range place.Files(c) {
			list = append(list, location{c.Name, c.Title, f})
		}
		for _, word := range slices.Sorted(maps.Keys(c.Also)) {
			path, _ := place.Expand(c.Also[word])
			list = append(list, location{c.Name, c.Title + " (" + word + ")", path})
		}
		if c.Project != "" {
			list = append(list, location{c.Name, c.Title + ofProject, filepath.Join(work, filepath.FromSlash(c.Project))})
		}
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
func Names() []string { return clients.Names() }
