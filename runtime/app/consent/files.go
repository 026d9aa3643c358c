package consent

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// Secrets is the name of the file next to a configuration that holds values of ${VAR}.
const Secrets = "secrets.env"

// maxHashed limits the size of a file that is hashed. A larger file is identified by its size and modification time.
const maxHashed = 64 << 20

// File is a file whose content is part of what is allowed.
type File struct {
	Path string `json:"path"`
	Hash string `json:"hash"` // SHA-256, or size and time of a file that is too large to read
}

// Fresh reports whether the files of a server are still the allowed ones: a git pull may have changed them since.
func (r *Effects) Fresh(s config.Server, w Env) bool {
	return r.hasFiles("servers", s.Name, newJudge(w).filesOf(s))
}

// FreshDependency is Fresh for a dependency.
func (r *Effects) FreshDependency(d config.Dependency, w Env) bool {
	return r.hasFiles("dependencies", d.Program.Name, newJudge(w).filesOfDependency(d))
}

func newJudge(w Env) *judge { return &judge{world: w, listed: map[string]map[string][]string{}} }

// hasFiles reports whether the item of a section, if there is one, was allowed with these files.
func (r *Effects) hasFiles(section, name string, files []File) bool {
	if r == nil {
		return true
	}
	at := config.JoinPath(section, name)
	i := slices.IndexFunc(r.Items, func(i Item) bool { return i.Path == at })
	return i < 0 || slices.Equal(r.Items[i].Files, files)
}

// filesOfDependency returns the project files that a dependency and its check run or get by name.
func (j *judge) filesOfDependency(d config.Dependency) []File {
	out := j.filesOf(d.Program)
	if check, ok := d.CheckProgram(); ok {
		out = append(out, j.filesOf(check)...)
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(out, func(a, b File) bool { return a.Path == b.Path })
}

// maxNames limits the file names of one server. With more, the server stays held: nobody can check all the files.
const maxNames = 16_000

// filesOf returns the project files that a server runs or gets by name, and the file with its variables' values.
func (j *judge) filesOf(s config.Server) []File {
	top := j.world.Project
	if around := findRepository(top); around != "" { // a project may be one directory of a monorepo
		top = around
	}
	dir := Real(j.absolute(s.Dir))
	paths := []string{filepath.Join(j.world.Dir, Secrets)}
	add := func(names ...string) {
		for _, name := range names {
			if name = filepath.Clean(name); !filepath.IsAbs(name) {
				name = filepath.Join(dir, name)
			}
			if paths = append(paths, name); Within(name, top) {
				paths = append(paths, j.filesWithStem(name)...)
			}
		}
	}
	for i, word := range append([]string{s.Command}, s.Args...) {
		word = j.expandVariables(s, word)
		if i == 0 && !strings.ContainsAny(word, `/\`) {
			for _, place := range filepath.SplitList(j.expandVariables(s, s.Env["PATH"])) {
				add(filepath.Join(place, word))
			}
			continue
		}
		add(config.FileNames(word)...)
	}
	for _, variable := range sorted(s.Env) {
		add(config.FileNames(j.expandVariables(s, s.Env[variable]))...)
	}
	if len(paths) > maxNames {
		return []File{{"more files than are looked at", rand.Text()}}
	}
	slices.Sort(paths)
	var out []File
	for _, p := range slices.Compact(paths) {
		real := Real(p)
		if !Within(real, top) && !Within(p, top) {
			continue
		}
		if hash := hashOf(real); hash != "" || real != p && !Within(real, top) { // the target of a link may change
			out = append(out, File{real, hash})
		}
	}
	return out
}

// filesWithStem returns the files that consist of name and an extension, as runtimes resolve modules.
func (j *judge) filesWithStem(name string) []string {
	dir := filepath.Dir(name)
	if j.listed[dir] == nil {
		j.listed[dir] = map[string][]string{}
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			stem := strings.TrimSuffix(path, filepath.Ext(path))
			j.listed[dir][stem] = append(j.listed[dir][stem], path)
		}
	}
	return j.listed[dir][name]
}

// variable matches ${NAME} or ${NAME:-default}, as in the settings of servers.
var variable = lazyregexp.New(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)

// expandVariables returns text with the current values of the server's variables.
func (j *judge) expandVariables(s config.Server, text string) string {
	if j.world.Variable == nil || !strings.Contains(text, "${") {
		return text
	}
	return variable.ReplaceAllStringFunc(text, func(m string) string {
		parts := variable.FindStringSubmatch(m)
		if value, ok := j.world.Variable(s, parts[1]); ok {
			return value
		}
		return parts[3]
	})
}

// hashOf returns the hash of a regular file, or "" for anything else.
func hashOf(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	if info.Size() > maxHashed {
		return fmt.Sprintf("%d bytes of %d", info.Size(), info.ModTime().UnixNano())
	}
	f, err := os.Open(path)
	if err != nil {
		return "cannot be read"
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, maxHashed+1)); err != nil {
		return "cannot be read"
	}
	return hex.EncodeToString(h.Sum(nil))
}
