package compact

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/lang/idents"
)

// layout describes how the lines of a text are nested, and what each is worth.
type layout struct {
	over    []int32 // the parent of each line, -1 for none; nil if unknown
	worth   func(k int, line string) float64
	above   int       // how many ancestors of a line are shown with it
	least   int       // size of a summary, in bytes, from which gaps are marked
	strict  bool      // no line is shown without its ancestors
	indents bool      // the first blanks of a line are kept
	nested  bool      // the depth is drawn: lines are kept whole, and indented below their parents
	alike   []float64 // see picker
	parts   []part
	notes   map[int]string // of lines: written after them
	pairs   []int32        // of a diff: the line that replaced each line, -1 for none
}

// part is a sort of parts of a text, such as files, that the note of what was left out counts.
type part struct {
	name   string
	heads  []int       // the lines that begin a part
	folded map[int]int // how many heads a head stands for besides itself, by its line
}

// layoutOf returns the layout of a text that is recognized by its words whatever its kind; nil if there is none. Parts
// of a sample are separated by a line with an omission mark, after which the ancestors are unknown.
func layoutOf(kind Kind, text string) *layout {
	switch kind {
	case Tree, Prose, Source, Markdown, YAML, Table, Log, Trace:
	default:
		return nil
	}
	lines := strings.Split(text, "\n")
	if kind == Tree {
		if namesOfTree(lines) {
			return drawnLayout(lines)
		}
		return nil
	}
	if (kind == Log || kind == Trace || kind == Prose) && stacksInLog(lines) {
		return stacksLayout(lines)
	}
	if kind == Log || kind == Trace {
		return nil
	}
	return layoutOfLines(kind, text, lines)
}

// layoutOfLines returns the layout of a text that is recognized by what many of its lines have in common.
func layoutOfLines(kind Kind, text string, lines []string) *layout {
	var refs, costs, changes, exchanges, n int
	for _, l := range lines {
		t := strings.TrimLeft(l, " ")
		if t == "" {
			continue
		}
		n++
		switch {
		case strings.Contains(l, "[ref="):
			refs++
		case strings.Contains(l, "(cost=") && strings.Contains(l, " rows="):
			costs++
		case changesResource(t):
			changes++
		case hasPrefix(l, "* ", "> ", "< ", "{ [", "} ["):
			exchanges++
		}
	}
	switch {
	case refs > 4 && refs*5 >= n:
		return pageLayout(lines)
	case costs > 1 && costs*12 >= n:
		return planLayout(lines)
	case changes > 1:
		return changesLayout(lines)
	case hasPrefix(text, "On branch ", "HEAD detached "):
		return statusLayout(lines)
	case exchanges*2 >= n && kind != Table && (strings.Contains(text, "\n< HTTP/") || strings.Contains(text, "\n* Closing connection")):
		return exchangesLayout(lines)
	}
	return nil
}

// outlineBy makes an outline, the parent of each line: level returns the level of a line, and whether later lines are
// nested below it. A negative level closes everything that is open.
func outlineBy(lines []string, level func(k int, line string) (level int32, opens bool)) []int32 {
	over := make([]int32, len(lines))
	var o levels
	for k, l := range lines {
		at, opens := level(k, l)
		if l == omission {
			at, opens = -1, false
		}
		o.close(at)
		over[k] = o.top()
		if opens {
			o.open(int32(k), at)
		}
	}
	return over
}

// asStrict makes a layout show no line without its ancestors, and count the outermost lines that have others below.
func (l layout) asStrict(name string) *layout {
	l.above, l.strict, l.alike = maxOver, true, alikeInLogs
	if name == "" {
		return &l
	}
	heads := part{name: name}
	last := int32(-1)
	for _, k := range l.over {
		if k > last && l.over[k] < 0 {
			heads.heads = append(heads.heads, int(k))
			last = k
		}
	}
	l.parts = append(l.parts, heads)
	return &l
}

// partOf returns a part that begins at each line for which is returns true.
func partOf(name string, lines []string, is func(line string) bool) part {
	p := part{name: name}
	for k, l := range lines {
		if is(l) {
			p.heads = append(p.heads, k)
		}
	}
	return p
}

// piecesOf returns the leading blanks of a line to keep, the rest as it is kept, and the function that splits the rest.
func (l *layout) piecesOf(line, rest string) (lead, kept string, pieces func(string, func(string, bool))) {
	rest = squeeze(rest)
	switch {
	case l.nested:
		if rest = strings.TrimLeft(rest, drawing+">"); isItem(strings.TrimSpace(line)) {
			rest = "- " + rest
		}
		return "", rest, wholePiece
	case l.indents:
		lead = line[:min(len(line)-len(strings.TrimLeft(line, " ")), maxLead)]
	}
	return lead, rest, eachPiece
}

