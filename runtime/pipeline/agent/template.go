package agent

import (
	"context"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize/fence"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// systemPrompt returns what precedes the task's rules in the system part of a prompt. It contains
// only configuration: the role's prompt or, if that includes input values, the role's purpose.
func (t *roleRun) systemPrompt() string {
	if t.role.Prompt.Plain() {
		return t.role.Prompt.Source
	}
	return t.role.Purpose
}

// promptTemplate evaluates the values in the role's prompt and returns a function that writes
// it for the user part in about room tokens; nil if the prompt belongs to the system
// part. A value is data: it is neutralized, fenced if it is more than a short line, and
// braces in it mean nothing.
func (t *roleRun) promptTemplate() (func(room int) (text, shown string), error) {
	prompt := t.role.Prompt
	if prompt.Plain() {
		return nil, nil
	}
	env, err := t.role.Env(t.input)
	if err != nil {
		return nil, err
	}
	values := make([]string, len(prompt.Parts))
	literal, n := 0, 0
	for i, p := range prompt.Parts {
		if p.Program == nil {
			literal += model.Estimate(p.Text)
			continue
		}
		v, err := p.Program.Eval(env)
		if err != nil {
			return nil, err
		}
		if v != nil {
			values[i] = task.TextOf(v)
		}
		n++
	}
	return func(room int) (string, string) {
		left, after := room-literal, n
		var text strings.Builder
		var shown []string
		for i, p := range prompt.Parts {
			if p.Program == nil {
				text.WriteString(p.Text)
				continue
			}
			value := task.Cut(values[i], max(left/after-12, 16)) // the marks of a fence take some
			left, after = left-model.Estimate(value), after-1
			text.WriteString(fence.Value(value, prompt.Source))
			shown = append(shown, value)
		}
		return text.String(), strings.Join(shown, "\n")
	}, nil
}

// tree counts lines below the roots that a role may read, in the cited parts of pages
// that were read for it, and in the documents that it may search.
type tree struct {
	roots   *sandbox.Set
	pages   contract.Tree
	library contract.Tree
}

// Lines implements contract.Tree.
func (t tree) Lines(ctx context.Context, path string) (int, error) {
	if t.pages != nil && contract.IsAddress(path) {
		return t.pages.Lines(ctx, path)
	}
	n, _, err := t.roots.Lines(ctx, path, nil)
	if err != nil && t.library != nil {
		if in, missing := t.library.Lines(ctx, path); missing == nil {
			return in, nil
		}
	}
	return n, err
}

func treeOf(env *catalog.Env) contract.Tree {
	t := tree{roots: env.Roots}
	if env.Web != nil {
		t.pages = env.Web
	}
	if len(env.Documents) > 0 {
		t.library = env.Documents
	}
	if t.roots == nil && t.pages == nil && t.library == nil {
		return nil
	}
	if t.roots == nil {
		t.roots = sandbox.NewSet()
	}
	return t
}
