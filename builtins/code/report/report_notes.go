package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// notes returns all that a reader must know about how the report was produced, each note once:
// failures, notes of roles, the limit that cut it short.
func (r Report) notes() []string {
	var out []string
	add := func(text string) {
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	for _, text := range r.Meta.Notes {
		add(text)
	}
	for i := range r.Sections {
		s := &r.Sections[i]
		if s.Outcome.Error != nil {
			add(s.describeFailure())
		} else if v := s.Result(); v != nil && v.Notes != nil {
			for _, part := range strings.Split(*v.Notes, "; ") {
				if !bounded.MatchString(part) {
					add(part)
				}
			}
		}
	}
	for _, t := range r.Meta.Truncations {
		if text, ok := strings.CutPrefix(t, artifactMissing); ok {
			add("the handoff was not written: " + text)
		}
	}
	if r.isShortened() {
		add("shortened to fit the limit of tokens; a higher one shows more")
	}
	if hit := r.Meta.Limits.Hit; len(hit) > 0 {
		add("the limit of " + strings.Join(hit, " and ") + " was reached before all was looked at; a higher one may find more")
	}
	if r.Meta.Redacted > 0 {
		add(fmt.Sprintf("secrets masked: %d", r.Meta.Redacted))
	}
	if r.Meta.Artifact != "" {
		add("handoff written: " + r.Meta.Artifact)
	}
	return out
}

// bounded matches the note that a role's lists were cut to their bounds, as they always are.
var bounded = regexp.MustCompile(`^(\d+ (reference|finding)s? left out|summary cut)$`)

// describeFailure describes how a section's role ended.
func (s *Section) describeFailure() string {
	how := map[contract.Status]string{contract.Timeout: "ran out of time", contract.Canceled: "was stopped"}[s.Outcome.Status]
	switch {
	case how != "":
		return s.Name + " " + how + ": what it would have found is missing here"
	case s.Outcome.Error.Code == "SKIPPED":
		return s.Name + " did not run: " + s.Outcome.Error.Message
	}
	return s.Name + " failed: " + s.Outcome.Error.Message
}

// isShortened reports whether the token limit removed something that a reader would have read.
func (r Report) isShortened() bool {
	return slices.ContainsFunc(r.Meta.Truncations, func(t string) bool {
		return slices.Contains([]string{cutAnswer, cutReferences, cutPlaces, cutAll}, t)
	})
}
