package find

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// These limit how long a list of places is.
const (
	surePlaces = 6 // at most
	weakPlaces = 3 // at most, if nothing matches well
	fewPlaces  = 3 // are given whatever their score
	// farBehind is how far a definition may score behind the best: one so far behind is some fifty
	// times less likely to be the answer.
	farBehind = 4.0
	// thinShare is the share of the best file's score below which a file gets no place of its own.
	thinShare = 0.2
	// alsoFiles is how many files are named in total, including those without a place.
	alsoFiles = 10
	// MaxAnswerFiles is alsoFiles for a question that the places answer.
	MaxAnswerFiles = 5
)

// mostPlaces returns the maximum number of places for an answer of that confidence.
func mostPlaces(c retrieval.Confidence) int {
	if c == retrieval.Low {
		return weakPlaces
	}
	return surePlaces
}

// listing adds places to a result, and books what it quotes of them.
type listing struct {
	ctx    context.Context
	env    *catalog.Env
	result *contract.Result
	most   int
	asked  source.Focus
	full   bool // nothing more can be read
	err    error
}

// addDefinitions lists the best definitions of all files that score close enough to the first.
func (l *listing) addDefinitions(defs []coderank.Definition, most int) {
	for i, d := range defs {
		if len(l.result.References) >= min(most, l.most) || i >= fewPlaces && d.Behind > farBehind || l.over() {
			return
		}
		l.add(coderank.Hit{Path: d.Path}, d.Line, -1)
	}
}

// furtherAfter is the number of places that come before the further places of the first file.
const furtherAfter = 3

// addFiles lists the place of each file and, after the third, the other good places of the first
// file.
func (l *listing) addFiles(hits []coderank.Hit, most int) {
	most = min(most, l.most)
	for i, h := range hits {
		if i >= fewPlaces && (len(l.result.References) >= most || h.Score < thinShare*hits[0].Score) || l.over() {
			break
		}
		src, err := source.Load(l.ctx, l.env, h.Path)
		if l.checkFailure(err, len(hits)-i) {
			continue
		}
		for _, line := range pointedLines(h, src) {
			l.add(h, line, -1)
		}
	}
	if len(hits) > 0 && !l.full {
		l.addFurther(hits[0])
	}
	l.result.References = l.result.References[:min(len(l.result.References), most)]
	l.result.KeyFindings = l.result.KeyFindings[:min(len(l.result.KeyFindings), most)]
}

// addFurther inserts the other good places of the first file after the third reference. Measured,
// that brings the right lines among the first five references in about eight more answers in a
// hundred than the fourth and fifth file did.
func (l *listing) addFurther(h coderank.Hit) {
	if len(l.result.References) == 0 || contract.ParseReference(l.result.References[0]).Path != h.Path || len(h.Places) < 2 || h.Places[0].Asked {
		return
	}
	at := min(furtherAfter, len(l.result.References))
	for _, p := range h.Places[1:] {
		if l.add(h, p.Line, at) {
			at++
		}
	}
}

// add inserts a place at position at, or at the end if at < 0, and reports whether it did.
func (l *listing) add(h coderank.Hit, line, at int) bool {
	r := l.result
	src, err := source.Load(l.ctx, l.env, h.Path)
	if l.checkFailure(err, 1) {
		return false
	}
	ref, finding := hitFinding(src, h, line, l.asked)
	if slices.Contains(r.References, ref) {
		return false
	}
	if l.checkFailure(src.Book(l.env, len(finding)), 1) {
		return false
	}
	if at < 0 {
		at = len(r.References)
	}
	r.References = slices.Insert(r.References, at, ref)
	r.KeyFindings = slices.Insert(r.KeyFindings, min(at, len(r.KeyFindings)), contract.Finding{Text: finding, Ref: ref})
	return true
}

// over reports whether nothing more can be read.
func (l *listing) over() bool { return l.full || l.err != nil }

// checkFailure reports whether a file cannot be listed: it is gone or unreadable by now, or a limit
// is reached, which is noted once.
func (l *listing) checkFailure(err error, left int) bool {
	var spent *budget.ExhaustedError
	switch {
	case err == nil:
		return false
	case errors.As(err, &spent):
		if !l.full {
			l.result.Note(fmt.Sprintf("the limit of %d %s is reached; %s not read", spent.Max, spent.Limit, words.Count(left, "candidate")))
		}
		l.full = true
	case l.ctx.Err() != nil:
		l.err = l.ctx.Err()
	}
	return true
}

// addFileNames appends the next files, without places.
func (l *listing) addFileNames(hits []coderank.Hit, most int) {
	var given, rest []string
	for _, ref := range l.result.References {
		if p := contract.ParseReference(ref).Path; !slices.Contains(given, p) {
			given = append(given, p)
		}
	}
	for _, h := range hits {
		if !slices.Contains(given, h.Path) && len(given)+len(rest) < most && len(l.result.References)+len(rest) < l.most {
			rest = append(rest, h.Path)
		}
	}
	l.result.References = append(l.result.References, rest...)
}
