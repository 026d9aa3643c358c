package report

import (
	"cmp"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// How many bytes and entries remain after the cutting steps.
const (
	summaryKept   = 60
	answerKept    = 240
	answerShort   = 160 // a finding and its first place
	answerLeast   = 60
	questionKept  = 120
	questionLeast = 24
	keywordsKept  = 4
	placesKept    = 3
)

// Names of the steps whose cuts a reader of the text would miss.
const (
	cutAnswer     = "answer"
	cutReferences = "references"
	cutPlaces     = "places"
	cutAll        = "all but the answer"
)

// trimOf returns the steps that shorten a report to fit. What readers miss least is cut first:
// findings of the least valuable sections from the end, references that the report lists anyway,
// keywords, the question, the sections; the answer and its references are cut last.
func trimOf(forms []form, types map[string]*schema.Schema) *schema.Trim {
	list := make([]sectionTrim, len(forms))
	for i, f := range forms {
		list[i] = sectionTrim{f, sectionType(types[f.name])}
	}
	slices.SortStableFunc(list, func(a, b sectionTrim) int { return cmp.Or(a.Worth-b.Worth, b.Place-a.Place) })
	t := &schema.Trim{Cut: []string{"meta", "truncations"}, Dropped: []string{"meta", "dropped"}, Masked: []string{"meta", "redacted"}, Noted: []string{"meta", "notes"}}
	step := func(what string, takes ...schema.Take) {
		t.Steps = append(t.Steps, schema.Cut{What: what, Takes: takes})
	}
	all := func(fn func(s sectionTrim) []schema.Take) (takes []schema.Take) {
		for _, s := range list {
			takes = append(takes, fn(s)...)
		}
		return takes
	}
	// The model's words replace no finding. They are dropped without a note, which would take up space itself.
	step("", schema.Take{Path: []string{"answer"}, From: contract.Worded}, schema.Take{Path: []string{"meta", "model"}, Away: true})
	for _, s := range list {
		step(s.label(), append(s.takeFindings(0), s.takeReferences(0)...)...)
	}
	step("role references", all(func(s sectionTrim) []schema.Take { return s.takeReferences(1) })...)
	step("keywords", keepEntries(keywordsKept, "meta", "keywords"))
	step("question", keepEntries(questionKept, "question"))
	step("findings", all(func(s sectionTrim) []schema.Take { return s.takeFindings(1) })...)
	step("summaries", all(func(s sectionTrim) []schema.Take { return s.takeTexts(summaryKept) })...)
	step("roles", all(sectionTrim.takeAway)...)
	step(cutPlaces, keepEntries(placesKept, "places"))
	step(cutReferences, keepEntries(6, "references"))
	step("question", keepEntries(questionLeast, "question"))
	step(cutPlaces, keepEntries(0, "places"))
	step(cutReferences, keepEntries(3, "references"))
	step(cutAnswer, keepEntries(answerKept, "answer"))
	step(cutAll, append(all(sectionTrim.takeRest),
		keepEntries(0, "meta", "keywords"), keepEntries(1, "references"), keepEntries(answerShort, "answer"),
		keepEntries(1, "rootsSearched"), keepEntries(0, "meta", "rolesRun"), keepEntries(0, "references"), keepEntries(answerLeast, "answer"), keepEntries(0, "answer"))...)
	return t
}

func keepEntries(n int, path ...string) schema.Take { return schema.Take{Path: path, Keep: n} }

// sectionTrim returns the cuts for one section.
type sectionTrim struct {
	form
	value *schema.Schema
}

func (s sectionTrim) isResult() bool { return s.value.Of == resultType }

func (s sectionTrim) memberPath(name string) []string { return []string{s.name, "value", name} }

// label names the first step.
func (s sectionTrim) label() string {
	if s.isResult() && len(s.Keep.References) == 0 {
		return s.name + " findings"
	}
	return s.name
}

// takeFindings returns the cuts of a round in the findings, or in the lists of a value that is not
// a result.
func (s sectionTrim) takeFindings(round int) []schema.Take {
	n := []int{2, 1}[round]
	if round < len(s.Keep.Findings) {
		n = s.Keep.Findings[round]
	}
	if s.isResult() {
		return []schema.Take{keepEntries(n, s.memberPath("key_findings")...)}
	}
	if s.value.Type == schema.Array {
		return []schema.Take{keepEntries(n, s.name, "value")}
	}
	return s.each(schema.Array, n)
}

func (s sectionTrim) takeReferences(round int) []schema.Take {
	if s.isResult() && round < len(s.Keep.References) {
		return []schema.Take{keepEntries(s.Keep.References[round], s.memberPath("references")...)}
	}
	return nil
}

// takeTexts returns the cuts in the summary, or in all texts of a value that is not a result.
func (s sectionTrim) takeTexts(n int) []schema.Take {
	if s.isResult() {
		return []schema.Take{keepEntries(n, s.memberPath("summary")...)}
	}
	return s.each(schema.String, n)
}

// each returns cuts for all members of a type.
func (s sectionTrim) each(typ string, n int) (takes []schema.Take) {
	for _, f := range s.value.Fields {
		if f.Schema.Type == typ && len(f.Schema.Enum) == 0 {
			takes = append(takes, keepEntries(n, s.memberPath(f.Name)...))
		}
	}
	return takes
}

func (s sectionTrim) takeAway() []schema.Take {
	if s.Always {
		return nil
	}
	return []schema.Take{{Path: []string{s.name}, Away: true}}
}

// takeRest returns the cuts for the remains of a section that must be present.
func (s sectionTrim) takeRest() []schema.Take {
	if !s.Always {
		return nil
	}
	if s.isResult() {
		return []schema.Take{keepEntries(0, s.memberPath("key_findings")...), keepEntries(0, s.memberPath("references")...),
			{Path: s.memberPath("notes"), Away: true}, keepEntries(0, s.memberPath("summary")...)}
	}
	return append(s.each(schema.Array, 0), s.each(schema.String, 0)...)
}
