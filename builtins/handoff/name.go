package handoff

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// ext is the extension of every artifact.
const ext = ".md"

// slugMax bounds a slug in bytes: file names stay readable in a listing.
const slugMax = 48

// fileName returns the name for a document: the chosen name, or words of the question and eight hex
// digits of the text's hash. It contains no date, so that the same research gets the same name.
func fileName(chosen string, d Document, text string) string {
	if s := slug(strings.TrimSuffix(chosen, ext)); s != "" {
		return s + ext
	}
	sum := sha256.Sum256([]byte(text))
	hash := hex.EncodeToString(sum[:4])
	if s := slug(d.Question); s != "" {
		return s + "-" + hash + ext
	}
	return "handoff-" + hash + ext
}

// slug makes a file name from any text: lower-case ASCII letters and digits, with everything else
// as dashes, cut at a word. Other scripts are dropped, as names must mean the same on every system;
// the hash keeps them unique.
func slug(s string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(s) {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			dash = b.Len() > 0
			continue
		}
		if b.Len() >= slugMax {
			break
		}
		if dash {
			b.WriteByte('-')
			dash = false
		}
		b.WriteRune(r)
	}
	return cutSlug(b.String())
}

func cutSlug(s string) string {
	if len(s) < slugMax {
		return s
	}
	if i := strings.LastIndexByte(s, '-'); i > slugMax/2 {
		return s[:i]
	}
	return s
}

// askedName returns the file name for a handoff named by a caller, with or without the extension or a
// directory.
func askedName(name string) string {
	name = strings.TrimSpace(name)
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	if !strings.HasSuffix(name, ext) {
		name += ext
	}
	return name
}
