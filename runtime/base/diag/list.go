package diag

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// List is the result of a check: all mistakes, not just the first.
type List []Diagnostic

// Sort orders by file, line, column, code, path and message, so that equal mistakes
// print in the same order whatever found them first.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		return cmp.Or(
			strings.Compare(a.Range.File, b.Range.File),
			cmp.Compare(a.Range.Line, b.Range.Line),
			cmp.Compare(a.Range.Col, b.Range.Col),
			strings.Compare(a.Code, b.Code),
			strings.Compare(a.Path, b.Path),
			strings.Compare(a.Message, b.Message),
		)
	})
}

// Dedupe drops repetitions of one message at one place. The list must be
// sorted.
func (l List) Dedupe() List {
	return slices.CompactFunc(l, func(a, b Diagnostic) bool {
		return a.Code == b.Code && a.Range == b.Range && a.Message == b.Message
	})
}

// HasErrors reports whether the configuration is invalid; warnings alone
// leave it valid.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Count returns the numbers of errors and warnings.
func (l List) Count() (errs, warnings int) {
	for _, d := range l {
		if d.Severity == Error {
			errs++
		} else {
			warnings++
		}
	}
	return errs, warnings
}

// Err returns nil unless there are errors; otherwise an error with the first one and
// the number of the others. errors.As finds the *Failure with the whole list.
func (l List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	return &Failure{List: l}
}

// Failure is a List as an error.
type Failure struct{ List List }

func (f *Failure) Error() string {
	n, _ := f.List.Count()
	first := f.List[slices.IndexFunc(f.List, func(d Diagnostic) bool { return d.Severity == Error })]
	if n == 1 {
		return first.Text()
	}
	return fmt.Sprintf("%s (and %d more)", first.Text(), n-1)
}

// FromError returns the list inside an error made by Err, or nil.
func FromError(err error) List {
	if f := (*Failure)(nil); errors.As(err, &f) {
		return f.List
	}
	return nil
}

// Join merges the results of two passes over one configuration, sorted. It drops what
// the later pass reports at or below a path that the earlier one found wrong: that
// would be a consequence, not a second mistake.
func Join(earlier, later List) List {
	joined := slices.Clone(earlier)
	for _, d := range later {
		if !slices.ContainsFunc(earlier, func(e Diagnostic) bool { return e.Severity == Error && coversPath(e.Path, d.Path) }) {
			joined = append(joined, d)
		}
	}
	joined.Sort()
	return joined.Dedupe()
}

func coversPath(outer, inner string) bool {
	if outer == "" {
		return false
	}
	rest, ok := strings.CutPrefix(inner, outer)
	return ok && (rest == "" || rest[0] == '.')
}
