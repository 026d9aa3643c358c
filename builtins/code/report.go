package code

import (
	"context"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/quote"
)

// Stage is a role stage as a report takes it in: its outcome as expressions
// see it.
type Stage struct {
	Status  string          `json:"status" doc:"ok, timeout, canceled, error or skipped"`
	OK      bool            `json:"ok" doc:"whether there is a value"`
	Skipped string          `json:"skipped" doc:"why it did not run"`
	Value   contract.Result `json:"value" doc:"what it found"`
	Error   StageError      `json:"error" doc:"what went wrong"`
	Timing  contract.Timing `json:"timing" doc:"when it ran and for how long"`
}

// StageError is why a stage failed.
type StageError struct {
	Code    string `json:"code" doc:"stable code"`
	Message string `json:"message" doc:"what happened"`
}

// FanOut is a stage that ran once for each of several items.
type FanOut struct {
	Status  string     `json:"status" doc:"ok, timeout, canceled, error or skipped"`
	OK      bool       `json:"ok" doc:"whether there are values"`
	Skipped string     `json:"skipped" doc:"why it did not run"`
	Value   []Stage    `json:"value" doc:"one outcome for each item"`
	Error   StageError `json:"error" doc:"what went wrong"`

	Timing contract.Timing `json:"timing" doc:"when it ran and for how long"`
}

// ArtifactStage is the stage that wrote a handoff.
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

// ReportInput is everything a report is put together from.
type ReportInput struct {
	Question string          `json:"question" doc:"the question as it was asked"`
	Answer   contract.Result `json:"answer" doc:"the synthesizer's answer"`
	Locator  Stage           `json:"locator" doc:"stage of the locator"`
	Analyzer FanOut          `json:"analyzer,omitzero" doc:"stage of the analyzers"`
	Patterns Stage           `json:"patterns,omitzero" doc:"stage of the pattern finder"`
	Thoughts Stage           `json:"thoughts,omitzero" doc:"stage of the thoughts locator"`
	Keywords []string        `json:"keywords,omitempty" doc:"what was searched for"`
	Artifact ArtifactStage   `json:"artifact,omitzero" doc:"stage that wrote the handoff"`
}

// The roles' own sections repeat the best of the report's references only, and
// say of the later places just the first fact. That takes a quarter off a reply
// and none of the report's references.
const (
	sectionReferences = 1
	locatorFindings   = 1
	firstFindings     = 3 // of the place analyzed first
	laterFindings     = 1 // of each place after it
)

// Report puts the reply to a question together. What the answer says
// already is not said again in the roles' sections: tokens are what compactor
// is there to save.
func Report() catalog.Builtin {
	return catalog.New("code.report", "put the research report together", catalog.Roots|catalog.AllKinds,
		func(_ context.Context, env *catalog.Env, in ReportInput) (contract.Report, error) {
			return report(env, in), nil
		})
}

func report(env *catalog.Env, in ReportInput) contract.Report {
	r := contract.Report{Question: in.Question, Answer: in.Answer.Summary, References: in.Answer.References,
		RootsSearched: []string{}, Locator: outcome(in.Locator), Meta: meta(env, in)}
	for _, root := range env.Roots.Roots() {
		r.RootsSearched = append(r.RootsSearched, quote.Name(root.Path()))
	}
	if v := r.Locator.Value; v != nil {
		shortLocator(v, in.Answer.Summary)
	}
	r.Analyzer = merged(in.Analyzer)
	r.Patterns = optional(in.Patterns)
	r.Thoughts = optional(in.Thoughts)
	return r
}

// shortLocator leaves to the locator's section what the answer leaves out.
func shortLocator(v *contract.Result, answer string) {
	if n := len(v.References); n > 0 {
		v.Summary = count(n, "place") + " found"
	}
	var rest []string
	for _, f := range v.KeyFindings {
		name, _, _ := strings.Cut(f, ")") // "`Pool.admit` (pool.go:41"
		if !strings.Contains(answer, name) && len(rest) < locatorFindings {
			rest = append(rest, f)
		}
	}
	v.KeyFindings = append([]string{}, rest...)
	v.References = v.References[:min(len(v.References), sectionReferences)]
}

func meta(env *catalog.Env, in ReportInput) contract.Meta {
	run := env.Run()
	m := contract.Meta{TasksSpawned: run.Tasks, RolesRun: run.Roles, Timeouts: run.Timeouts, Keywords: in.Keywords,
		Limits: contract.Limits{FilesScanned: run.Usage.Scanned, FilesRead: run.Usage.Files, BytesRead: run.Usage.Bytes, Hit: run.Usage.Hit}}
	if u := run.Model; u.Calls+u.Failed > 0 {
		m.Model = &contract.Spoken{Names: append([]string{}, u.Models...), Calls: u.Calls, Failed: u.Failed,
			TokensIn: u.TokensIn, TokensOut: u.TokensOut, Tools: u.Tools, Refused: u.Refused, Dropped: u.Dropped}
	}
	if m.RolesRun == nil {
		m.RolesRun = []string{}
	}
	if m.Keywords == nil {
		m.Keywords = []string{}
	}
	switch {
	case in.Artifact.OK:
		m.Artifact = in.Artifact.Value.Path
	case in.Artifact.Error.Message != "":
		m.Truncations = append(m.Truncations, "artifact not written: "+in.Artifact.Error.Message)
	}
	return m
}

// outcome is a stage in the form that leaves. A stage that was skipped or
// gave nothing is an error with a code, never an empty success.
func outcome(s Stage) contract.Outcome[contract.Result] {
	if s.OK {
		v := s.Value
		return contract.Succeeded(v, s.Timing)
	}
	status := contract.Status(s.Status)
	e := &contract.Error{Name: "Error", Code: s.Error.Code, Message: s.Error.Message}
	if s.Skipped != "" || status == "" {
		status, e = contract.Failed, &contract.Error{Name: "SkippedError", Code: "SKIPPED", Message: orElse(s.Skipped, "did not run")}
	}
	return contract.Outcome[contract.Result]{Status: status, Error: e, Timing: s.Timing}
}

// optional leaves out a stage that was skipped: a role that did not run has
// no section.
func optional(s Stage) *contract.Outcome[contract.Result] {
	if s.Skipped != "" || s.Status == "" {
		return nil
	}
	o := outcome(s)
	return &o
}

// merged makes one section of a fan-out: the findings in the order of the
// places, without the summaries, which the answer is made of.
func merged(f FanOut) *contract.Outcome[contract.Result] {
	if f.Skipped != "" || f.Status == "" {
		return nil
	}
	if !f.OK {
		o := outcome(Stage{Status: f.Status, Error: f.Error, Timing: f.Timing})
		return &o
	}
	r := contract.Result{References: []string{}, KeyFindings: []string{}, Confidence: contract.Low}
	read, failed := 0, 0
	for _, item := range f.Value {
		if !item.OK {
			failed++
			continue
		}
		read++
		v := item.Value
		most := laterFindings
		if read == 1 {
			most = firstFindings
			r.Confidence = v.Confidence
			r.References = append(r.References, v.References[:min(len(v.References), sectionReferences)]...)
		}
		r.KeyFindings = append(r.KeyFindings, v.KeyFindings[:min(len(v.KeyFindings), most)]...)
		if item.Value.Notes != nil {
			r.Note(*item.Value.Notes)
		}
	}
	r.Summary = count(read, "place") + " read"
	if failed > 0 {
		r.Note(count(failed, "place") + " could not be read")
	}
	if read == 0 {
		return nil
	}
	o := contract.Succeeded(r, f.Timing)
	return &o
}