// leftParts returns how many of the parts are not among the chosen units, for the note.
func (l *layout) leftParts(p *picker, chosen []int32) string {
	shown := map[int]bool{}
	for _, i := range chosen {
		shown[p.units[i].line] = true
	}
	out := ""
	for _, part := range l.parts {
		n := len(part.heads)
		for _, k := range part.heads {
			if shown[k] {
				n -= 1 + part.folded[k]
			}
		}
		if all := len(part.heads); all > 1 {
			out += leftOf(n, all, part.name)
		}
	}
	return out
}

// leftOf formats how many of all are left out, to be followed by other such counts.
func leftOf(n, all int, name string) string {
	if n == 0 {
		return fmt.Sprintf("all %s %s counted, ", withCommas(all), name)
	}
	return fmt.Sprintf("%s of the %s %s, ", withCommas(n), withCommas(all), name)
}

// The worth of lines of layouts, in addition to what lines are worth anywhere.
const (
	decides  = 8  // tells whether all is well, or what has to be done
	matters  = 4  // tells what was done
	acts     = 2  // can be acted on
	fillsOut = -1 // states the obvious
)

// drawing lists the runes that programs draw the branches of trees with.
const drawing = " │├└─┬┼|`+-\u00a0"

// namesOfTree reports whether a drawn tree has names that are more than paths, such as packages.
func namesOfTree(lines []string) bool {
	drawn, names := 0, 0
	for _, l := range lines {
		if i := strings.Index(l, "─"); i >= 0 {
			drawn++
			if strings.ContainsAny(strings.TrimLeft(l[i:], drawing), "@ ") {
				names++
			}
		}
	}
	return names*3 > drawn
}

func drawnLayout(lines []string) *layout {
	return layout{nested: true, over: outlineBy(lines, func(_ int, l string) (int32, bool) {
		name := strings.TrimLeft(l, drawing)
		if name == "" || !strings.Contains(l, "─") && tellsError(l) {
			return 0, false
		}
		return int32(utf8.RuneCountInString(l[:len(l)-len(name)])), true
	}), worth: func(_ int, l string) float64 {
		name := strings.TrimLeft(l, drawing)
		switch {
		case name == "" || l == omission:
			return leave
		case tellsError(l) || strings.Contains(l, "UNMET"):
			return decides
		case strings.HasSuffix(name, " deduped"):
			return fillsOut
		}
		return 0
	}, parts: []part{partOf("entries", lines, func(l string) bool { return strings.Contains(l, "@") && (strings.Contains(l, "─") || l == lines[0]) })}}.asStrict("")
}

// roles are the roles of controls of a page, says the roles of its messages.
var (
	roles = setOf("link button textbox searchbox combobox checkbox radio tab menuitem switch slider spinbutton listbox option treeitem menuitemcheckbox menuitemradio")
	says  = setOf("alert alertdialog dialog heading status log tooltip progressbar")
)

// roleOf returns the role that a line of a page snapshot begins with, and whether it has a name or a text.
func roleOf(line string) (role string, named bool) {
	t := strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(line, " "), "- "), "'")
	n := 0
	for n < len(t) && isLower(t[n]) {
		n++
	}
	return t[:n], strings.ContainsAny(t[n:], "\"") || strings.Contains(t[n:], ": ")
}

// pageLayout reads an accessibility snapshot. Parts of a page without a name say nothing and are left out.
func pageLayout(lines []string) *layout {
	bare := func(l string) bool {
		role, named := roleOf(l)
		return role != "" && !named && !roles[role] && !says[role] && role != "row" && l[0] == ' '
	}
	return layout{nested: true, over: outlineBy(lines, func(_ int, l string) (int32, bool) {
		return int32(idents.Indent(l)), !bare(l) && isItem(strings.TrimSpace(l))
	}), worth: func(_ int, l string) float64 {
		role, _ := roleOf(l)
		switch {
		case bare(l) || strings.HasPrefix(strings.TrimSpace(l), "```"):
			return leave
		case says[role]:
			return decides
		case roles[role] && strings.Contains(l, "[ref="):
			return acts
		case strings.Contains(l, "- /url:"), role == "option", role == "text":
			return fillsOut
		}
		return 0
	}}.asStrict("")
}

