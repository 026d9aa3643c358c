package leads

import "strings"

// speaksOfOptions reports whether a path or a type name contains one of the option words as a whole
// word.
func speaksOfOptions(s string) bool {
	var low [maxOptionWord]byte
	for i := 0; i < len(s); i++ {
		n := 0
		for ; i < len(s) && isLetter(s[i]); i++ {
			if n < len(low) {
				low[n] = s[i] | 0x20
			}
			n++
		}
		if n > 0 && isOptionWord(low[:min(n, len(low))], n > len(low)) {
			return true
		}
	}
	return false
}

// maxOptionWord is more than the length of any option word.
const maxOptionWord = 16

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isOptionWord(low []byte, long bool) bool {
	for _, p := range [...]string{"config", "env", "command"} {
		if len(low) >= len(p) && string(low[:len(p)]) == p {
			return true
		}
	}
	if long {
		return false
	}
	switch string(low) {
	case "option", "options", "setting", "settings", "default", "defaults", "flag", "flags", "args", "arguments", "params",
		"properties", "feature", "features", "cli", "builder", "main", "cmakelists":
		return true
	}
	return false
}

// tableEndings are the endings of the names, without extension, of files that are tables of
// options.
var tableEndings = [...]string{"option", "options", "config", "configuration", "setting", "settings", "default", "defaults",
	"flag", "flags", "args", "properties", "feature", "features", "cmakelists"}

// namedAsTable reports whether a file is named like a table of options: settings.py,
// server_options.go, CMakeLists.txt.
func namedAsTable(base string) bool {
	for end := len(base); ; {
		if end != len(base)-1 && endsInTable(base[:end]) { // a dot alone is not an extension
			return true
		}
		dot := strings.LastIndexByte(base[:end], '.')
		if dot < 0 {
			return false
		}
		for i := dot + 1; i < end; i++ {
			if !isLetter(base[i]) {
				return false
			}
		}
		end = dot
	}
}

func endsInTable(s string) bool {
	if s == "" || !isLetter(s[len(s)-1]) {
		return false
	}
	for _, e := range tableEndings {
		if len(s) >= len(e) && s[len(s)-1]|0x20 == e[len(e)-1] && strings.EqualFold(s[len(s)-len(e):], e) {
			return true
		}
	}
	return false
}
