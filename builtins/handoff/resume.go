package handoff

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// ResumeInput is the input of handoff.resume.
type ResumeInput struct {
	Name string `json:"name,omitempty" doc:"file name of the handoff; the latest when left out"`
}

// ResumeOutput is a handoff with the current state of its references.
type ResumeOutput struct {
	Name        string      `json:"name" doc:"file name of the handoff"`
	Question    string      `json:"question" doc:"the question, as it was asked"`
	Summary     string      `json:"summary" doc:"the answer at that time"`
	KeyFindings []string    `json:"key_findings" doc:"facts found at that time"`
	References  []Reference `json:"references" doc:"places, and whether they are still there"`
	Constraints []string    `json:"constraints,omitempty" doc:"roots searched and limits at that time"`
	Notes       string      `json:"notes,omitempty" doc:"what was cut, missing or degraded"`
	StaleCount  int         `json:"stale_count" doc:"references that resolve no longer"`
}

// Reference is a place named by a handoff.
type Reference struct {
	Ref      string `json:"ref" doc:"path, path:line or path:line:col"`
	Resolves bool   `json:"resolves" doc:"the file is there, is text and has the line"`
	Why      string `json:"why,omitempty" doc:"why it does not resolve"`
}

// Resume returns handoff.resume, which reads a handoff back. A reference that resolves may point at
// other text than before: only its place is checked.
func Resume() catalog.Builtin {
	return catalog.New("handoff.resume", "read a handoff back and check which references still resolve", catalog.Roots|catalog.AllKinds|catalog.Artifacts, resume)
}

func resume(ctx context.Context, env *catalog.Env, in ResumeInput) (ResumeOutput, error) {
	if err := requireArtifacts(env); err != nil {
		return ResumeOutput{}, err
	}
	name, d, err := findHandoff(ctx, env.Artifacts, in.Name)
	if err != nil {
		return ResumeOutput{}, err
	}
	out := ResumeOutput{Name: name, Question: d.Question, Summary: d.Summary, KeyFindings: d.KeyFindings,
		References: []Reference{}, Constraints: d.Constraints, Notes: d.Notes}
	check := checker{roots: env.Roots, lines: map[string]lineCount{}}
	for _, s := range d.References {
		r := check.checkReference(ctx, s)
		if err := ctx.Err(); err != nil {
			return ResumeOutput{}, err
		}
		if !r.Resolves {
			out.StaleCount++
		}
		out.References = append(out.References, r)
	}
	return out, nil
}

// findHandoff reads the named handoff, or the latest.
func findHandoff(ctx context.Context, dir *sandbox.ArtifactDir, name string) (string, Document, error) {
	if strings.TrimSpace(name) != "" {
		name = askedName(name)
		d, err := loadDocument(ctx, dir, name)
		if errors.Is(err, sandbox.ErrNotFound) {
			err = errMissing(ctx, dir, name)
		}
		return name, d, err
	}
	files, err := latestFirst(ctx, dir)
	if err != nil {
		return "", Document{}, err
	}
	for _, f := range files {
		d, err := loadDocument(ctx, dir, f.Path)
		if ctx.Err() != nil {
			return "", Document{}, ctx.Err()
		}
		if err == nil {
			return f.Path, d, nil
		}
	}
	return "", Document{}, errMissing(ctx, dir, "")
}

// errMissing returns an error that names the existing handoffs.
func errMissing(ctx context.Context, dir *sandbox.ArtifactDir, name string) error {
	files, err := latestFirst(ctx, dir)
	if err != nil {
		return err
	}
	e := &Error{code: "HANDOFF_NOT_FOUND", text: "there is no handoff yet; create one first", err: sandbox.ErrNotFound}
	if name == "" || len(files) == 0 {
		return e
	}
	var latest []string
	for _, f := range files[:min(len(files), 3)] {
		latest = append(latest, f.Path)
	}
	e.text = "handoff " + sandbox.Escape(name) + ": not found; the latest are " + strings.Join(latest, ", ")
	return e
}

// checker checks whether references resolve, and reads each file once.
type checker struct {
	roots *sandbox.Set
	lines map[string]lineCount
	buf   []byte
}

type lineCount struct {
	n   int
	err error
}

// checkReference tries the whole entry and then, because people add remarks to references, the parts of
// it that look like one.
func (c *checker) checkReference(ctx context.Context, entry string) Reference {
	err := contract.Resolves(ctx, c, contract.ParseReference(entry))
	if err == nil {
		return Reference{Ref: entry, Resolves: true}
	}
	for _, part := range referenceParts(entry) {
		if contract.Resolves(ctx, c, contract.ParseReference(part)) == nil {
			return Reference{Ref: part, Resolves: true}
		}
	}
	return Reference{Ref: entry, Why: reasonOf(err)}
}

// referenceParts returns the texts in an entry that may be its reference: the text in backticks, and its
// first word.
func referenceParts(entry string) []string {
	var out []string
	if _, rest, ok := strings.Cut(entry, "`"); ok {
		inside, _, _ := strings.Cut(rest, "`")
		out = append(out, inside)
	}
	if word, _, ok := strings.Cut(entry, " "); ok {
		out = append(out, strings.TrimRight(word, ":,;"))
	}
	return out
}

// Lines implements contract.Tree.
func (c *checker) Lines(ctx context.Context, path string) (int, error) {
	if l, ok := c.lines[path]; ok {
		return l.n, l.err
	}
	n, err := c.countLines(ctx, path)
	c.lines[path] = lineCount{n, err}
	return n, err
}

func (c *checker) countLines(ctx context.Context, path string) (int, error) {
	if c.roots == nil || path == "" {
		return 0, sandbox.ErrNotFound
	}
	root, rel, err := c.roots.Resolve(path)
	if err != nil {
		return 0, err
	}
	e, err := root.Stat(rel)
	if err != nil || e.Dir {
		return 0, err
	}
	if c.buf, err = root.ReadFile(ctx, rel, c.buf); err != nil {
		return 0, err
	}
	n := bytes.Count(c.buf, []byte{'\n'})
	if len(c.buf) > 0 && c.buf[len(c.buf)-1] != '\n' {
		n++
	}
	return n, nil
}

// reasonOf returns only the reason: the entry already names the place.
func reasonOf(err error) string {
	var p *sandbox.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
