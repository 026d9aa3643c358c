package keylines

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// Line is a key line of a definition.
type Line struct {
	Line int
	Text string
}

// Ask holds the criteria for selecting lines.
type Ask struct {
	Terms *Terms
	// Happens reports that the query is about what happens next, failures first.
	Happens bool
	// Known returns the extra value of a call that leads to a definition of the tree, about 0.5. If nil, no call has any.
	Known func(Call) float64
	// Most limits the number of lines.
	Most int
}

// Lines returns the key lines of a definition, best first.
func (t *Text) Lines(d symbols.Def, ask Ask) []Line {
	units := unitsOf(t.body(d))
	c := chooser{ask: ask, own: ask.Terms.indexesIn(d.Name + " " + d.Container), seen: map[string]bool{d.Name: true}}
	c.weighUnits(units)
	var out []Line
	for len(out) < ask.Most {
		i, worth := c.bestUnit(units)
		if i < 0 || worth < minWorth {
			break
		}
		c.takeUnit(i, units[i])
		text := units[i].text
		if bareWord(text) {
			continue
		}
		if units[i].kind == remark {
			text = bestSentence(text, ask.Terms)
		}
		out = append(out, Line{units[i].line, contract.Shorten(text, maxLine)})
	}
	return out
}

// bareWord reports whether a line only opens or separates a block and so carries no information.
func bareWord(text string) bool {
	switch strings.Trim(text, "{}:; \t") {
	case "", "begin", "case", "default", "do", "else", "end", "finally", "loop", "switch", "then", "try":
		return true
	}
	return false
}

// bestSentence returns the sentence of a comment that contains the most terms, preceded by the comment mark.
func bestSentence(text string, terms *Terms) string {
	mark, rest, ok := strings.Cut(text, " ")
	if !ok {
		return text
	}
	best, most := rest, -1.0
	for _, s := range splitSentences(rest) {
		if w := terms.Weigh(s); w > most {
			best, most = s, w
		}
	}
	return mark + " " + best
}

// Calls returns the calls of a definition in order, each name once.
func (t *Text) Calls(d symbols.Def) []Call {
	var out []Call
	seen := map[string]bool{d.Name: true}
	for _, s := range t.body(d) {
		for _, c := range s.calls {
			if !seen[c.Name] {
				seen[c.Name] = true
				out = append(out, c)
			}
		}
	}
	return out
}

// InOrder returns the lines in the order of the file.
func InOrder(lines []Line) []Line {
	out := slices.Clone(lines)
	slices.SortStableFunc(out, func(a, b Line) int { return cmp.Compare(a.Line, b.Line) })
	return out
}

// body returns the statements of a definition, without the header if it is a function.
func (t *Text) body(d symbols.Def) []statement {
	list := t.splitStatements(d.Line, d.EndLine)
	switch d.Kind {
	case symbols.KindFunction, symbols.KindMethod, symbols.KindMacro:
		if n := t.headOf(list); len(list) > n {
			return list[n:]
		}
		if d.EndLine > d.Line || len(list) == 0 {
			return nil
		}
	}
	return list
}

// headOf returns the number of statements in the header of a function: more than one if a type or an exception is on a
// line of its own before the brace.
func (t *Text) headOf(list []statement) int {
	switch t.lang {
	case symbols.Python, symbols.Ruby, symbols.Shell, symbols.Scala, symbols.Lua, symbols.Elixir, symbols.Haskell, symbols.Make:
		return 1
	}
	const most = 4
	for i := range list[:min(len(list), most)] {
		if list[i].opens {
			return i + 1
		}
	}
	return 1
}

// strayFail is subtracted from a failure that contains no term of the query, unless the query asks what happens.
const strayFail = 0.5

// minWorth is the value below which a line is not shown.
const minWorth = 0.15

// chooser selects the best unit, then the best of the rest given those already taken, and so on.
type chooser struct {
	ask           Ask
	own           []int   // terms of the definition's own name
	held          [][]int // terms of each unit
	noted         [][]int // terms of the comment above each unit
	base          []float64
	terms         []float64 // remaining value of each term
	names         [][]string
	taken         []bool
	seen          map[string]bool
	told, remarks int
}

// weighUnits computes what does not depend on the units taken.
func (c *chooser) weighUnits(units []unit) {
	n := len(units)
	c.held, c.noted, c.base, c.names, c.taken = make([][]int, n), make([][]int, n), make([]float64, n), make([][]string, n), make([]bool, n)
	c.terms = slices.Clone(c.ask.Terms.weights)
	in := make([]int, len(c.terms))
	for i, u := range units {
		c.held[i], c.noted[i] = c.ask.Terms.indexesIn(u.text), c.ask.Terms.indexesIn(u.note)
		if u.kind != remark {
			for _, t := range c.held[i] {
				in[t]++
			}
		}
		c.base[i], c.names[i] = c.worthOf(u), namesIn(u.code)
		if u.kind == fail && !c.ask.Happens && len(c.held[i]) == 0 && len(c.noted[i]) == 0 {
			c.base[i] -= strayFail
		}
	}
	for t := range c.terms {
		c.terms[t] /= math.Sqrt(float64(max(in[t], 1)))
	}
	for _, t := range c.own {
		c.terms[t] *= ownWeight
	}
}

