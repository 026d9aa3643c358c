package leads

import (
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// tableOf is a list in the code to which one more entry can be added.
type tableOf struct {
	at      usage.FileDef
	entries int
	line    int    // of the entry that is shown
	text    string // its text
	score   float64
}

// These bound the search for tables.
const (
	minEntries  = 6
	tableLines  = 2500
	tablesShown = 2
)

var (
	// entryHead matches an entry: a key with a value, or a value alone.
	entryHead = lazyregexp.New("^(?:[\"'`:]?[\\w./$-]+[\"'`]?\\s*(?:=>|:)\\s*)?(?:&|\\*|@|new )?[\"'`\\[({]?[\\w.$:]*[^;=]*[,({\\[]$")
	// entryNot matches a statement.
	entryNot = lazyregexp.New(`^(?:if|for|while|return|switch|case|func|function|def|class|else|elif|try|import|use|package|defer|go|throw|raise|assert|public|private|static|const|let|var|type)\b|:=|[^=!<>]=[^=>]|\) \{$`)
	// entryValue matches the name at the end of an entry.
	entryValue = lazyregexp.New(`([A-Za-z_]\w*)(?:\(\))?\s*[,)}\]]*$`)
)

// tables finds the lists that hold the kind of thing to be added: a map of functions, an array of
// commands.
func (e *extension) tables(located []*source.File, head string) []tableOf {
	var out []tableOf
	for i, src := range located {
		var lines []string
		for _, d := range src.Defs {
			n := d.EndLine - d.Line
			if n < minEntries || n > tableLines || d.Kind.IsType() {
				continue
			}
			have := stemsOf(d.Name)
			if head != "" && !hasStem(have, head) {
				continue
			}
			share := stemShare(e.want, d.Name)
			if share == 0 {
				continue
			}
			if lines == nil {
				lines = strings.Split(string(src.Data), "\n")
			}
			if t, ok := readTable(lines, d); ok {
				t.at = usage.FileDef{File: src, Def: d}
				t.score = share + 0.3*share/float64(len(have)) - 0.03*float64(i) + min(float64(t.entries), 40)*.005
				out = append(out, t)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b tableOf) int {
		if a.score != b.score {
			if a.score > b.score {
				return -1
			}
			return 1
		}
		return strings.Compare(a.at.Ref(), b.at.Ref())
	})
	return out
}

// readTable counts the entries of a definition that is mostly a list.
func readTable(lines []string, d symbols.Def) (tableOf, bool) {
	type level struct{ entries, others, first int }
	levels := map[int]*level{}
	for i := d.Line; i < min(d.EndLine-1, len(lines)); i++ { // between its first and its last line
		l := lines[i]
		s := strings.TrimSpace(l)
		if s == "" || len(l) > 400 || strings.IndexByte("})]/#*", s[0]) >= 0 {
			continue
		}
		if at := strings.Index(s, " //"); at > 0 {
			s = strings.TrimSpace(s[:at])
		}
		indent := len(l) - len(strings.TrimLeft(l, " \t"))
		v := levels[indent]
		if v == nil {
			v = &level{}
			levels[indent] = v
		}
		if entryHead.MatchString(s) && !entryNot.MatchString(s) {
			if v.entries++; v.first == 0 {
				v.first = i + 1
			}
		} else {
			v.others++
		}
	}
	for indent := range 40 { // the outermost level first
		v := levels[indent]
		if v == nil || v.entries < minEntries || v.entries < 4*v.others {
			continue
		}
		return tableOf{entries: v.entries, line: v.first, text: strings.TrimSpace(lines[v.first-1])}, true
	}
	return tableOf{}, false
}

// addTo says which lists to add to, and which of their entries to follow.
func (e *extension) addTo(located []*source.File, tables []tableOf) {
	shown := 0
	for _, t := range tables {
		if shown == tablesShown || t.score < .6*tables[0].score {
			return
		}
		verb := "Add it to"
		if shown > 0 {
			verb = "and to"
		}
		src := t.at.File
		line := fmt.Sprintf("%s %s, which lists %d: `%s`", verb, source.Cite(source.QualifiedName(t.at.Def, src.Lang), t.at.Ref()), t.entries, strings.ReplaceAll(contract.Shorten(t.text, 90), "`", "'"))
		if m := entryValue.FindStringSubmatch(t.text); m != nil {
			if f, ok := functionNamed(located, m[1]); ok {
				line += "; follow " + source.Cite(f.Def.Name, f.Ref()) + ": `" + contract.Shorten(f.Def.Signature, 120) + "`"
			}
		}
		if !e.addLine(src, t.at.Ref(), line) {
			return
		}
		shown++
		e.sure = true
	}
}

// functionNamed finds a function or class of that name among the sources.
func functionNamed(located []*source.File, name string) (usage.FileDef, bool) {
	for _, src := range located {
		for _, d := range src.Defs {
			if d.Name == name && (d.Kind == symbols.KindFunction || d.Kind == symbols.KindMethod || d.Kind == symbols.KindClass) {
				return usage.FileDef{File: src, Def: d}, true
			}
		}
	}
	return usage.FileDef{}, false
}
