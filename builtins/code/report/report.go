package report

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// BuildReport returns code.report, which assembles the reply to a question: the answer, and a
// section for each given outcome. Sections need not repeat what the answer says: compactor exists
// to save tokens.
func BuildReport() catalog.Builtin {
	b := catalog.NewOpen("code.report", "put the research report together", catalog.Roots|catalog.AllKinds,
		func(_ context.Context, env *catalog.Env, in ReportInput, outcomes map[string]stage) (Report, error) {
			in.outcomes = outcomes
			return report(env, in), nil
		})
	b.Shape = reportShape
	return b
}

// maxQuestion bounds how many bytes of a question are repeated: of a pasted bug report the reader
// needs only the beginning, and the places it led to.
const maxQuestion = 240

func report(env *catalog.Env, in ReportInput) Report {
	told := contract.Unworded(in.Answer.Summary) // the model's words replace no finding
	r := Report{Question: contract.Shorten(in.Question, maxQuestion), Answer: in.Answer.Summary, References: in.Answer.References,
		Places: in.placesOf(told, in.Answer.References), Confidence: in.Answer.Confidence, RootsSearched: []string{}, Meta: meta(env, in)}
	for _, root := range env.Roots.Roots() {
		r.RootsSearched = append(r.RootsSearched, sanitize.Name(root.Path()))
	}
	for _, f := range formsOf(in.Sections, in.outcomes) {
		if o, ok := f.convertOutcome(in.outcomes[f.name], told); ok {
			r.Sections = append(r.Sections, Section{f.name, o})
		}
	}
	r.Meta.Notes = append(r.Meta.Notes, r.unnotedRemarks(in.Answer.Notes)...)
	return r
}

// unnotedRemarks returns the notes of the answer that no section has, such as that no model worded
// it, and why.
func (r Report) unnotedRemarks(notes *string) (out []string) {
	if notes == nil {
		return nil
	}
	noted := map[string]bool{}
	for i := range r.Sections {
		if v := r.Sections[i].Result(); v != nil && v.Notes != nil {
			for _, part := range strings.Split(*v.Notes, "; ") {
				noted[part] = true
			}
		}
	}
	for _, part := range strings.Split(*notes, "; ") {
		if !noted[part] && !bounded.MatchString(part) {
			out = append(out, part)
		}
	}
	return out
}

// artifactMissing begins the note on a requested handoff that was not written.
const artifactMissing = "artifact not written: "

func meta(env *catalog.Env, in ReportInput) Meta {
	run := env.Run()
	m := Meta{TasksSpawned: run.Tasks, RolesRun: run.Roles, Timeouts: run.Timeouts, Keywords: in.Keywords,
		Limits: Limits{FilesScanned: run.Usage.Scanned, FilesRead: run.Usage.Files, BytesRead: run.Usage.Bytes, Hit: run.Usage.Hit}}
	if u := run.Model; u.Calls+u.Failed > 0 {
		m.Model = &Spoken{Names: append([]string{}, u.Models...), Calls: u.Calls, Failed: u.Failed,
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
		m.Truncations = append(m.Truncations, artifactMissing+in.Artifact.Error.Message)
	}
	return m
}

// convertOutcome converts a stage's outcome for the report; false means no section. A stage that
// was skipped or found nothing becomes an error with a code, never an empty success.
func (f form) convertOutcome(s stage, answer string) (contract.Outcome[any], bool) {
	if s.OK {
		if v := f.value(s.Value, answer); v != nil {
			r, ok := v.(contract.Result)
			return contract.Succeeded(v, s.Timing), f.Always || !f.Finds || !ok || len(r.KeyFindings) > 0
		}
		s.OK, s.Skipped = false, "there was nothing to run on"
	}
	if s.Skipped == "" && s.Status != "" {
		e := &contract.Error{Name: "Error", Code: s.Error.Code, Message: s.Error.Message}
		return contract.Outcome[any]{Status: contract.Status(s.Status), Error: e, Timing: s.Timing}, true
	}
	e := &contract.Error{Name: "SkippedError", Code: "SKIPPED", Message: cmp.Or(s.Skipped, "did not run")}
	return contract.Outcome[any]{Status: contract.Failed, Error: e, Timing: s.Timing}, f.Always
}

// value returns the value of a stage as the section shows it; nil for nothing, for example if all
// runs of a fan-out failed.
func (f form) value(v any, answer string) any {
	if list, ok := v.([]any); ok {
		if runs, err := catalog.DecodeLenient[[]stage](list); err == nil && f.fanOut(runs) {
			return f.mergeRuns(runs, answer)
		}
	}
	if r, ok := resultOf(v); ok {
		if n := len(r.References); n > 0 && f.Counted != "" {
			r.Summary = words.Count(n, "place") + " " + f.Counted
		}
		r.KeyFindings = f.findings(r.KeyFindings, f.Findings, answer)
		r.References = atMost(r.References, f.References)
		return r
	}
	return contract.Outside(v)
}

// fanOut reports whether a list holds the outcomes of a fan-out.
func (f form) fanOut(runs []stage) bool {
	return !slices.ContainsFunc(runs, func(r stage) bool { return r.Status == "" })
}

// mergeRuns combines the runs of a fan-out. Results become one result with the findings in the
// order of the places and without the summaries, which are in the answer; other values become a
// list.
func (f form) mergeRuns(runs []stage, answer string) any {
	r := contract.Result{References: []string{}, KeyFindings: []contract.Finding{}, Confidence: contract.Low}
	var others []any
	read, failed := 0, 0
	for _, run := range runs {
		if !run.OK {
			failed++
			continue
		}
		v, ok := resultOf(run.Value)
		if !ok {
			others = append(others, contract.Outside(run.Value))
			continue
		}
		read++
		most := f.Further
		if read == 1 {
			most = f.Findings
			r.Confidence = v.Confidence
		}
		r.References = append(r.References, v.References...)
		r.KeyFindings = append(r.KeyFindings, f.findings(v.KeyFindings, most, answer)...)
		if v.Notes != nil {
			r.Note(*v.Notes)
		}
	}
	switch {
	case len(others) > 0:
		return others
	case read == 0:
		return nil
	}
	r.References = atMost(contract.Dedupe(r.References), f.References)
	r.Summary = words.Count(read, "place") + " " + cmp.Or(f.Counted, "read")
	if failed > 0 {
		r.Note(words.Count(failed, "place") + " could not be read")
	}
	return r
}

// findings returns the findings that a section shows.
func (f form) findings(list []contract.Finding, most *int, answer string) []contract.Finding {
	out := []contract.Finding{}
	for _, one := range list {
		if !f.Unsaid || !tellsFinding(answer, one) {
			out = append(out, one)
		}
	}
	return atMost(out, most)
}

// tellsFinding reports whether an answer includes a finding: its text, or its place as source.Cite writes
// it.
func tellsFinding(answer string, f contract.Finding) bool {
	return strings.Contains(answer, f.Text) || f.Ref != "" && strings.Contains(answer, source.CiteEnd(f.Ref))
}

func atMost[T any](list []T, most *int) []T {
	if most == nil {
		return list
	}
	return list[:min(len(list), *most)]
}
