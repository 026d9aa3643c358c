// Package task holds what a role's model can be asked as values: a name, what
// goes in and comes out, what it is told, how candidates or text are put before
// it, how its reply is applied, and the checks that it brings. The list is
// explicit; runtime/pipeline/plan looks names up in it, and runtime/pipeline/agent asks.
//
// Everything here is a pure function of its arguments: no model, no clock, no
// files. What a model said comes in as a map that fits the shape that was asked
// for, and what goes out fits the task's output whatever stands in that map.
package task

import (
	"cmp"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// Task is one kind of question to a model. Pointing or Form is set: a task either
// improves on what a grounding builtin found, or makes a value of the role's input.
type Task struct {
	Name   string
	Kind   string         // what asking is for, as records of it say: investigation, where it is empty
	Doc    string         // one line, for people
	In     *schema.Schema // what a role without a grounding builtin is given; nil where the role says
	Out    *schema.Schema // what it returns; nil where the role says
	Ground bool           // works on what a grounding builtin found
	Asked  string         // field of the input that holds the question
	Checks []string       // names of the checks that it brings

	Rules     string // in the system's part of a prompt, behind the role's own
	TokensIn  int    // of a prompt at most: small models lose their way in long ones
	TokensOut int    // of a reply at most

	Pointing *Pointing
	Form     *Form
}

// Purpose is what asking a model is for.
func (t Task) Purpose() string { return cmp.Or(t.Kind, "investigation") }

// Form is how a task that makes a value is put before a model and read back.
type Form struct {
	// Put writes the user's part of a prompt in about room tokens.
	Put func(c *Case, room int) Question
	// Apply makes the task's output of a reply that fits q.Shape. It reports false
	// where nothing of the reply is of use, and how much of it was left out.
	Apply func(c *Case, q Question, reply map[string]any) (out map[string]any, dropped int, ok bool)
	// TokensOut is how long the reply to this case may be; nil for the task's own.
	TokensOut func(c *Case) int
}

// Case is one run of a role as its task sees it.
type Case struct {
	// Prompt writes the role's prompt with its values filled in, in about room tokens,
	// and tells what of it is data; nil where the prompt is the system's part.
	Prompt     func(room int) (text, shown string)
	Told       string // the role's prompt where it is the system's part: who repeats it says nothing
	Question   string // what is asked, as far as the input says it
	Input      map[string]any
	In, Out    *schema.Schema // of the role
	Candidates []Candidate    // what was found or looked at before; may be empty
}

// Question is a case as it is put before a model.
type Question struct {
	Text  string
	Shape *schema.Schema // of the reply
	Shown string         // the data in it, which checks hold the reply against
	Count int            // candidates in it
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
	return Of(choose(), explain(), answer(), expand(), judge(), confirm(), summarize(), free())
}
