package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

func (a *app) builtins() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:     "builtins [NAME]",
		GroupID: "config",
		Short:   "List what stages and roles can run: builtins, tasks and checks",
		Long: `List what a configuration can name: the builtins that a stage runs or that ground
a role, the tasks that a role's model can be asked, and the checks of what it says.
With a name it shows what goes in and comes out, field by field.`,
		Example: `  compactor builtins
  compactor builtins code.grep
  compactor builtins --format json | jq '.tasks[].name'`,
		Args:              requireArgs(0, 1, ""),
		ValidArgsFunction: completeParts,
		RunE: func(_ *cobra.Command, args []string) error {
			all := allParts()
			if len(args) == 0 {
				return a.printParts(all, format)
			}
			p, kind, ok := all.find(args[0])
			if !ok {
				return exit{exitInvalid, noPart(args[0], all.names())}
			}
			if format == "json" {
				return printJSON(a.out, p)
			}
			return a.printPart(p, kind)
		},
	}
	formatFlag(cmd, &format, "text", "json")
	return cmd
}

// part is a builtin, a task or a check.
type part struct {
	Name   string          `json:"name"`
	Doc    string          `json:"doc"`
	Ground bool            `json:"ground,omitempty"` // can ground a role; a task with it works on what a grounding builtin found
	Input  json.RawMessage `json:"input,omitempty"`  // left out if the role defines it
	Output json.RawMessage `json:"output,omitempty"`
	Checks []string        `json:"checks,omitempty"`

	in, out *schema.Schema
}

// parts holds everything that a configuration can name.
type parts struct {
	Builtins []part `json:"builtins"`
	Tasks    []part `json:"tasks"`
	Checks   []part `json:"checks"`
}

func allParts() (all parts) {
	for _, b := range builtins.All(func(text string) string { return text }) {
		all.Builtins = append(all.Builtins, typedPart(part{Name: b.Name, Doc: b.Doc, Ground: b.Grounds(), in: b.In, out: b.Out}))
	}
	tasks := task.All()
	for _, name := range tasks.Names() {
		t, _ := tasks.Get(name)
		all.Tasks = append(all.Tasks, typedPart(part{Name: name, Doc: t.Doc, Ground: t.Ground, Checks: t.Checks, in: t.In, out: t.Out}))
	}
	for _, c := range task.Checks() {
		all.Checks = append(all.Checks, part{Name: c.Name, Doc: c.Doc})
	}
	return all
}

func typedPart(p part) part {
	if p.in != nil {
		p.Input = p.in.JSON()
	}
	if p.out != nil {
		p.Output = p.out.JSON()
	}
	return p
}

// kinds returns the lists of parts, each with the word for one of its parts.
func (all parts) kinds() []struct {
	kind string
	list []part
} {
	return []struct {
		kind string
		list []part
	}{{"builtin", all.Builtins}, {"task", all.Tasks}, {"check", all.Checks}}
}

func (all parts) find(name string) (p part, kind string, ok bool) {
	for _, k := range all.kinds() {
		for _, p := range k.list {
			if p.Name == name {
				return p, k.kind, true
			}
		}
	}
	return part{}, "", false
}

func (all parts) names() []string {
	var names []string
	for _, k := range all.kinds() {
		for _, p := range k.list {
			names = append(names, p.Name)
		}
	}
	return names
}

func noPart(name string, have []string) string {
	if near := diag.Nearest(name, have); near != "" {
		return fmt.Sprintf("there is no builtin, task or check %s; did you mean %s?", oneLine(name), near)
	}
	return fmt.Sprintf("there is no builtin, task or check %s; compactor builtins lists them", oneLine(name))
}

