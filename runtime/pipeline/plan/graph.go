package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// sort resolves needs, reports unknown ones and cycles, and orders the stages so that each
// follows those it needs. Of the stages that are ready, the one written first comes first,
// so the order never depends on map iteration. It reports whether the graph is sound.
func (g *graph) sort() bool {
	sound := true
	for _, name := range g.order {
		sound = g.resolveNeeds(g.stages[name], g.sourceOf(name)) && sound
	}
	if !sound {
		return false
	}
	var stuck []string
	g.p.Stages, stuck = sortTopologically(g.order, g.stages)
	if len(stuck) > 0 {
		g.reportCycle(stuck)
		return false
	}
	return true
}

func (g *graph) resolveNeeds(s *Stage, src config.Stage) bool {
	s.Needs = src.Needs
	if len(src.Needs) == 0 {
		s.Needs = g.impliedNeeds(src)
	}
	sound := true
	for i, n := range s.Needs {
		switch {
		case n == s.Name:
			d := g.at("C115", g.stagePath(s.Name, "needs")...)
			d.Message = "stage \"" + n + "\" needs itself"
			g.report(d)
			sound = false
		case g.stages[n] == nil:
			g.reportUnknown("C100", "stage", n, g.order, g.stagePath(s.Name, "needs", strconv.Itoa(i))...)
			sound = false
		}
	}
	return sound
}

// impliedNeeds derives needs from the expressions of a stage that declares none.
func (g *graph) impliedNeeds(src config.Stage) []string {
	found := map[string]bool{}
	for _, v := range src.Values() {
		for _, name := range namesIn(v.Expr) {
			found[name] = found[name] || (g.stages[name] != nil && name != src.Name)
		}
	}
	var out []string
	for _, name := range g.order {
		if found[name] {
			out = append(out, name)
		}
	}
	return out
}

// namesIn lists the identifiers of an expression; none if it does not parse, which
// compileAt reports with its position.
func namesIn(text string) []string {
	if text == "" {
		return nil
	}
	tree, err := parser.Parse(text)
	if err != nil {
		return nil
	}
	var v identifiers
	ast.Walk(&tree.Node, &v)
	return v.names
}

func sortTopologically(order []string, stages map[string]*Stage) (sorted []*Stage, stuck []string) {
	done := map[string]bool{}
	for len(sorted) < len(order) {
		before := len(sorted)
		for _, name := range order {
			ready := !done[name]
			for _, n := range stages[name].Needs {
				ready = ready && done[n]
			}
			if ready {
				done[name] = true
				sorted = append(sorted, stages[name])
				break
			}
		}
		if len(sorted) == before {
			for _, name := range order {
				if !done[name] {
					stuck = append(stuck, name)
				}
			}
			return nil, stuck
		}
	}
	return sorted, nil
}

// reportCycle reports one cycle at each of its members.
func (g *graph) reportCycle(stuck []string) {
	trail := g.findCycle(stuck)
	text := strings.Join(append(trail, trail[0]), " -> ")
	for _, name := range trail {
		d := g.at("C115", g.stagePath(name, "needs")...)
		d.Message = "stages need each other in a circle: " + text
		d.Help = "to try several times, give them a pipeline of their own and run that with repeat"
		g.report(d)
	}
}

func (g *graph) findCycle(stuck []string) []string {
	in := map[string]bool{}
	for _, s := range stuck {
		in[s] = true
	}
	var trail []string
	at := stuck[0]
	for !slices.Contains(trail, at) {
		trail = append(trail, at)
		for _, n := range g.stages[at].Needs {
			if in[n] {
				at = n
				break
			}
		}
	}
	return trail[slices.Index(trail, at):]
}

// env returns the environment that the expressions of s can see; for a nil stage, all stages.
func (g *graph) env(s *Stage) *schema.Schema {
	env := &schema.Schema{Type: schema.Object, Fields: []schema.Field{
		{Name: envInput, Schema: g.p.Input}, {Name: envRoots, Schema: rootsSchema}, {Name: envCollections, Schema: collectionsSchema}, {Name: envSession, Schema: sessionSchema}}}
	visible := g.ancestors(s)
	for _, name := range g.order {
		if s == nil || visible[name] {
			env.Fields = append(env.Fields, schema.Field{Name: name, Schema: g.outcomeSchema(g.stages[name])})
		}
	}
	return env
}

// outcomeSchema returns the schema of a stage as others see it. It is cached, because every later stage sees it.
func (g *graph) outcomeSchema(s *Stage) *schema.Schema {
	if g.outcomes[s.Name] == nil {
		out := OutcomeSchema(s.seenSchema())
		if s.Repeat != nil {
			out.Fields = append(out.Fields, roundFields(s.Out)[1:]...) // previous is read within the stage alone
		}
		g.outcomes[s.Name] = out
	}
	return g.outcomes[s.Name]
}

func (g *graph) ancestors(s *Stage) map[string]bool {
	seen := map[string]bool{}
	if s == nil {
		return seen
	}
	todo := slices.Clone(s.Needs)
	for len(todo) > 0 {
		n := todo[0]
		todo = todo[1:]
		if !seen[n] {
			seen[n] = true
			todo = append(todo, g.stages[n].Needs...)
		}
	}
	return seen
}

// fieldsNear lists the fields that could replace an unknown one, by following the path
// before it: names, elements in brackets, and ?. as well as a dot.
func fieldsNear(env *schema.Schema, src string, at *exprProblem) []string {
	runes := []rune(src)
	start := min(at.From, len(runes))
	var steps []string // from the last; "" for an element
	for word := start; ; {
		for start > 0 && (runes[start-1] == '_' || isWord(runes[start-1])) {
			start--
		}
		if start < word {
			steps = append(steps, string(runes[start:word]))
		}
		switch {
		case start > 0 && (runes[start-1] == '.' || runes[start-1] == '?'):
			start--
		case start > 0 && runes[start-1] == ']':
			if start = openingBracket(runes, start-1); start < 0 {
				return nil
			}
			steps = append(steps, "")
		default:
			return fieldsAt(env, steps)
		}
		word = start
	}
}

// openingBracket returns the index of the bracket that matches the one at end, or -1.
func openingBracket(runes []rune, end int) int {
	depth := 0
	for i := end; i >= 0; i-- {
		switch runes[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// fieldsAt lists the fields that a path leads to; steps has its last step first.
func fieldsAt(s *schema.Schema, steps []string) []string {
	for _, step := range slices.Backward(steps) {
		switch f := s.Field(step); {
		case step == "" && s.Type == schema.Array && s.Items != nil:
			s = s.Items
		case f != nil:
			s = f.Schema
		default:
			return nil
		}
	}
	return s.Names()
}

func isWord(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
