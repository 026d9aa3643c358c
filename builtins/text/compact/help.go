package compact

import (
	"cmp"
	"sort"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/idents"
)

// helpEntry is a command or an option with its description, or a line of text without a name.
type helpEntry struct {
	name, text string
	lines      int
	outside    bool // it is not indented below anything
	wanted     bool // the subject names it
	told       bool // the summary describes it
}

// said returns the first sentence of an entry's description.
func (e *helpEntry) said() string {
	text := e.text
	if i := strings.Index(text, ". "); i > 0 {
		text = text[:i+1]
	}
	return clipMiddle(text, helpText)
}

// helpSection is a heading with the entries below it.
type helpSection struct {
	head    string
	entries []helpEntry
}

const (
	minHelp    = 8   // entries
	helpText   = 100 // bytes of an entry's description
	mostName   = 60
	maxName    = 160 // of several options on one line
	longOption = 6   // extra columns of indentation of an option without a short name
	minText    = 4   // lines before the first heading, if there is room for a line of each section
	maxText    = 8   // lines of a section that are not entries
)

// splitEntry splits a line of help at the blanks between a name and its description; ok is false if the line is not an
// entry. An option may be alone on its line, with its text on the next lines.
func splitEntry(t string) (name, text string, ok bool) {
	name, text = splitColumns(t)
	if name == "" {
		return "", "", false
	}
	if name[0] == '-' {
		if name == t {
			name, text = splitOption(t)
		}
		long := strings.TrimLeft(name, "-")
		ok = long != "" && (isAlnum(long[0]) && len(name)-len(long) < 3 || len(name) == 2 || name[2] == ',' || name[2] == ' ') && long[0] != ' '
		return squeeze(clipMiddle(name, maxName)), text, ok
	}
	return name, text, text != "" && len(name) <= mostName && isAlnum(name[0]) && strings.Count(name, " ") <= 3 && !strings.ContainsAny(name, "=;{}|") &&
		strings.IndexByte(":.,", name[len(name)-1]) < 0 && (strings.Contains(text, " ") || isUpper(text[0]))
}

// splitColumns splits a line after the name, or after all names of an option.
func splitColumns(t string) (name, text string) {
	name, text = t, ""
	for from := 0; ; {
		i := strings.Index(t[from:], "  ")
		if tab := strings.IndexByte(t[from:], '\t'); tab > 0 && (i < 0 || tab < i) {
			i = tab
		}
		if i <= 0 {
			break
		}
		name, text = t[:from+i], strings.TrimLeft(t[from+i:], " \t")
		if !strings.HasSuffix(name, ",") {
			break
		}
		from = len(t) - len(text) // the other names of an option
	}
	return name, text
}

// splitOption splits a line at the space after an option and its value: a long option may fill the column of names.
func splitOption(t string) (name, text string) {
	open, last := false, false // inside a value in brackets; after an option
	for i := 0; i < min(len(t), 2*mostName); {
		word, _, _ := strings.Cut(t[i:min(len(t), i+2*mostName)], " ")
		value := word != "" && (word[0] == '<' || word[0] == '[' || last && isUpper(word[0]) && strings.ToUpper(word) == word)
		last = word != "" && word[0] == '-'
		if !open && word != "" && !last && !value {
			return strings.TrimRight(t[:i], " "), t[i:]
		}
		open = (open || word != "" && word[0] == '<') && !strings.Contains(word, ">")
		i += len(word) + 1
	}
	return t, ""
}

// looksLikeHelp reports whether lines are entries, indented below headings, that describe how to use a program.
func looksLikeHelp(lines []string) bool {
	n, entries, options, usage := 0, 0, 0, false
	for _, l := range lines {
		t := strings.TrimSpace(l)
		if t == "" {
			continue
		}
		if hasPrefix(l, "# ", "## ", "```") { // a page about a program
			return false
		}
		n++
		low := strings.ToLower(cut(t, 20))
		usage = usage || hasPrefix(low, "usage:", "usage ") || low == "synopsis" || low == "usage" || n <= fewParts && strings.Contains(t, " help ")
		if _, said, ok := splitEntry(t); ok && isLineBlank(l[0]) {
			entries++
			if t[0] == '-' && said != "" {
				options++
			}
		}
	}
	return entries >= minHelp && (usage && entries*12 >= n || options*3 >= n)
}

