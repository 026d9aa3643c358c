package sandbox

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// foldName returns the form of one path component that the deny list is matched on. Names that some file system treats
// as equal have the same form: letters are case-folded, composed and decomposed accents are one (macOS), marks that
// HFS+ ignores in comparisons are dropped, and so are the endings that Windows drops: an alternate stream from the
// first colon on, dots and spaces.
func foldName(name string) string {
	name, ascii := foldASCII(name)
	if !ascii {
		name = foldUnicode(name)
	}
	if colon := strings.IndexByte(name, ':'); colon > 0 {
		name = name[:colon]
	}
	if bare := strings.TrimRight(name, ". "); bare != "" {
		name = bare
	}
	return name
}

// foldASCII lowers ASCII letters. It returns its argument if nothing changes, which is the common case and does not
// allocate.
func foldASCII(name string) (folded string, ascii bool) {
	upper := false
	for i := range len(name) {
		c := name[i]
		if c >= utf8.RuneSelf {
			return name, false
		}
		upper = upper || 'A' <= c && c <= 'Z'
	}
	if upper {
		name = strings.ToLower(name)
	}
	return name, true
}

func foldUnicode(name string) string {
	folded := strings.Map(foldRune, norm.NFC.String(strings.ToValidUTF8(name, "\ufffd")))
	if folded == "" { // nothing but ignorable marks
		return name
	}
	return norm.NFC.String(folded)
}

// foldRune maps all runes that differ only in case, such as S, s and ſ, to one.
func foldRune(r rune) rune {
	if isIgnorable(r) {
		return -1
	}
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return unicode.ToLower(least)
}

// isIgnorable reports whether HFS+ skips a code point when it compares names: ".g\u200cit" opens .git there.
func isIgnorable(r rune) bool {
	return r == '\ufeff' || '\u200c' <= r && r <= '\u200f' || '\u202a' <= r && r <= '\u202e' || '\u206a' <= r && r <= '\u206f'
}

// isShortName reports whether a folded name has the form of the second, short name that FAT and NTFS keep for a file:
// up to eight characters ending in ~ and digits, and an extension of up to three. "GIT~1" opens .git, which the name
// does not show, so all names of this form are refused.
func isShortName(name string) bool {
	base, ext, _ := strings.Cut(name, ".")
	tilde := strings.LastIndexByte(base, '~')
	if tilde < 1 || len(base) > 8 || len(ext) > 3 || tilde == len(base)-1 || strings.IndexByte(ext, '.') >= 0 {
		return false
	}
	for _, c := range []byte(base[tilde+1:]) {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

// withoutBackup removes one ending that editors, browsers, file managers and people give to copies, so that .env~,
// server.key.bak, "credentials (1).json", "id_rsa copy" and .credentials.swp are denied like their originals. ok is
// false if there is nothing to remove.
func withoutBackup(name string) (original string, ok bool) {
	if original, ok = strings.CutSuffix(name, "~"); ok {
		return original, original != ""
	}
	if original, ok = withoutCopy(name); ok {
		return original, true
	}
	dot := strings.LastIndexByte(name, '.')
	if dot < 1 {
		return "", false
	}
	switch name[dot+1:] {
	case "swp", "swo": // vim also puts a dot before the name
		original = strings.TrimPrefix(name[:dot], ".")
		return original, original != ""
	case "bak", "backup", "old", "orig", "save", "copy":
		return name[:dot], true
	}
	if end := name[dot+1:]; len(end) >= len("20240131") && strings.Trim(end, "0123456789") == "" {
		return name[:dot], true
	}
	return "", false
}

// withoutCopy removes the mark of a copy before the extension: " (1)", " copy", " copy 2" or " - copy".
func withoutCopy(name string) (original string, ok bool) {
	if strings.IndexByte(name, ' ') < 0 { // nearly every name, and a walk checks each one
		return "", false
	}
	base, ext := name, ""
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		base, ext = name[:dot], name[dot:]
		if strings.IndexByte(ext, ' ') >= 0 { // .env (1)
			base, ext = name, ""
		}
	}
	if open := strings.LastIndex(base, " ("); open > 0 && strings.HasSuffix(base, ")") {
		if number := base[open+2 : len(base)-1]; number != "" && strings.Trim(number, "0123456789") == "" {
			return strings.TrimSuffix(base[:open], " - copy") + ext, true
		}
	}
	bare := strings.TrimRight(strings.TrimRight(base, "0123456789"), " ")
	if bare, ok = strings.CutSuffix(bare, " copy"); ok && bare != "" {
		return strings.TrimSuffix(bare, " -") + ext, true
	}
	return "", false
}
