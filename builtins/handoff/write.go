package handoff

import (
	"bytes"
	"context"
	"errors"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// WriteInput is the input of handoff.write.
type WriteInput struct {
	Question    string   `json:"question" doc:"the question, as it was asked"`
	Summary     string   `json:"summary" doc:"the answer in two to six sentences"`
	KeyFindings []string `json:"key_findings,omitempty" doc:"one fact an entry"`
	References  []string `json:"references,omitempty" doc:"path, path:line or path:line:col"`
	Constraints []string `json:"constraints,omitempty" doc:"roots searched, limits used and hit, one an entry"`
	Notes       string   `json:"notes,omitempty" doc:"what was cut, missing or degraded"`
	Name        string   `json:"name,omitempty" doc:"file name; made of the question when left out"`
}

// WriteOutput says where the artifact is.
type WriteOutput struct {
	Path  string `json:"path" doc:"file name below the artifact directory"`
	Bytes int    `json:"bytes" doc:"size of the file in bytes"`
}

// Write returns handoff.write, which saves research as Markdown. The whole text passes through
// redact before it is named or written. A name in use for another text is an error; writing the
// same text again changes nothing.
func Write(redact func(string) string) catalog.Builtin {
	return catalog.New("handoff.write", "save research to a Markdown file that can be resumed", catalog.Artifacts|catalog.Write,
		func(ctx context.Context, env *catalog.Env, in WriteInput) (WriteOutput, error) {
			if err := requireArtifacts(env); err != nil {
				return WriteOutput{}, err
			}
			d := Document{Question: in.Question, Summary: in.Summary, KeyFindings: in.KeyFindings,
				References: in.References, Constraints: in.Constraints, Notes: in.Notes}
			text := redact(Format(d))
			masked, err := Parse(text)
			if err != nil {
				return WriteOutput{}, err
			}
			name := fileName(redact(in.Name), masked, text)
			if err := saveArtifact(ctx, env.Artifacts, name, []byte(text)); err != nil {
				return WriteOutput{}, err
			}
			return WriteOutput{Path: name, Bytes: len(text)}, nil
		})
}

func saveArtifact(ctx context.Context, dir *sandbox.ArtifactDir, name string, text []byte) error {
	err := dir.Write(ctx, name, text, false)
	if !errors.Is(err, sandbox.ErrExists) {
		return withCode(err)
	}
	have, readErr := dir.Read(ctx, name)
	if readErr == nil && bytes.Equal(have, text) {
		return nil
	}
	return &Error{code: sandbox.Code(err), text: "handoff " + name + ": exists with another text; choose another name, or leave it out", err: err}
}

// Error is a refusal with its stable code.
type Error struct {
	code, text string
	err        error
}

func (e *Error) Error() string { return e.text }

func (e *Error) Unwrap() error { return e.err }

// Code returns ARTIFACTS_OFF, HANDOFF_NOT_FOUND or a code of the sandbox.
func (e *Error) Code() string { return e.code }

// withCode adds the code to an error of the sandbox, and leaves others unchanged.
func withCode(err error) error {
	if err == nil || sandbox.Code(err) == "" {
		return err
	}
	return &Error{code: sandbox.Code(err), text: err.Error(), err: err}
}

// requireArtifacts returns an error if there is no artifact directory.
func requireArtifacts(env *catalog.Env) error {
	if env.Artifacts == nil {
		return &Error{code: "ARTIFACTS_OFF", text: "handoffs are off; set artifacts: dir in the configuration"}
	}
	return nil
}
