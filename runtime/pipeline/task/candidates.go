package task

import (
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/model"
)

// Candidate is one numbered thing that a model may name. The model gives only the number;
// Ref is printed for it, so no reference can be invented.
type Candidate struct {
	Ref   string // "" for a fact without a place of its own
	At    string // location of such a fact; may be ""
	Head  string // what the builtins say about it
	Lines []string
	First int  // line number of the first of Lines
	New   bool // found by the model's own words, not by those of the question
}

const (
	candidatesMost = 12
	excerptStep    = 4 // lines that are added at a time
)

// CandidatesOf numbers what a role found: each reference with the finding about it, then
// the findings about no reference.
func CandidatesOf(res contract.Result) []Candidate {
	var out []Candidate
	said := map[string]bool{}
	facts := slices.Clone(res.KeyFindings)
	for _, s := range splitSentences(res.Summary) {
		facts = append(facts, contract.Finding{Text: s})
	}
	for _, ref := range res.References {
		c := Candidate{Ref: ref}
		for _, f := range facts {
			if !said[f.Text] && isAbout(f, ref) {
				c.Head, said[f.Text] = f.Text, true
				break
			}
		}
		out = append(out, c)
	}
	for _, f := range res.KeyFindings {
		if !said[f.Text] {
			out = append(out, Candidate{Head: f.Text, At: f.Ref})
		}
	}
	return out[:min(len(out), candidatesMost)]
}

// splitSentences splits a text after each full stop that is followed by another sentence, and
// at line ends: the next line may be about another place.
func splitSentences(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for {
			i := strings.Index(line, ". ")
			if i < 0 {
				break
			}
			out, line = append(out, line[:i+1]), line[i+2:]
		}
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}

// isAbout reports whether a finding is about the place ref.
func isAbout(f contract.Finding, ref string) bool { return f.Ref == ref || mentions(f.Text, ref) }

// mentions reports whether a finding names a reference, and not a longer one that begins with it.
func mentions(finding, ref string) bool {
	for rest := finding; ; {
		i := strings.Index(rest, ref)
		if i < 0 {
			return false
		}
		rest = rest[i+len(ref):]
		if rest == "" || rest[0] < '0' || rest[0] > '9' {
			return true
		}
	}
}

// Pack writes as many of the candidates as fit into room tokens: their heads first, then
// a few lines at a time where they are worth most for their tokens. A candidate counts
// less the lower its rank, and each further part of a text less than the part before. It
// returns the text shown for each candidate included.
func Pack(list []Candidate, room int) []string {
	heads := make([]int, 0, len(list))
	used := 0
	for i, c := range list {
		n := model.Estimate(HeadOf(i, c)) + 2
		if used+n > room && i > 0 {
			break
		}
		used += n
		heads = append(heads, n)
	}
	list = list[:len(heads)]
	shown := make([]int, len(list))
	for {
		best, bestWorth, bestCost := -1, 0.0, 0
		for i, c := range list {
			part := c.Lines[min(shown[i], len(c.Lines)):min(shown[i]+excerptStep, len(c.Lines))]
			if len(part) == 0 {
				continue
			}
			cost := model.Estimate(strings.Join(part, "\n")) + 2*len(part)
			worth := 1 / float64(i+2) / float64(1+shown[i]/excerptStep) / float64(cost)
			if used+cost <= room && worth > bestWorth {
				best, bestWorth, bestCost = i, worth, cost
			}
		}
		if best < 0 {
			break
		}
		shown[best] = min(shown[best]+excerptStep, len(list[best].Lines))
		used += bestCost
	}
	parts := make([]string, len(list))
	for i, c := range list {
		var b strings.Builder
		b.WriteString(HeadOf(i, c))
		for _, l := range c.Lines[:shown[i]] {
			b.WriteString("\n    " + l)
		}
		parts[i] = b.String()
	}
	return parts
}

// WithoutShown leaves out facts about lines that are part of another candidate's text:
// the model reads them there.
func WithoutShown(list []Candidate) []Candidate {
	return slices.DeleteFunc(slices.Clone(list), func(c Candidate) bool {
		at := contract.ParseReference(c.At)
		return c.Ref == "" && at.Line > 0 && slices.ContainsFunc(list, func(o Candidate) bool {
			return o.First > 0 && at.Line >= o.First && at.Line < o.First+len(o.Lines) && contract.ParseReference(o.Ref).Path == at.Path
		})
	})
}

// HeadOf writes the line of a candidate: its number, its place and the finding about it.
func HeadOf(i int, c Candidate) string {
	text := "[" + strconv.Itoa(i+1) + "] " + c.Ref
	if c.Head != "" {
		head := c.Head
		if c.Ref != "" {
			head = strings.Replace(head, " ("+c.Ref+")", "", 1)
		}
		if c.Ref != "" && head != "" {
			text += ": "
		}
		text += strings.TrimPrefix(head, c.Ref+" ")
	}
	return text
}