// worthOf returns the value of a unit by its form alone.
func (c *chooser) worthOf(u unit) float64 {
	w := 0.0
	switch u.kind {
	case fail:
		w = 0.8
		if c.ask.Happens {
			w = 1.2
		}
		if len(namesIn(u.code)) == 0 && len(u.text) == len(u.code) {
			w = -0.5 // raise exc
		}
	case leave:
		w = 0.2
		if u.guard && passesOn(u.code) {
			return -0.5
		}
		if bareLeave(u.code) && !u.guard {
			return -1
		}
	case condition:
		w = 0.15
		if !u.guard && passesOn(u.code) {
			return -0.5
		}
	case log:
		w = -0.6
	case declare:
		w = -0.3
	case remark:
		w = -0.2 // its terms must make up for this
	}
	if u.kind != remark && isKeyword(u.code) {
		return -1 // switch, else:
	}
	if u.guard {
		w += 0.1
		if u.kind == fail || u.kind == leave {
			w += 0.2
		}
	}
	if c.ask.Known != nil {
		known := 0.0
		for _, call := range u.calls {
			known = max(known, c.ask.Known(call))
		}
		w += known
	}
	if hasConstant(u.code) {
		w += 0.3
	}
	return w - 0.04*float64(min(u.nested, 5))
}

// passesOn reports whether a guard only checks for a missing value or an error: if err != nil { return err }.
func passesOn(code string) bool {
	if len(namesIn(code)) > 0 || hasConstant(code) {
		return false
	}
	for rest := code; rest != ""; {
		var w string
		w, rest = firstWord(rest)
		if nothing[w] {
			return true
		}
		if w == "" {
			rest = rest[min(1, len(rest)):]
		}
	}
	return false
}

// nothing lists the words for a missing value, and for an error as such.
var nothing = words.Set("nil null NULL none None undefined err error ok nullptr Nil")

// isKeyword reports whether a statement is nothing more than a keyword.
func isKeyword(code string) bool {
	w, rest := firstWord(code)
	return (conditionWords[w] || loopWords[w] || blockWords[w]) && strings.Trim(rest, " :{(") == ""
}

// blockWords lists words that open a block and carry no information of their own.
var blockWords = words.Set("try finally begin ensure do unsafe")

// bareLeave reports whether a statement leaves without an informative value.
func bareLeave(code string) bool {
	_, rest := firstWord(code)
	return !strings.ContainsAny(rest, "(.[{ ")
}

// bestUnit returns the unit that adds most to those already taken, or -1 if none is left.
func (c *chooser) bestUnit(units []unit) (int, float64) {
	at, most := -1, 0.0
	for i := range units {
		if c.taken[i] {
			continue
		}
		w := c.base[i]
		if units[i].kind == remark {
			w += c.remarkWorth(i)
		} else {
			for _, t := range c.held[i] {
				w += c.terms[t]
			}
		}
		for _, t := range c.noted[i] {
			if !slices.Contains(c.held[i], t) {
				w += 0.25 * c.terms[t]
			}
		}
		fresh := 0
		for _, n := range c.names[i] {
			if !c.seen[n] {
				fresh++
			}
		}
		w += 0.12 * float64(min(fresh, 4))
		if len(c.names[i]) > 0 && fresh == 0 {
			w -= 0.15
		}
		if at < 0 || w > most {
			at, most = i, w
		}
	}
	return at, most
}

// remarkWorth returns the value of a comment by its terms, of which it needs two. Unlike for code, a term keeps its
// weight however often the code contains it.
func (c *chooser) remarkWorth(i int) float64 {
	if len(c.held[i]) < 2 || c.remarks >= 1+c.told/6 {
		return -1
	}
	w := 0.0
	for _, t := range c.held[i] {
		x := 0.6 * c.ask.Terms.weights[t]
		if slices.Contains(c.own, t) {
			x *= ownWeight
		}
		w += x
	}
	return w
}

// takeUnit marks a unit as taken, and lowers the value of its terms and names.
func (c *chooser) takeUnit(i int, u unit) {
	c.taken[i] = true
	c.told++
	if u.kind == remark {
		c.remarks++
		return // prose names no code: lines that do keep their value
	}
	for _, t := range c.held[i] {
		c.terms[t] *= 0.6
	}
	for _, n := range c.names[i] {
		c.seen[n] = true
	}
}

// namesIn returns the names in a statement that are informative: those of two or more words.
func namesIn(code string) []string {
	var out []string
	for i := 0; i < len(code); {
		if !wordByte(code[i]) {
			i++
			continue
		}
		end := i
		for end < len(code) && wordByte(code[end]) {
			end++
		}
		n := 0
		eachWord(code[i:end], func(string) { n++ })
		if n > 1 && !slices.Contains(out, code[i:end]) {
			out = append(out, code[i:end])
		}
		i = end
	}
	return out
}

// hasConstant reports whether a text contains a name in capitals.
func hasConstant(code string) bool {
	run := 0
	for i := 0; i <= len(code); i++ {
		switch {
		case i < len(code) && (code[i] >= 'A' && code[i] <= 'Z' || code[i] == '_'):
			run++
		case i < len(code) && wordByte(code[i]):
			run = -1 << 20
		default:
			if run > 3 {
				return true
			}
			run = 0
		}
	}
	return false
}

// Weigh returns the total weight of the terms in a definition and its comment.
func (t *Text) Weigh(d symbols.Def, terms *Terms) float64 {
	return terms.Weigh(d.Doc) + t.coverage(d, terms, nil)
}

// HandsOn reports whether the body of a function is a single call, so that the callee does the work.
func (t *Text) HandsOn(d symbols.Def) bool {
	list := t.body(d)
	return len(list) == 1 && len(list[0].calls) > 0
}

// Trivial reports whether a body is empty or a single statement without calls.
func (t *Text) Trivial(d symbols.Def) bool {
	list := t.body(d)
	return len(list) == 0 || len(list) == 1 && len(list[0].calls) == 0
}