// planLayout reads the query plans that EXPLAIN prints.
func planLayout(lines []string) *layout {
	return layout{nested: true, over: outlineBy(lines, func(_ int, l string) (int32, bool) {
		t := strings.TrimLeft(l, " ")
		if hasPrefix(t, "Planning", "Execution", "QUERY PLAN", "(", "Settings", "JIT") || strings.Trim(t, "-") == "" {
			return 0, hasPrefix(t, "Planning:", "JIT:")
		}
		node := strings.Contains(t, "(cost=") || hasPrefix(t, "CTE ", "SubPlan ", "InitPlan ", "Worker ")
		return int32(len(l) - len(strings.TrimLeft(t, "->"+" "))), node
	}), worth: func(_ int, l string) float64 {
		t := strings.TrimLeft(l, " ->")
		switch {
		case t == "" || strings.Trim(t, "-") == "" || strings.HasPrefix(t, "QUERY PLAN"):
			return leave
		case hasPrefix(t, "Execution Time", "Planning Time"):
			return decides
		case hasPrefix(t, "Seq Scan", "Rows Removed", "Parallel Seq Scan"), strings.HasPrefix(t, "(") && strings.HasSuffix(t, " rows)"):
			return matters
		case strings.Contains(t, "(cost="):
			return acts
		case hasPrefix(t, "Output:", "Buffers:", "Buckets:", "Inner Unique"):
			return fillsOut
		}
		return 0
	}}.asStrict("")
}

// changesResource reports whether a line of a plan begins the changes to a resource: its address, followed by "will be"
// or "must be" and the like.
func changesResource(t string) bool {
	address, rest, _ := strings.Cut(strings.TrimPrefix(t, "# "), " ")
	return strings.HasPrefix(t, "# ") && strings.Contains(address, ".") && hasPrefix(rest, "will be ", "must be ", "has changed", "is tainted", "(")
}

// changesLayout reads a Terraform plan.
func changesLayout(lines []string) *layout {
	l := layout{over: outlineBy(lines, func(_ int, l string) (int32, bool) {
		switch t := strings.TrimLeft(l, " "); {
		case changesResource(t), hasPrefix(l, "│ Error:", "│ Warning:"):
			return 0, true
		case t == l && t != "" && !strings.HasPrefix(l, "│ "):
			return -1, false
		}
		return 1, false
	}), worth: func(_ int, l string) float64 {
		t := strings.TrimLeft(l, " ")
		switch {
		case strings.Contains(l, ": Refreshing state..."), strings.Contains(l, ": Reading..."), strings.Trim(t, "{}[](), │╷╵") == "", hasPrefix(t, "Note: You didn't", "guarantee to"), strings.HasPrefix(t, "──"):
			return leave
		case sumsUp(t), hasPrefix(t, "Error:", "│ Error:"):
			return decides + matters
		case hasPrefix(t, "Warning:", "│ "): // the box of an error or a warning
			return matters
		case changesResource(t) && (strings.Contains(t, "replaced") || strings.Contains(t, "destroyed")):
			return decides
		case changesResource(t):
			return matters
		case strings.Contains(l, "forces replacement"), strings.Contains(l, " -> ") && !strings.Contains(l, "-> (known after"), hasPrefix(l, "Changes to Outputs", "  + ", "  ~ ", "  - ", "      + \""):
			return acts
		}
		return fillsOut
	}}.asStrict("")
	l.parts = append(l.parts, partOf("resources", lines, func(l string) bool { return changesResource(strings.TrimLeft(l, " ")) }))
	return l
}

// stacksInLog reports whether lines are a log with stack traces in it.
func stacksInLog(lines []string) bool {
	stacks, frames := 0, 0
	for k, l := range lines {
		switch {
		case isStamped(l):
			continue
		case k > 0 && isStamped(lines[k-1]) && tellsError(lines[k-1]):
			stacks++
		}
		if f, _ := frameOf(l, lines[min(k+1, len(lines)-1)]); f != noFrame {
			frames++
		}
	}
	return stacks > 1 && frames >= 4*stacks && frames*10 >= len(lines)
}

// isStamped reports whether a line begins with the time of an event.
func isStamped(l string) bool {
	return len(l) > 18 && isDigit(l[0]) && (l[4] == '-' || l[4] == '/' || l[2] == ':')
}