// readHelp reads headings and what is indented below them.
func readHelp(text string) []helpSection {
	out := []helpSection{{}}
	indent := 0 // of the entry before
	lines := strings.Split(text, "\n")
	for k, l := range lines {
		t := strings.TrimSpace(l)
		if t == "" {
			continue
		}
		s := &out[len(out)-1]
		n := len(s.entries)
		at := idents.Indent(l)
		name, said, ok := splitEntry(t)
		plain := helpEntry{text: t, lines: 1, outside: at == 0}
		switch {
		case !ok && (at == 0 || strings.HasSuffix(t, ":") && (n == 0 || at <= indent)) && setsIn(lines[k+1:], at):
			out = append(out, helpSection{head: t})
		case !ok && at == 0:
			if s.head != "" { // it is not indented below a heading
				out = append(out, helpSection{})
				s = &out[len(out)-1]
			}
			s.addLine(plain)
		case n > 0 && at > indent+1 && s.entries[n-1].name != "" && !(ok && t[0] == '-' && (at <= indent+longOption || strings.Contains(t, "  "))):
			s.entries[n-1].goOn(t)
			continue
		case ok:
			s.entries = append(s.entries, helpEntry{name: name, text: said, lines: 1})
		default:
			s.entries = append(s.entries, plain)
		}
		indent = at
	}
	return out
}

// addLine adds a line; a line similar to the one before is only counted, such as errors that a program repeats.
func (p *helpSection) addLine(e helpEntry) {
	if n := len(p.entries); n > 0 && p.entries[n-1].name == "" && templateHash(e.text) == templateHash(p.entries[n-1].text) {
		p.entries[n-1].lines++
		return
	}
	p.entries = append(p.entries, e)
}

// goOn adds a line to an entry's description.
func (e *helpEntry) goOn(t string) {
	e.lines++
	if len(e.text) < 2*helpText {
		e.text = strings.TrimSpace(e.text + " " + t)
	}
}

// setsIn reports whether the next non-blank line is indented more than the given number of columns.
func setsIn(lines []string, than int) bool {
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			return idents.Indent(l) > than
		}
	}
	return false
}

// helpDetail limits how much of help is written.
type helpDetail struct {
	names int  // maximum per section
	brief bool // options by one name, without their values
	text  int  // maximum lines of text per section
	said  int  // bytes of descriptions
}

// shortenHelp names every command and option below its heading, and describes as many as fit, starting with the first.
func shortenHelp(text string, bytes int, subject *subject) Summary {
	all := readHelp(text)
	most := 0
	for i := range all {
		most = max(most, len(all[i].entries))
		for k := range all[i].entries {
			e := &all[i].entries[k]
			e.wanted = e.name != "" && (len(subject.wordsOf(e.name)) > 0 || e.name[0] != '-' && tellsError(e.text))
		}
	}
	d := helpDetail{names: most, brief: true}
	fits := func(d helpDetail) bool { out, _ := writeHelp(all, d, bytes); return len(out) <= bytes }
	// Each limit is raised only when those before it are at their maximum, so that more room never shows less.
	d.names = atMost(most, func(n int) bool { d.names = n; return fits(d) })
	if d.text = 1; d.names < most || !fits(d) {
		d.text = 0
	}
	d.said = atMost(len(text), func(n int) bool { d.said = n; return fits(d) })
	if d.said == len(text) {
		least := d.text
		d.text = max(least, atMost(maxText, func(n int) bool { d.text = n; return fits(d) }))
		if d.brief = false; !fits(d) {
			d.brief = true
		}
	}
	out, kept := writeHelp(all, d, bytes)
	lines := 0
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) != "" {
			lines++
		}
	}
	return Summary{Text: out, Units: lines, Kept: kept, lined: true}
}

