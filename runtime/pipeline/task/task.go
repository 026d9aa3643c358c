package task

import (
	"cmp"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// Task is one kind of question to a model. Exactly one of Pointing and Form is set: a task either improves
// on what a grounding builtin found, or makes a value from the role's input.
type Task struct {
	Name   string
	Kind   string         // the purpose given in records: investigation if empty
	Doc    string         // one line, for people
	In     *schema.Schema // input of a role without a grounding builtin; nil if the role defines it
	Out    *schema.Schema // what it returns; nil if the role defines it
	Ground bool           // works on what a grounding builtin found
	Asked  string         // input field that holds the question
	Checks []string       // names of the checks that come with it

	Rules     string // in the system part of a prompt, after the role's own
	TokensIn  int    // limit of a prompt: small models get lost in long ones
	TokensOut int    // limit of a reply

	Pointing *Pointing
	Form     *Form
}

// Purpose returns the purpose of asking a model.
func (t Task) Purpose() string { return cmp.Or(t.Kind, "investigation") }

// Form describes how a task that makes a value builds the prompt and reads the reply.
type Form struct {
	// Put writes the user part of a prompt in about room tokens.
	Put func(c *Case, room int) Question
	// Apply makes the task's output from a reply that fits q.Shape. It also returns how
	// much of the reply was left out; ok is false if nothing of it is usable.
	Apply func(c *Case, q Question, reply map[string]any) (out map[string]any, dropped int, ok bool)
	// TokensOut returns the limit of the reply to this case; nil means the task's own.
	TokensOut func(c *Case) int
}

// Case is one run of a role as its task sees it.
type Case struct {
	// Prompt writes the role's prompt with its values filled in, in about room tokens,
	// and returns which part of it is data; nil if the prompt is the system part.
	Prompt     func(room int) (text, shown string)
	Told       string // the role's prompt if it is the system part: a reply that repeats it says nothing
	Question   string // the question, as far as the input has one
	Input      map[string]any
	In, Out    *schema.Schema // of the role
	Candidates []Candidate    // found or looked at before; may be empty
}

// Question is a case as put to a model.
type Question struct {
	Text  string
	Shape *schema.Schema // of the reply
	Shown string         // the data in it, against which checks compare the reply
	Count int            // number of candidates in it
}

// Off in place of a task means that no model is asked.
const Off = "off"

// Catalog is a set of tasks by name.
type Catalog struct {
	byName map[string]Task
	names  []string
}

// Of makes a catalog of tasks.
func Of(list ...Task) Catalog {
	c := Catalog{byName: make(map[string]Task, len(list))}
	for _, t := range list {
		c.byName[t.Name] = t
		c.names = append(c.names, t.Name)
	}
	slices.Sort(c.names)
	return c
}

// Get returns the task with the given name.
func (c Catalog) Get(name string) (Task, bool) {
	t, ok := c.byName[name]
	return t, ok
}

// Names lists all tasks, sorted.
func (c Catalog) Names() []string { return slices.Clone(c.names) }

// All returns the catalog of all tasks.
func All() Catalog {
	return Of(chooseTask(), explainTask(), answerTask(), expandTask(), judgeTask(), confirmTask(), summarizeTask(), freeTask())
}
