package report

import (
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// placeBytes is the maximum length in bytes of the text after a reference in the list of places.
const placeBytes = 110

// placesOf returns the references that the answer does not mention, each with its name and the
// finding there: "a.go:12 Pool.admit: lets a request in".
func (in ReportInput) placesOf(answer string, refs []string) []string {
	about := in.aboutPlaces()
	var out []string
	for _, ref := range refs {
		if contract.Mentions(answer, ref) {
			continue
		}
		if text := about[ref]; text != "" {
			out = append(out, ref+" "+text)
		}
	}
	return out
}

// aboutPlaces returns the stages' findings by place, as worded by the first stage that names the
// place.
func (in ReportInput) aboutPlaces() map[string]string {
	out := map[string]string{}
	add := func(r contract.Result) {
		for _, f := range r.KeyFindings {
			if f.Ref != "" && out[f.Ref] == "" {
				out[f.Ref] = aboutPlace(f)
			}
		}
	}
	for _, f := range formsOf(in.Sections, in.outcomes) {
		for _, r := range resultsOf(in.outcomes[f.name].Value) {
			add(r)
		}
	}
	add(in.Answer)
	return out
}

// resultsOf returns the results in a stage's value: one, or one for each run of a fan-out.
func resultsOf(v any) (out []contract.Result) {
	if list, ok := v.([]any); ok {
		runs, _ := catalog.DecodeLenient[[]stage](list) // a list of anything else has no results
		for _, run := range runs {
			out = append(out, resultsOf(run.Value)...)
		}
		return out
	}
	if r, ok := resultOf(v); ok {
		out = append(out, r)
	}
	return out
}

// aboutPlace returns a finding without its place: "Pool.admit: lets a request in" for "`Pool.admit`
// (a.go:12) lets a request in".
func aboutPlace(f contract.Finding) string {
	text, _, _ := strings.Cut(f.Text, "\n")
	switch name, rest, found := strings.Cut(text, source.CiteEnd(f.Ref)); {
	case found && strings.HasPrefix(name, "`") && !strings.Contains(name[1:], "`"):
		if text = name[1:]; strings.TrimSpace(rest) != "" {
			text += ": " + strings.TrimLeft(rest, " :")
		}
	case strings.HasPrefix(text, f.Ref):
		text = strings.TrimLeft(text[len(f.Ref):], " :")
	}
	if at := contract.ParseReference(f.Ref); at.Line > 0 { // the reference already has the line
		text = strings.TrimPrefix(text, fmt.Sprintf("%d: ", at.Line))
	}
	return contract.Shorten(strings.TrimSpace(text), placeBytes)
}