// atMost returns the highest number up to n for which ok holds, or 0; ok must hold for all numbers below such a number.
func atMost(n int, ok func(int) bool) int {
	return max(0, sort.Search(n+1, func(i int) bool { return !ok(i) })-1)
}

// writeHelp writes help within limits, and stops once it has more than the given number of bytes.
func writeHelp(all []helpSection, d helpDetail, bytes int) (text string, kept int) {
	for _, wanted := range []bool{true, false} {
		for i := range all {
			for k := range all[i].entries {
				e := &all[i].entries[k]
				if e.name == "" || e.wanted != wanted {
					continue
				}
				cost := len(e.said()) + 4
				if e.told = cost > 4 && cost <= d.said; e.told {
					d.said -= cost
				} else if cost > 4 {
					d.said = 0
				}
			}
		}
	}
	var b strings.Builder
	for i := range all {
		if b.Len() > bytes+1 {
			break
		}
		if all[i].head != "" {
			b.WriteString(all[i].head + "\n")
			kept++
		}
		kept += writeEntries(&b, &all[i], d, bytes)
	}
	return strings.TrimSuffix(b.String(), "\n"), kept
}

// writeEntries writes the entries of a section: those without a description several to a line.
func writeEntries(b *strings.Builder, p *helpSection, d helpDetail, bytes int) (kept int) {
	lead := "  "
	if p.head == "" {
		lead = ""
	}
	names, texts, left := 0, 0, 0
	row, last := "", "" // what comes before the next name without a description: lead, a comma
	line := func(text string) {
		if row != "" {
			b.WriteByte('\n')
			row = ""
		}
		b.WriteString(lead + text + "\n")
	}
	for _, e := range p.entries {
		if b.Len() > bytes+1 {
			break
		}
		if e.name == "" {
			if texts++; !p.showsText(&e, texts, d) {
				left += e.lines
				continue
			}
			line(clipMiddle(e.text, 2*helpText))
			kept += e.lines
			continue
		}
		if names++; names > d.names && !e.wanted {
			left++
			continue
		}
		if d.brief {
			e.name = briefName(e.name)
		}
		switch {
		case e.told:
			line(e.name + "  " + e.said())
			if kept++; e.said() == e.text {
				kept += e.lines - 1
			}
		case row == "" || e.name != last:
			b.WriteString(cmp.Or(row, lead) + e.name)
			row = ", "
		}
		last = e.name
	}
	if left > 0 {
		line(note("%v more", left))
	} else if row != "" {
		b.WriteByte('\n')
	}
	return kept
}

// showsText reports whether the nth line of a section that is not an entry is written.
func (p *helpSection) showsText(e *helpEntry, n int, d helpDetail) bool {
	switch {
	case n <= d.text, strings.HasPrefix(strings.ToLower(p.head), "usage"), hasPrefix(e.text, "Usage:", "usage:"):
		return true
	case !e.outside:
		return false
	}
	return d.text > 0 && n <= minText || tellsError(e.text) || sumsUp(e.text) || strings.HasPrefix(e.text, "unknown ")
}

// briefName returns the long name of an option without its other names and its value. A literal value stays, as in
// --help=commands.
func briefName(name string) string {
	if name[0] != '-' || strings.Count(name, " -") > strings.Count(name, ",") { // or several options
		return name
	}
	brief := ""
	for f := range strings.FieldsSeq(name) {
		f = strings.TrimRight(f, ",")
		if i := strings.IndexAny(f, "=["); i > 0 && (f[i] == '[' || strings.Trim(f[i+1:], "abcdefghijklmnopqrstuvwxyz-") != "") {
			f = f[:i]
		}
		if f != "" && f[0] == '-' && len(f) > len(brief) {
			brief = f
		}
	}
	return brief
}
