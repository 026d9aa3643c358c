// Package task holds what a role's model can be asked as values: a name, what
// goes in and comes out, and the checks that it brings. The list is explicit;
// runtime/plan looks names up in it, and runtime/agent asks.
package task

import (
	"reflect"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/schema"
)

// Task is one kind of question to a model.
type Task struct {
	Name   string
	Doc    string         // one line, for people
	In     *schema.Schema // what a role without a grounding builtin is given; nil where the role says
	Out    *schema.Schema // what it returns; nil where the role says
	Ground bool           // works on what a grounding builtin found
	Checks []string       // names of the checks that it brings
}

// Off is what a role says in place of a task to ask nothing.
const Off = "off"

// Catalog is a set of tasks by name.
type Catalog struct {
	byName map[string]Task
	names  []string
}

// Of gathers tasks.
func Of(list ...Task) Catalog {
	c := Catalog{byName: make(map[string]Task, len(list))}
	for _, t := range list {
		c.byName[t.Name] = t
		c.names = append(c.names, t.Name)
	}
	slices.Sort(c.names)
	return c
}

// Get returns the task of that name.
func (c Catalog) Get(name string) (Task, bool) {
	t, ok := c.byName[name]
	return t, ok
}

// Names lists all tasks, sorted.
func (c Catalog) Names() []string { return slices.Clone(c.names) }

// All returns the tasks.
func All() Catalog {
	result := schema.MustFromType(reflect.TypeFor[contract.Result]())
	return Of(
		Task{Name: "choose", Doc: "choose among what was found and say why", Out: result, Ground: true},
		Task{Name: "explain", Doc: "explain what was found", Out: result, Ground: true},
		Task{Name: "answer", Doc: "answer from what was found", Out: result, Ground: true},
		Task{Name: "free", Doc: "make the role's output of its prompt and input"},
	)
}
