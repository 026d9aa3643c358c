package handoff

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// ListInput is the input of handoff.list.
type ListInput struct {
	Limit int `json:"limit" doc:"handoffs returned at most" default:"20" min:"1" max:"200"`
}

// ListOutput lists handoffs, the latest first.
type ListOutput struct {
	Handoffs  []Entry `json:"handoffs" doc:"handoffs, the latest first"`
	Total     int     `json:"total" doc:"Markdown files in the artifact directory"`
	Truncated bool    `json:"truncated" doc:"there are more than are listed"`
}

// Entry is one handoff in a list.
type Entry struct {
	Name     string `json:"name" doc:"file name, for handoff.resume"`
	Question string `json:"question" doc:"the question, shortened"`
	Bytes    int64  `json:"bytes" doc:"size of the file in bytes"`
	Written  string `json:"written,omitempty" doc:"when, in UTC (RFC 3339); left out of deterministic runs"`
}

// questionMax bounds a question in a list, in bytes.
const questionMax = 160

// List returns handoff.list, which lists the saved handoffs.
func List() catalog.Builtin {
	return catalog.New("handoff.list", "list saved handoffs, the latest first", catalog.Artifacts, list)
}

func list(ctx context.Context, env *catalog.Env, in ListInput) (ListOutput, error) {
	out := ListOutput{Handoffs: []Entry{}}
	if err := requireArtifacts(env); err != nil {
		return out, err
	}
	files, err := latestFirst(ctx, env.Artifacts)
	if err != nil {
		return out, err
	}
	out.Total = len(files)
	for _, f := range files {
		d, err := loadDocument(ctx, env.Artifacts, f.Path)
		switch {
		case ctx.Err() != nil:
			return out, ctx.Err()
		case err != nil:
			continue // another kind of Markdown, or deleted since
		case len(out.Handoffs) == max(1, min(in.Limit, 200)):
			out.Truncated = true
			return out, nil
		}
		e := Entry{Name: f.Path, Question: contract.Shorten(firstLine(d.Question), questionMax), Bytes: f.Size}
		if !env.Deterministic {
			e.Written = f.ModTime.UTC().Format(time.RFC3339)
		}
		out.Handoffs = append(out.Handoffs, e)
	}
	return out, nil
}

// latestFirst lists Markdown artifacts by modification time, latest first, then by name.
func latestFirst(ctx context.Context, dir *sandbox.ArtifactDir) ([]sandbox.Entry, error) {
	files, err := dir.List(ctx)
	if err != nil {
		return nil, withCode(err)
	}
	files = slices.DeleteFunc(files, func(f sandbox.Entry) bool { return !strings.HasSuffix(f.Path, ext) })
	slices.SortStableFunc(files, func(a, b sandbox.Entry) int {
		return cmp.Or(b.ModTime.Compare(a.ModTime), cmp.Compare(a.Path, b.Path))
	})
	return files, nil
}

func loadDocument(ctx context.Context, dir *sandbox.ArtifactDir, name string) (Document, error) {
	text, err := dir.Read(ctx, name)
	if err != nil {
		return Document{}, withCode(err)
	}
	d, err := Parse(string(text))
	if err != nil {
		return Document{}, &FormatError{Name: name}
	}
	return d, nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
