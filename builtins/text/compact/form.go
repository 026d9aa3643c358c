package compact

import "strings"

// worthOfLine returns the worth of a line's form: that it reports an error, defines something, is a heading, or only
// leads from one line of code to the next.
func worthOfLine(line string) float64 {
	v := 0.0
	if tellsError(line) {
		v += errWorth
	}
	if beginsDefinition(line) {
		v += sigWorth
	}
	if isHeading(line) {
		v += headWorth
	}
	if sumsUp(line) {
		v += sumWorth
	}
	if strings.HasPrefix(line, "CREATE ") { // of SQL
		v += sumWorth
	}
	if leadsOn(line) {
		v += flowWorth
	}
	return v
}

// leadsOn reports whether a line of code, or of a diff of code, is a branch or a return.
func leadsOn(line string) bool {
	t := codeOf(line)
	return strings.HasPrefix(t, "return") || strings.HasPrefix(t, "if ") || strings.HasPrefix(t, "for ") || strings.HasPrefix(t, "} else") || strings.HasPrefix(t, "else")
}

// codeOf returns a line of code, or of a diff of code, without its indentation and diff marks.
func codeOf(line string) string {
	for i := range len(line) {
		if c := line[i]; c != ' ' && c != '\t' && c != '+' && c != '-' {
			return line[i:]
		}
	}
	return ""
}

// sumsOfTools are the beginnings of lines with which installers, builds, transfers and shells report the outcome. The
// digit 0 stands for any number.
var sumsOfTools = newNeedles([]string{
	"added 0 package", "removed 0 package", "changed 0 package", "audited 0 package", "up to date", "found 0 vulnerabilit",
	"Successfully ", "BUILD SUCCESS", "BUILD FAILED", "Build succeeded", "Done in 0", "0 upgraded, ", "0 packages ",
	"Apply complete!", "Destroy complete!", "No changes.", "Plan: 0", "Everything up-to-date", "Already up to date",
	"exit status 0", "exit code 0", "exit code: 0", "Exit code: 0", "Process exited ", "Process finished ", "command terminated ",
	"sent 0 bytes", "total size is 0", "Total: 0", "TOTAL ",
})

// sumsUp reports whether a line sums up what comes before it: diff statistics, a plan, the outcome of an installation.
func sumsUp(line string) bool {
	t := strings.TrimLeft(line, " ")
	switch {
	case t == "":
		return false
	case isDigit(t[0]) && strings.Contains(t, " changed, ") && strings.Contains(t, " file"):
		return true
	}
	var begin [40]byte
	return sumsOfTools.matchAt(string(appendWithoutNumbers(begin[:0], t, len(begin))), 0)
}

const (
	minData   = 60 // bytes, of a line of data
	shownData = 60 // bytes shown of its first line
)

// isData reports whether a line is encoded data such as base64, which is useless to readers except for the first line.
// After other lines of data, any long run of such letters counts.
func isData(line string, after bool) bool {
	if t := strings.TrimSpace(line); len(t) >= minColonHex && t[len(t)-1] == ':' && isColonHex(t) {
		return true
	}
	if len(line) < minData {
		return false
	}
	line = strings.Trim(line, " \t\r"+omission)
	if len(line) < minData {
		return false
	}
	var lower, upper, digits, slashes int
	line = line[:min(len(line), 4*minData)]
	for i := range len(line) {
		switch c := line[i]; {
		case isLower(c):
			lower++
		case isUpper(c):
			upper++
		case isDigit(c), c == '+', c == '=':
			digits++
		case c == '/':
			slashes++
		default:
			return false
		}
	}
	return after || lower > 0 && upper > 8 && digits > 0 && slashes*8 < len(line)
}

// minColonHex is the minimum length of a line of hex bytes, each followed by a colon, that counts as data: openssl
// prints keys like that. In a fingerprint or an address no colon follows the last byte.
const minColonHex = 29

