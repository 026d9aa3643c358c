package report

import "github.com/compactor-mcp/compactor/runtime/base/contract"

// ReportInput is the input of code.report. Every further input is the outcome of a stage, and
// becomes a section of that name.
type ReportInput struct {
	Question string          `json:"question" doc:"the question as it was asked"`
	Answer   contract.Result `json:"answer" doc:"the synthesizer's answer"`
	Keywords []string        `json:"keywords,omitempty" doc:"what was searched for"`
	Artifact ArtifactStage   `json:"artifact,omitzero" doc:"stage that wrote the handoff"`
	Sections map[string]Form `json:"sections,omitempty" doc:"how sections are written, by name; each further input is the outcome of a stage, and the section of that name"`

	outcomes map[string]stage
}

// Form says how to write a section. Omitted members have their defaults.
type Form struct {
	Place      int    `json:"place,omitempty" doc:"sections stand in this order, then by name; 100 by default" min:"1"`
	Doc        string `json:"doc,omitempty" doc:"what it is, for the schema of the reply"`
	Always     bool   `json:"always,omitempty" doc:"it is there, as an error, also where the stage did not run"`
	Counted    string `json:"counted,omitempty" doc:"instead of the summary: how many places, and this word"`
	References *int   `json:"references,omitempty" doc:"references at most; all by default" min:"0"`
	Findings   *int   `json:"findings,omitempty" doc:"findings at most, of a fan-out's first run; all by default" min:"0"`
	Further    *int   `json:"further,omitempty" doc:"findings of each further run of a fan-out; all by default" min:"0"`
	Unsaid     bool   `json:"unsaid,omitempty" doc:"only findings that the answer does not tell"`
	Finds      bool   `json:"finds,omitempty" doc:"left out where it has no finding"`
	Worth      int    `json:"worth,omitempty" doc:"1 is cut first where the reply is too long, 9 last; 5 by default" min:"1" max:"9"`
	Keep       Keep   `json:"keep,omitzero" doc:"what stays where the reply is too long"`
}

// Keep is how many entries of a section's lists survive the first and the second round of cutting.
type Keep struct {
	Findings   []int `json:"findings,omitempty" doc:"in the first round and in the second; 2 and 1 by default"`
	References []int `json:"references,omitempty" doc:"likewise; none are taken away by default"`
}

// stage is a stage's outcome as expressions see it.
type stage struct {
	Status  string          `json:"status" doc:"ok, timeout, canceled, error or skipped"`
	OK      bool            `json:"ok" doc:"whether there is a value"`
	Skipped string          `json:"skipped,omitempty" doc:"why it did not run"`
	Value   any             `json:"value,omitempty" doc:"what it found, or one outcome for each item"`
	Error   StageError      `json:"error,omitzero" doc:"what went wrong"`
	Timing  contract.Timing `json:"timing,omitzero" doc:"when it ran and for how long"`
}

// StageError says why a stage failed.
type StageError struct {
	Code    string `json:"code" doc:"stable code"`
	Message string `json:"message" doc:"what happened"`
}

// ArtifactStage is the outcome of the stage that wrote a handoff.
type ArtifactStage struct {
	Status  string       `json:"status" doc:"ok, error or skipped"`
	OK      bool         `json:"ok" doc:"whether it was written"`
	Skipped string       `json:"skipped" doc:"why it was not"`
	Value   ArtifactPath `json:"value" doc:"where it is"`
	Error   StageError   `json:"error" doc:"what went wrong"`

	Timing contract.Timing `json:"timing" doc:"when it ran and for how long"`
}

// ArtifactPath is where a handoff was written.
type ArtifactPath struct {
	Path  string `json:"path" doc:"file name below the artifact directory"`
	Bytes int    `json:"bytes" doc:"size"`
}
