package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize/fence"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
)

// tool is a granted builtin under a name that every server accepts.
type tool struct {
	name    string
	builtin catalog.Builtin
}

// toolsOf returns exactly the tools that the role grants.
func toolsOf(role *plan.Role) []tool {
	var out []tool
	for _, g := range role.Tools {
		out = append(out, tool{name: strings.ReplaceAll(g.Builtin.Name, ".", "_"), builtin: g.Builtin})
	}
	return out
}

func namesOf(tools []tool) []string {
	out := make([]string, len(tools))
	for i, t := range tools {
		out[i] = t.name
	}
	return out
}

// toolNamed resolves a name to a tool: it may differ in case or punctuation, or omit what
// comes before the dot. A name that matches no tool is returned in a form that can be quoted.
func (e *toolLoop) toolNamed(name string) string {
	folded := bareName(name)
	last := ""
	for _, t := range e.tools {
		if bareName(t.name) == folded {
			return t.name
		}
		if _, tail, ok := strings.Cut(t.name, "_"); ok && bareName(tail) == folded {
			if last != "" {
				return safeName(name)
			}
			last = t.name
		}
	}
	if last != "" {
		return last
	}
	return safeName(name)
}

func bareName(name string) string {
	name = strings.TrimPrefix(strings.ToLower(name), "functions.")
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, name)
}

func (e *toolLoop) findTool(name string) (tool, bool) {
	for _, t := range e.tools {
		if t.name == name {
			return t, true
		}
	}
	return tool{}, false
}

// inWords describes the tools to a model whose server passes none on.
func inWords(tools []tool) string {
	var b strings.Builder
	b.WriteString("To call a tool, write one JSON object on a line of its own and nothing else, such as\n")
	fmt.Fprintf(&b, `{"name": %q, "arguments": {%q: "…"}}`, tools[0].name, firstArgument(tools[0].builtin.In))
	b.WriteString("\nThe tools:")
	for _, t := range tools {
		b.WriteString("\n- " + shortForm(t) + ": " + t.builtin.Doc)
	}
	return b.String()
}

func firstArgument(s *schema.Schema) string {
	if len(s.Fields) == 0 {
		return "…"
	}
	return s.Fields[0].Name
}

// shortForm returns a tool's name with its arguments, the optional ones in brackets.
func shortForm(t tool) string {
	var args []string
	for _, f := range t.builtin.In.Fields {
		arg := f.Name + " " + f.Schema.Type
		if f.Schema.Type == schema.Any {
			arg = f.Name
		}
		if !f.Required {
			arg = "[" + arg + "]"
		}
		args = append(args, arg)
	}
	return t.name + "(" + strings.Join(args, ", ") + ")"
}

// Token limits of results.
const (
	turnResults = 12_000
	oneResult   = 4_000
)

// runCalls runs the calls of a turn one after another and stores their results.
func (e *toolLoop) runCalls(ctx context.Context, next *turnTaken) {
	room := min(turnResults, e.window/3)
	fresh := false
	for i, c := range next.calls {
		c.id = fmt.Sprintf("call%05d", len(e.talk.turns)*callsMost+i)
		text, raw := e.runCall(ctx, c)
		text, cut := e.resultText(ctx, c, e.mask(text), raw, min(oneResult, room))
		c.result = fence.Wrap(text, e.question+c.id)
		c.tokens = model.Estimate(c.result)
		room = max(room-c.tokens, 120)
		fresh = e.seen.recordResult(raw, text, cut) || fresh
	}
	if e.dull++; fresh {
		e.dull = 0
	}
}

// runCall runs one call. It returns the text for the model and the JSON of the result, if any.
func (e *toolLoop) runCall(ctx context.Context, c *call) (string, json.RawMessage) {
	c.arguments = "{}"
	t, ok := e.findTool(c.name)
	if !ok {
		e.env.Tally.Add(func(u *catalog.ModelUse) { u.Refused++ })
		text := "there is no tool " + c.name
		if near := diag.Nearest(c.name, namesOf(e.tools)); near != "" {
			text += "; did you mean " + near + "?"
		}
		return text + " The tools are: " + strings.Join(namesOf(e.tools), ", "), nil
	}
	input, err := e.repairArguments(t, c)
	if err != nil {
		return err.Error() + "\nIt takes: " + shortForm(t), nil
	}
	if data, err := json.Marshal(input); err == nil {
		c.arguments = sanitize.Neutral(e.mask(string(data)))
	}
	key := c.name + c.arguments
	if old := e.asked[key]; old != nil && !old.left {
		return "already asked, result above", nil
	}
	e.asked[key] = c
	if err := e.env.Ledger.Step(1); err != nil {
		return "no more calls: " + err.Error(), nil
	}
	e.made++
	e.env.Tally.Add(func(u *catalog.ModelUse) { u.Tools++ })
	e.env.Progress(catalog.Progress{Message: "calling " + t.builtin.Name,
		Model: &catalog.Speech{Role: e.role.Name, Model: e.gate.Name, Doing: catalog.Calling + t.builtin.Name}})
	out, err := runTool(ctx, t.builtin, e.envOf(), input)
	if err != nil {
		return err.Error(), nil
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return "the result cannot be shown", nil
	}
	switch r := out.(type) {
	case contract.ToolResult:
		return sanitize.Strip(upstreamText(r)), raw
	case *contract.ToolResult:
		return sanitize.Strip(upstreamText(*r)), raw
	}
	return render.Reply(raw, t.builtin.Out, render.Text), raw
}

// runTool runs a builtin; if it panics on a model's arguments, only the call fails, not the role.
func runTool(ctx context.Context, b catalog.Builtin, env *catalog.Env, input map[string]any) (out any, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New(b.Name + " broke on these arguments; try others")
		}
	}()
	return b.Run(ctx, env, input)
}

// fitText returns text cut at a line end to at most room tokens, and whether it was cut.
func fitText(text string, room int) (string, bool) {
	text = strings.TrimRight(text, "\n")
	used, lines := 0, strings.SplitAfter(text, "\n")
	var b strings.Builder
	for i, line := range lines {
		if used += model.Estimate(line) + 3; used > room-30 {
			if i == 0 { // a single line too large for the room
				b.WriteString(strings.ToValidUTF8(line[:min(len(line), room)], "") + "\n")
			}
			fmt.Fprintf(&b, "(%d more lines are left out; ask for less, or for what comes after)", len(lines)-max(i, 1))
			return b.String(), true
		}
		b.WriteString(line)
	}
	return b.String(), false
}
