package config

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue/errors"

	"compactor/runtime/diag"
)

// cueErrors translates what CUE found while it evaluated. Positions in the
// schema and in the shipped files are not the user's concern: the first in a
// file of his own is where the mistake is.
func (l *loader) cueErrors(err error, s side) {
	for _, e := range errors.Errors(err) {
		l.cueError(e, s)
	}
}

func (l *loader) cueError(e errors.Error, s side) {
	format, args := e.Msg()
	message := fmt.Sprintf(format, args...)
	d := diag.Diagnostic{Code: codeOf(message), Severity: diag.Error, Message: message, Path: strings.Join(e.Path(), ".")}
	for _, pos := range errors.Positions(e) {
		sp := l.files.span(pos)
		switch {
		case sp.file == nil || sp.file.side != s:
		case d.Range.IsZero():
			d.Range = sp.rng()
		default:
			d.Related = append(d.Related, diag.Related{Range: sp.rng(), Message: "and here"})
		}
	}
	if d.Range.IsZero() {
		if f := l.firstOf(s); f != nil {
			d.Range = f.whole()
		}
	}
	switch d.Code {
	case "C006":
		d.Help = "a text needs quotes; a definition of compactor begins with #"
	case "C007":
		d.Help = "take one of the two away; within your own files nothing overrides anything"
	}
	l.diags = append(l.diags, d)
}

func (l *loader) firstOf(s side) *file {
	for _, f := range l.files.all {
		if f.side == s {
			return f
		}
	}
	return nil
}

func codeOf(message string) string {
	switch {
	case strings.Contains(message, "reference") && strings.Contains(message, "not found"), strings.Contains(message, "undefined field"):
		return "C006"
	case strings.Contains(message, "conflicting values"), strings.Contains(message, "mismatched types"):
		return "C007"
	case strings.Contains(message, "cycle"):
		return "C009"
	case strings.Contains(message, "incomplete"), strings.Contains(message, "non-concrete"):
		return "C008"
	}
	return "C010"
}
