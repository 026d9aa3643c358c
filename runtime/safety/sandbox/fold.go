package sandbox

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// foldName gives the form of one path component that the deny list is matched on. Two names that some file system takes
// for one have the same form: letters are case-folded, composed and decomposed accents are one (macOS), marks that HFS+
// leaves out of comparisons go, and so do the endings that Windows drops: an alternate stream from the first colon on,
// dots and spaces.
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

// foldASCII lowers ASCII letters. It returns its argument when there is nothing to lower, which is the common case and
// costs no memory.
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

// foldRune maps all runes that differ in case only, such as S, s and ſ, to one.
func foldRune(r rune) rune {
	if ignorable(r) {
		return -1
	}
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return unicode.ToLower(least)
}

// ignorable is the list of code points that HFS+ skips when it compares names: ".g\u200cit" opens .git there.
func ignorable(r rune) bool {
	return r == '\ufeff' || '\u200c' <= r && r <= '\u200f' || '\u202a' <= r && r <= '\u202e' || '\u206a' <= r && r <= '\u206f'
}

// isShortName reports whether a folded name has the form of the second, short name that FAT and NTFS keep for a file:
// up to eight characters ending in ~1 and an extension of up to three. "GIT~1" opens .git, and nothing in the text says
// so; all names of this form are refused.
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

// withoutBackup drops one ending that editors, browsers, file managers and people give to copies, so that .env~,
// server.key.bak, "credentials (1).json", "id_rsa copy" and .credentials.swp are denied as their originals are. ok is
// false when there is none.
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
	case "swp", "swo": // vim puts a dot before the name as well
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

// withoutCopy drops what stands before the extension of a second file of the same name: " (1)", " copy", " copy 2",
// " - copy".
func withoutCopy(name string) (original string, ok bool) {
	if strings.IndexByte(name, ' ') < 0 { // nearly every name, and a walk asks of each
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
