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

// fileName is where a document goes: the name somebody chose, or words of the
// question and eight hex digits of the text's hash. It holds no date, so that
// the same research has the same name.
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

// slug makes a file name of any text: lower-case ASCII letters and digits,
// runs of all else a dash, cut at a word. Other scripts are left out, since
// names must mean the same on every system; the hash keeps them apart.
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

// asked is the file name that somebody means who names a handoff: with or
// without the extension, with or without a directory before it.
func asked(name string) string {
	name = strings.TrimSpace(name)
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	if !strings.HasSuffix(name, ext) {
		name += ext
	}
	return name
}
