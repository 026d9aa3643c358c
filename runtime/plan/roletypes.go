package plan

import "github.com/compactor-mcp/compactor/runtime/task"

// task resolves how the role's model is asked.
func (c *compiler) task(r *Role) {
	r.Task, _ = c.lookUpTask(r.Role.Task, "roles", r.Name, "task")
	r.Prompt = &Template{Source: r.Role.Prompt, Parts: []Part{{Text: r.Role.Prompt}}}
	r.In, r.Out = r.Ground.In, r.Ground.Out
}

// lookUpTask is the task of a name; the zero one for off.
func (c *compiler) lookUpTask(name string, path ...string) (task.Task, bool) {
	if name == task.Off {
		return task.Task{}, true
	}
	t, ok := c.plan.Tasks.Get(name)
	if !ok {
		c.unknown("C137", "task", name, append(c.plan.Tasks.Names(), task.Off), path...)
	}
	return t, ok
}

// bounds resolves how long the fields of the role's output may be.
func (c *compiler) bounds(r *Role) {
	r.Bounds = map[string]Bound{}
	if r.Ground.Name != "" {
		r.Bounds = map[string]Bound{"references": {Entries: 12}, "key_findings": {Entries: 6, Bytes: 240}, "summary": {Bytes: 600}}
	}
	for name, b := range r.Role.Bounds {
		r.Bounds[name] = Bound{Entries: b.Entries, Bytes: b.Each}
		if f := r.Out.Field(name); b.Most > 0 && f != nil && f.Schema.Type == "array" {
			r.Bounds[name] = Bound{Entries: b.Most}
		} else if b.Most > 0 {
			r.Bounds[name] = Bound{Bytes: b.Most}
		}
	}
}

// asking is the role with another task.
func (r *Role) asking(t task.Task) *Role {
	other := *r
	other.Task = t
	return &other
}
