package find

import (
	"context"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// ScopeInput is the input of code.scope.
type ScopeInput struct {
	Question string             `json:"question" doc:"the question in plain words"`
	Earlier  []contract.Earlier `json:"earlier,omitempty" doc:"questions that this one may be a follow-up of, newest first"`
}

// ScopeOutput says what a question asks for, judging by its words alone.
type ScopeOutput struct {
	Keywords []string `json:"keywords" doc:"words that are searched for, most telling first"`
	Names    []string `json:"names" doc:"identifiers in the question"`
	Paths    []string `json:"paths" doc:"files and stack frames in the question"`
	Wants    Wants    `json:"wants" doc:"kind of answer that is asked for"`
	Follows  string   `json:"follows" doc:"the earlier question that it is a follow-up of; empty for none"`
}

// Wants says what kind of answer a question asks for.
type Wants struct {
	Definition bool `json:"definition" doc:"where a named thing is"`
	How        bool `json:"how" doc:"how something works"`
	Happens    bool `json:"happens" doc:"what happens when, or if"`
	Callers    bool `json:"callers" doc:"who calls or uses a named thing"`
	Examples   bool `json:"examples" doc:"existing code to follow"`
	Option     bool `json:"option" doc:"which option, flag, key, variable or default"`
	Message    bool `json:"message" doc:"why a message comes that is quoted or pasted"`
	Extend     bool `json:"extend" doc:"how to add one more of a kind"`
	Coverage   bool `json:"coverage" doc:"which tests cover something"`
	Overview   bool `json:"overview" doc:"what the whole is, and where to begin"`
	Tests      bool `json:"tests" doc:"tests are welcome"`
	Docs       bool `json:"docs" doc:"documents are welcome"`
	Config     bool `json:"config" doc:"configuration is welcome"`
}

// maxKeywords bounds the keywords that a report shows of a long question.
const maxKeywords = 8

// Scope returns code.scope, which analyzes a question without looking at any file.
func Scope() catalog.Builtin {
	return catalog.New("code.scope", "read keywords, names and the kind of answer off a question", 0,
		func(_ context.Context, _ *catalog.Env, in ScopeInput) (ScopeOutput, error) {
			q, from := source.ParseQuestion(in.Question, in.Earlier, coderank.Default().Before)
			out := scopeOf(q)
			out.Follows = from.Question
			return out, nil
		})
}

func scopeOf(q *coderank.Query) ScopeOutput {
	out := ScopeOutput{Keywords: []string{}, Names: []string{}, Paths: []string{}, Wants: Wants{
		Definition: q.Intent.Definition, How: q.Intent.How, Happens: q.Intent.Happens, Callers: q.Intent.Callers,
		Examples: q.Intent.Examples, Option: q.Intent.Option, Message: q.Intent.Message, Extend: q.Intent.Extend,
		Coverage: q.Intent.Coverage, Overview: q.Intent.Overview,
		Tests: q.Intent.Tests, Docs: q.Intent.Docs, Config: q.Intent.Config,
	}}
	for _, id := range q.Idents {
		out.Names = source.AppendNew(out.Names, id.Text)
	}
	for _, n := range q.Named {
		out.Paths = source.AppendNew(out.Paths, n.Path)
	}
	for _, t := range q.Terms {
		if t.Of < 0 && len(out.Keywords) < maxKeywords {
			out.Keywords = source.AppendNew(out.Keywords, t.Word)
		}
	}
	return out
}
