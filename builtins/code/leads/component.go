package leads

import (
	"context"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// ComponentInput is the input of code.component.
type ComponentInput struct {
	Component string `json:"component" doc:"a name with or without its qualifier, path:line, a file, a directory or a package"`
}

// ComponentOutput says what a component is. A single definition is only referenced, for other
// stages to explain; anything else is described in Result.
type ComponentOutput struct {
	Form      string          `json:"form" doc:"what it is; words are none of these and have to be searched for" enum:"definition,several,file,directory,absent,words"`
	Reference string          `json:"reference,omitempty" doc:"path:line of the definition"`
	Result    contract.Result `json:"result" doc:"the answer, where it is not one definition"`
}

// The forms of a component.
const (
	formDefinition = "definition"
	formSeveral    = "several"
	formFile       = "file"
	formDirectory  = "directory"
	formAbsent     = "absent"
	formWords      = "words"
)

// Component returns code.component, which resolves a name or a path to a definition, a file, a
// directory or nothing. Names are resolved by definitions, and the qualifier decides.
func Component() catalog.Builtin {
	return catalog.New("code.component", "say what a name or a path stands for, and tell of a file or a directory", catalog.Roots, component)
}

func component(ctx context.Context, env *catalog.Env, in ComponentInput) (ComponentOutput, error) {
	asked := strings.Trim(strings.TrimSpace(in.Component), "`'\"")
	switch {
	case asked == "":
		return ComponentOutput{}, source.InputError("code.component", "the component is empty; name a definition, a file, a directory or a package")
	case len(asked) > maxName:
		return asWords(), nil
	}
	if out, ok, err := atPath(ctx, env, asked); ok || err != nil {
		return out, err
	}
	if strings.ContainsAny(asked, " \t\n") {
		return asWords(), nil
	}
	return ofName(ctx, env, asked)
}

// maxName is the longest component in bytes; a longer one is taken for text.
const maxName = 300

func asWords() ComponentOutput {
	return ComponentOutput{Form: formWords, Result: contract.NotFound("")}
}

// atPath answers for an existing file, directory or line of a file. A path that leads out of the
// roots is an error.
func atPath(ctx context.Context, env *catalog.Env, asked string) (ComponentOutput, bool, error) {
	file, line, _ := source.ParsePlace(asked)
	for _, p := range []contract.Reference{{Path: asked}, {Path: file, Line: line}} {
		root, rel, err := env.Roots.Resolve(p.Path)
		if err != nil {
			if leadsOut(p.Path) {
				return ComponentOutput{}, false, source.WithCode(err)
			}
			continue
		}
		e, err := root.Stat(rel)
		if err != nil {
			continue
		}
		out, err := standsFor(ctx, env, root, e, p.Line)
		return out, true, err
	}
	return ComponentOutput{}, false, nil
}

// leadsOut reports whether p is unmistakably a path that leaves the roots.
func leadsOut(p string) bool {
	return strings.HasPrefix(p, "/") || strings.HasPrefix(p, "../") || p == ".." || strings.HasPrefix(p, "~/") || strings.Contains(p, "/../")
}

// standsFor answers for a file or a directory.
func standsFor(ctx context.Context, env *catalog.Env, root *sandbox.Root, e sandbox.Entry, line int) (ComponentOutput, error) {
	ref := env.Roots.Ref(root, e.Path)
	if e.Dir {
		r, err := tellDirectory(ctx, env, root, e.Path)
		return ComponentOutput{Form: formDirectory, Result: r}, err
	}
	src, err := source.Load(ctx, env, ref)
	switch {
	case ctx.Err() != nil:
		return ComponentOutput{}, ctx.Err()
	case err != nil:
		return ComponentOutput{Form: formFile, Result: explainUnread(ref, err)}, nil
	}
	if d, ok := src.DefNear(line); ok {
		return ComponentOutput{Form: formDefinition, Reference: src.RefTo(d.Line), Result: contract.NotFound("")}, nil
	}
	r, err := tellFile(ctx, env, src)
	if line > src.CountLines() {
		r.Note(fmt.Sprintf("%s has %s; it has no line %d", ref, words.Count(src.CountLines(), "line"), line))
	}
	return ComponentOutput{Form: formFile, Result: r}, err
}

// explainUnread says why a file cannot be described.
func explainUnread(ref string, err error) contract.Result {
	r := contract.NotFound(contract.Shorten(fmt.Sprintf("`%s` is there and was not read: %v.", ref, err), 300))
	r.References = append(r.References, ref)
	return r
}

// componentRoom returns the maximum length in bytes of the description of a component.
func componentRoom(env *catalog.Env) int { return 2 * source.MaxAnswerBytes(env.Tokens) }