func (a *app) printParts(all parts, format string) error {
	if format == "json" {
		return printJSON(a.out, all)
	}
	for i, k := range all.kinds() {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		_ = screen.Paint(a.out, screen.Heading, k.kind+"s")
		fmt.Fprintln(a.out)
		var table [][]string
		for _, p := range k.list {
			table = append(table, []string{"  " + p.Name, p.Doc})
			if k.kind != "check" {
				table = append(table, []string{"", p.describeFlow()})
			}
		}
		if err := screen.Table(a.out, nil, table); err != nil {
			return exit{exitBroken, err.Error()}
		}
	}
	return nil
}

// describeFlow returns the names of the inputs and outputs on one line; optional ones end in a question mark.
func (p part) describeFlow() string {
	names := func(s *schema.Schema) string {
		if s == nil {
			return "as the role has it"
		}
		var out []string
		for _, f := range s.Fields {
			mark := ""
			if !f.Required {
				mark = "?"
			}
			out = append(out, f.Name+mark)
		}
		if len(out) == 0 {
			return s.Line()
		}
		return strings.Join(out, ", ")
	}
	in := names(p.in)
	if p.Ground && p.in == nil { // a task
		in = "what the role's builtin found"
	}
	return in + " -> " + names(p.out)
}

func (a *app) printPart(p part, kind string) error {
	fmt.Fprintf(a.out, "%s  (%s)\n%s\n", p.Name, kind, p.Doc)
	switch {
	case kind == "builtin" && p.Ground:
		fmt.Fprintln(a.out, "It can ground a role.")
	case p.Ground:
		fmt.Fprintln(a.out, "It works on what the role's grounding builtin found.")
	}
	if len(p.Checks) > 0 {
		fmt.Fprintf(a.out, "It brings the checks %s.\n", strings.Join(p.Checks, ", "))
	}
	if kind == "check" {
		return nil
	}
	for _, side := range []struct {
		name string
		of   *schema.Schema
	}{{"input", p.in}, {"output", p.out}} {
		if err := a.printFields(side.name, side.of); err != nil {
			return exit{exitBroken, err.Error()}
		}
	}
	return nil
}

func (a *app) printFields(name string, of *schema.Schema) error {
	if of == nil {
		fmt.Fprintf(a.out, "\n%s: as the role has it, in #%s\n", name, name)
		return nil
	}
	fmt.Fprintf(a.out, "\n%s:\n", name)
	table := fieldRows(of, "  ")
	if len(of.Fields) == 0 {
		table = append(table, []string{"  " + of.Line()})
	}
	return screen.Table(a.out, nil, table)
}

// fieldRows returns a row for each field of a type, followed by the rows of the fields nested in it.
func fieldRows(of *schema.Schema, indent string) (rows [][]string) {
	for _, f := range of.Fields {
		mark := ""
		if !f.Required && f.Schema.Default == nil {
			mark = "?"
		}
		line, inner := f.Schema.Line(), fieldsWithin(f.Schema)
		if inner != nil {
			line = nestingOf(f.Schema)
		}
		rows = append(rows, []string{indent + f.Name + mark, line, f.Schema.Doc})
		if inner != nil {
			rows = append(rows, fieldRows(inner, indent+"  ")...)
		}
	}
	return rows
}

// fieldsWithin returns the type whose fields a value holds: its own type or the type of its
// entries; nil if neither has fields.
func fieldsWithin(s *schema.Schema) *schema.Schema {
	for s != nil && len(s.Fields) == 0 {
		if s.Type == schema.Array {
			s = s.Items
		} else {
			s = s.Open
		}
	}
	return s
}

// nestingOf returns the notation for the way in which fields are nested in a value, such as [...{…}].
func nestingOf(s *schema.Schema) string {
	switch {
	case len(s.Fields) > 0:
		return "{…}"
	case s.Type == schema.Array:
		return "[..." + nestingOf(s.Items) + "]"
	}
	return "{[string]: " + nestingOf(s.Open) + "}"
}

// completeParts completes the name of a builtin, a task or a check.
func completeParts(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	if len(args) == 0 {
		for _, k := range allParts().kinds() {
			for _, p := range k.list {
				out = append(out, cobra.CompletionWithDesc(p.Name, p.Doc))
			}
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
