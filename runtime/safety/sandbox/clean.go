package sandbox

import (
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// maxPath limits a relative path, in bytes. Linux allows 4096 including the final NUL.
const maxPath = 4095

// cleanPath turns a path from a caller into plain form (see plainPath), or "." for the root itself. It looks only
// at the text, so its answer does not depend on what exists. wantDir is set if the path ends in a slash.
func cleanPath(asked string) (clean string, wantDir bool, err error) {
	p := asked
	if runtime.GOOS == "windows" {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	if why := explainForeign(p); why != "" {
		return "", false, &PathError{Path: asked, Err: ErrOutside, Hint: why}
	}
	if len(p) > maxPath || strings.IndexByte(p, 0) >= 0 {
		return "", false, &PathError{Path: asked, Err: ErrNotFound, Hint: "the path is too long or holds a NUL byte"}
	}
	clean = path.Clean(p)
	if why := explainForeign(clean); why != "" { // "./C:/x": the result must itself be a path that a caller may ask for
		return "", false, &PathError{Path: asked, Err: ErrOutside, Hint: why}
	}
	if clean != "." && !filepath.IsLocal(filepath.FromSlash(clean)) || runtime.GOOS == "windows" && strings.Contains(clean, ":") {
		return "", false, &PathError{Path: asked, Err: ErrOutside, Hint: "name a file inside the root"}
	}
	return clean, strings.HasSuffix(p, "/"), nil
}

// explainForeign explains why a text cannot be a path inside a root on any system, or returns "". Backslashes count as
// separators even where names may contain them: "..\x" comes from a Windows client, and its meaning must not depend
// on the system of the server.
func explainForeign(p string) string {
	slashed := strings.ReplaceAll(p, `\`, "/")
	scheme, _, isURL := strings.Cut(p, "://")
	switch {
	case strings.HasPrefix(slashed, "/"):
		return "give a path relative to the root, without a leading slash"
	case len(slashed) > 2 && slashed[1] == ':' && slashed[2] == '/' && isLetter(slashed[0]):
		return "give a path relative to the root, without a drive"
	case p == "~" || strings.HasPrefix(slashed, "~/"):
		return "give a path relative to the root; ~ is not expanded"
	case isURL && scheme != "" && strings.IndexFunc(scheme, notSchemeRune) < 0:
		return "give a path relative to the root, not a URL"
	}
	if c := path.Clean(slashed); c == ".." || strings.HasPrefix(c, "../") {
		return "name a file inside the root"
	}
	return ""
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

func notSchemeRune(r rune) bool {
	return !(r < 0x80 && isLetter(byte(r)) || '0' <= r && r <= '9' || r == '+' || r == '-' || r == '.')
}

// plainPath reports whether p is in plain form: no empty, "." or ".." component, no slash at either end, no NUL.
// Invalid UTF-8 is plain: such names exist.
func plainPath(p string) bool {
	for {
		name, rest, more := strings.Cut(p, "/")
		if name == "" || name == "." || name == ".." || strings.IndexByte(name, 0) >= 0 {
			return false
		}
		if !more {
			return true
		}
		p = rest
	}
}

// splitPath cuts a plain path before its last component; dir is "." for a path with only one.
func splitPath(p string) (dir, name string) {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i], p[i+1:]
	}
	return ".", p
}
