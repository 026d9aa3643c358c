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

// Secrets is the file beside a configuration that holds values of ${VAR}.
const Secrets = "secrets.env"

// maxHashed bounds what is read of one file. A larger one is known by its size and time.
const maxHashed = 64 << 20

// File is one whose content is part of what is allowed.
type File struct {
	Path string `json:"path"`
	Hash string `json:"hash"` // SHA-256, or size and time of a file that is too large to read
}

// Fresh reports whether the files of a server are still those that were looked at: somebody may have pulled others since.
func (r *Reach) Fresh(s config.Server, w World) bool {
	if r == nil {
		return true
	}
	at := config.JoinPath("servers", s.Name)
	i := slices.IndexFunc(r.Items, func(i Item) bool { return i.Path == at })
	return i < 0 || slices.Equal(r.Items[i].Files, (&judge{world: w, listed: map[string]map[string][]string{}}).filesOf(s))
}

// maxNames bounds the names of one server's files. One that has more waits for ever: nobody can say what is in them.
const maxNames = 16_000

// filesOf are files of the project that a server runs or is given by name, and that hold the values of its variables.
func (j *judge) filesOf(s config.Server) []File {
	top := j.world.Project
	if around := repository(top); around != "" { // a project may be one directory of many
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
				paths = append(paths, j.ended(name)...)
			}
		}
	}
	for i, word := range append([]string{s.Command}, s.Args...) {
		word = j.expanded(s, word)
		if i == 0 && !strings.ContainsAny(word, `/\`) {
			for _, place := range filepath.SplitList(j.expanded(s, s.Env["PATH"])) {
				add(filepath.Join(place, word))
			}
			continue
		}
		add(config.FileNames(word)...)
	}
	for _, variable := range sorted(s.Env) {
		add(config.FileNames(j.expanded(s, s.Env[variable]))...)
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
		if hash := hashOf(real); hash != "" || real != p && !Within(real, top) { // what a link leads to may become another
			out = append(out, File{real, hash})
		}
	}
	return out
}

// ended are the files that have a name and an ending, as runtimes find modules.
func (j *judge) ended(name string) []string {
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

// variable is ${NAME} or ${NAME:-standard}, as servers are given it.
var variable = lazyregexp.New(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)

// expanded is a text of a server's with the values that its variables have now.
func (j *judge) expanded(s config.Server, text string) string {
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

// hashOf is of a regular file, "" of anything else.
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