// stacksLayout reads a log whose events have stacks: faults first, then what was raised and where in the user's own
// code. Of stacks that differ only in numbers the first is shown, with the number of the others.
func stacksLayout(lines []string) *layout {
	own := false // the frame above is in the user's own code
	again, notes := findRepeatedStacks(lines)
	return layout{notes: notes, over: outlineBy(lines, func(_ int, l string) (int32, bool) {
		if isStamped(l) {
			return 0, true
		}
		return 1, false
	}), worth: func(k int, l string) float64 {
		f, at := frameOf(l, lines[min(k+1, len(lines)-1)])
		code := f == noFrame && own && strings.HasPrefix(l, "    ")
		own = f != noFrame && !isLibrary(at)
		switch {
		case isStamped(l) && tellsError(l):
			return decides
		case isStamped(l):
			return fillsOut
		case again[k]:
			return leave
		case f == noFrame && namesFault(l):
			return decides
		case own, code:
			return matters
		case f != noFrame, strings.HasPrefix(l, " "), strings.TrimSpace(l) == "":
			return leave
		}
		return fillsOut
	}}.asStrict("")
}

// findRepeatedStacks finds the lines of stacks that occurred before, and notes for the events that had them first.
func findRepeatedStacks(lines []string) (again []bool, notes map[int]string) {
	again = make([]bool, len(lines))
	first, count := map[string]int{}, map[int]int{}
	var key []byte
	for k := 0; k < len(lines); {
		head := k
		key = key[:0]
		for k++; k < len(lines) && !isStamped(lines[k]); k++ {
			if f, _ := frameOf(lines[k], lines[min(k+1, len(lines)-1)]); f != noFrame {
				key = appendFrame(key, lines[k])
			} else {
				key = appendWithoutNumbers(key, lines[k], len(lines[k]))
			}
			key = append(key, '\n')
		}
		if k == head+1 || !isStamped(lines[head]) {
			continue
		}
		at, seen := first[string(key)]
		if !seen {
			first[string(key)] = head
			continue
		}
		count[at]++
		for i := head + 1; i < k; i++ {
			again[i] = true
		}
	}
	notes = map[int]string{}
	for at, n := range count {
		notes[at] = " " + note("%v more with this stack", n)
	}
	return again, notes
}

// appendWithoutNumbers appends a line with 0 for each number, up to most bytes of it.
func appendWithoutNumbers(key []byte, line string, most int) []byte {
	most += len(key)
	for i := 0; i < len(line) && len(key) < most; i++ {
		switch c := line[i]; {
		case !isDigit(c):
			key = append(key, c)
		case i == 0 || !isDigit(line[i-1]):
			key = append(key, '0')
		}
	}
	return key
}

// statusLayout reads git status.
func statusLayout(lines []string) *layout {
	staged := false
	return layout{over: outlineBy(lines, func(_ int, l string) (int32, bool) {
		return int32(idents.Indent(l)), l != "" && l[0] != ' ' && l[0] != '\t' && strings.HasSuffix(l, ":")
	}), worth: func(_ int, l string) float64 {
		t := strings.TrimSpace(l)
		if t == l && t != "" {
			staged = t == "Changes to be committed:"
		}
		switch {
		case t == "":
			return leave
		case strings.HasPrefix(t, "both "), strings.Contains(cut(t, 20), " by us:"), strings.Contains(cut(t, 20), " by them:"), strings.HasPrefix(l, "On branch "):
			return decides
		case t == l, strings.HasPrefix(l, "  (") && !strings.Contains(t, "<file>"):
			return matters
		case staged:
			return 0
		}
		return acts
	}, parts: []part{stagedFiles(lines)}}.asStrict("sections")
}

// stagedFiles finds the lines of git status below "Changes to be committed:".
func stagedFiles(lines []string) part {
	staged := false
	return partOf("staged files", lines, func(l string) bool {
		if l != "" && l[0] != ' ' && l[0] != '\t' {
			staged = l == "Changes to be committed:"
		}
		return staged && strings.HasPrefix(l, "\t")
	})
}

// exchangesLayout reads the requests and responses that curl -v prints.
func exchangesLayout(lines []string) *layout {
	return layout{over: outlineBy(lines, func(_ int, l string) (int32, bool) {
		if strings.HasPrefix(l, "> ") && strings.Contains(l, " HTTP/") {
			return 0, true
		}
		return 1, false
	}), worth: func(_ int, l string) float64 {
		switch {
		case hasPrefix(l, "{ [", "} [", "* TLS", "* Added ") || strings.Trim(l, "<> ") == "":
			return leave
		case strings.HasPrefix(l, "curl: ("):
			return decides
		case strings.HasPrefix(l, "< HTTP/"):
			if _, code, _ := strings.Cut(l[2:], " "); code >= "4" {
				return decides
			}
			return matters
		case hasPrefix(l, "< Location:", "< location:", "< Retry-After", "< retry-after"):
			return matters
		}
		return worthOfLine(l)
	}}.asStrict("requests")
}
