package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"compactor/runtime/config"
)

// Secrets is the file beside a configuration that holds values of ${VAR}.
const Secrets = "secrets.env"

// mostHashed bounds what is read of one file. A larger one is known by its size
// and time.
const mostHashed = 64 << 20

// File is one whose content is part of what is allowed.
type File struct {
	Path string `json:"path"`
	Hash string `json:"hash"` // SHA-256, or size and time of a file that is too large to read
}

// Fresh reports whether the files of a server are still those that were looked at:
// between that and its start somebody may have pulled others.
func (r *Reach) Fresh(s config.Server, w World) bool {
	if r == nil {
		return true
	}
	at := config.JoinPath("servers", s.Name)
	i := slices.IndexFunc(r.Items, func(i Item) bool { return i.Path == at })
	return i < 0 || slices.Equal(r.Items[i].Files, (&judge{world: w}).filesOf(s))
}

// filesOf are files of the project that a server runs, that it is given by name,
// and that hold the values of its variables.
func (j *judge) filesOf(s config.Server) []File {
	paths := []string{filepath.Join(j.world.Dir, Secrets)}
	dir := j.absolute(s.Dir)
	for i, word := range append([]string{s.Command}, s.Args...) {
		if i == 0 && !strings.ContainsAny(word, `/\`) {
			continue // found by PATH
		}
		if _, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(word, "-") {
			word = value
		}
		if !filepath.IsAbs(word) {
			word = filepath.Join(dir, word)
		}
		paths = append(paths, word)
	}
	slices.Sort(paths)
	var out []File
	for _, p := range slices.Compact(paths) {
		if real := Real(p); Within(real, j.world.Project) {
			if hash := hashOf(real); hash != "" {
				out = append(out, File{real, hash})
			}
		}
	}
	return out
}

// hashOf is of a regular file, "" of anything else.
func hashOf(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	if info.Size() > mostHashed {
		return fmt.Sprintf("%d bytes of %d", info.Size(), info.ModTime().UnixNano())
	}
	f, err := os.Open(path)
	if err != nil {
		return "cannot be read"
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, mostHashed+1)); err != nil {
		return "cannot be read"
	}
	return hex.EncodeToString(h.Sum(nil))
}