func isColonHex(t string) bool {
	if len(t) < 5 || t[2] != ':' {
		return false
	}
	for i := range len(t) {
		if c := t[i]; i%3 == 2 && c != ':' || i%3 < 2 && !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

// endsData reports whether a line after data is the last line of the data.
func endsData(line string) bool {
	t := strings.TrimSpace(line)
	return isColonHex(t) || len(t)%4 == 0 && strings.HasSuffix(t, "=") && !strings.ContainsAny(strings.TrimRight(t, "="), " =:.,")
}

// worthsOf returns a function for the worth of the forms of lines, by the kind of their text.
func worthsOf(kind Kind) func(k int, line string) float64 {
	switch kind {
	case Markdown:
		return func(_ int, line string) float64 {
			if underlineLevel(line) > 0 {
				return leave
			}
			return worthOfLine(line)
		}
	case Source:
		return func(_ int, line string) float64 {
			t := strings.TrimLeft(line, " \t")
			switch {
			case isDirective(t) && !hasPrefix(t, "#define", "#include", "# include"): // a single branch of several would be misleading
				return leave
			case strings.HasPrefix(t, "# "): // a comment
				return worthOfLine(line) - headWorth
			}
			return worthOfLine(line)
		}
	}
	return func(_ int, line string) float64 { return worthOfLine(line) }
}

// definers are the words that begin a definition, modifiers those that may come before them.
var (
	definers  = setOf("def func fn class interface type struct enum function impl trait module namespace const var let package protocol extension record object fun")
	modifiers = setOf("export public private protected internal static async default abstract final pub override open data sealed unsafe extern inline virtual")
)

// isOutlineLine reports whether a line of code belongs to its outline: a definition other than of a local variable or the
// beginning of a group, or a function assigned in JavaScript.
func isOutlineLine(line string) bool {
	t := strings.TrimSpace(line)
	if strings.HasSuffix(t, " (") || isLineBlank(line[0]) && hasPrefix(t, "var ", "let ", "const ") {
		return false
	}
	return beginsDefinition(line) || !isLineBlank(line[0]) && (strings.Contains(t, " = function") || strings.Contains(t, " = async function") || strings.HasSuffix(t, "=> {"))
}

// beginsDefinition reports whether a line of code, or of a diff of code, begins a definition.
func beginsDefinition(line string) bool {
	line = codeOf(line)
	for {
		i := 0
		for i < len(line) && (isLower(line[i])) {
			i++
		}
		w := line[:i]
		if i == 0 || i == len(line) || line[i] != ' ' && line[i] != '(' && line[i] != '<' {
			return false
		}
		if definers[w] {
			rest := strings.TrimLeft(line[i:], " ")
			return rest != "" && (atomClass[rest[0]] == atomWord || strings.IndexByte("*(<[{", rest[0]) >= 0)
		}
		if !modifiers[w] {
			return false
		}
		if w == "extern" && strings.Contains(line, "(") { // a C function
			return true
		}
		line = strings.TrimLeft(line[i:], " ")
	}
}

// isHeading reports whether a line is a heading: of Markdown, a diff, a commit or a section of output.
func isHeading(line string) bool {
	l := strings.TrimLeft(line, " ")
	switch {
	case l == "":
		return false
	case l[0] == '#':
		h := strings.TrimLeft(l, "#")
		return len(l)-len(h) <= 6 && strings.HasPrefix(h, " ")
	case strings.HasPrefix(l, "diff --git"), strings.HasPrefix(l, "@@ "), strings.HasPrefix(l, "==="), strings.HasPrefix(l, "--- "):
		return true
	case strings.HasPrefix(l, "commit ") && len(l) > 14 && isHex(l[7:14]):
		return true
	case strings.HasPrefix(l, "**"):
		t := strings.TrimRight(l, " :")
		return strings.HasSuffix(t, "**") && strings.Count(t, "**") == 2
	}
	t := strings.TrimRight(l, " ")
	if !strings.HasSuffix(t, ":") || len(t) > 44 || len(t) < 4 {
		return false
	}
	for i := 0; i < len(t)-1; i++ {
		if c := t[i]; !isAlnum(c) && c != ' ' && c != '_' {
			return false
		}
	}
	return true
}

func isHex(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isDigit(c) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

var errorWords = newWordSet(strings.Fields("error errors fail fails failed failing failure fatal panic panicked exception traceback denied refused timeout warning warn undefined cannot invalid missing unexpected expected rejected aborted crashed unreachable unauthorized forbidden crashloopbackoff imagepullbackoff errimagepull oomkilled evicted unhealthy exited killed degraded segfault vulnerable oops tainted corrupt corrupted bug")...)

// tellsError reports whether a line reports a fault.
func tellsError(line string) bool {
	if strings.HasPrefix(line, "E ") {
		return true
	}
	var buf [16]byte
	for i := 0; i < len(line); {
		start := i
		for i < len(line) && (runClass[line[i]] != 0 || line[i] == '_') {
			i++
		}
		if i == start {
			if marksError(line, i) {
				return true
			}
			i++
			continue
		}
		w := line[start:i]
		if len(w) < 4 || len(w) > len(buf) {
			continue
		}
		if n := len(w); n > 5 && (strings.HasSuffix(w, "Error") || strings.HasSuffix(w, "Exception")) {
			return true
		}
		if !errorWords.mayHave(w[0], len(w)) {
			continue
		}
		lower := buf[:0]
		for k := 0; k < len(w); k++ {
			c := w[k]
			if isUpper(c) {
				c += 'a' - 'A'
			}
			lower = append(lower, c)
		}
		if errorWords.has(lower) {
			return true
		}
	}
	return false
}

// marksError reports whether a mark other than a word says, at offset i of a line, that something went wrong.
func marksError(line string, i int) bool {
	switch line[i] {
	case ' ':
		return strings.HasPrefix(line[i:], " = -1 E") || strings.HasPrefix(line[i:], " found") && strings.HasSuffix(line[:i], "not")
	case "✗"[0]:
		return strings.HasPrefix(line[i:], "✗") || strings.HasPrefix(line[i:], "✘")
	}
	return false
}

func setOf(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

const (
	runLetter = 1 // a letter of a run
	runDigit  = 2
)

var runClass = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case isDigit(byte(c)):
			t[c] = runDigit
		case isAlnum(byte(c)):
			t[c] = runLetter
		}
	}
	return t
}()

// maxTemplate limits the bytes of a line that its template is made of; a run with a digit counts as one.
const maxTemplate = 60

// FNV-1a.
const (
	fnvOffset = uint64(14695981039346656037)
	fnvPrime  = uint64(1099511628211)
)

// templateHash hashes a line so that lines that differ only in numbers and in identifiers with digits are equal: FNV-1a
// over its first bytes, with a run of letters and digits that has a digit counting as a single 0.
func templateHash(line string) uint64 {
	h := fnvOffset
	n := 0
	for i := 0; i < len(line) && n < maxTemplate; n++ {
		start, before, seen := i, h, uint8(0)
		for ; i < len(line) && runClass[line[i]] != 0; i++ {
			seen |= runClass[line[i]]
			h = (h ^ uint64(line[i])) * fnvPrime
		}
		switch {
		case i == start:
			h = (h ^ uint64(line[i])) * fnvPrime
			i++
		case seen&runDigit != 0:
			h = (before ^ '0') * fnvPrime
		default:
			n += i - start - 1
		}
	}
	return h
}
