package config

import (
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue/errors"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// cueError reports a CUE error at the path that it names itself.
func (l *loader) cueError(e errors.Error, s side) {
	path := slices.Clone(e.Path())
	for i, name := range path {
		path[i] = strings.TrimPrefix(trimQuoted(name), "#")
	}
	l.cueErrorAt(e, s, path)
}

func trimQuoted(s string) string {
	if strings.HasPrefix(s, `"`) {
		return trimQuotes(s)
	}
	return s
}

// cueErrorAt phrases a CUE error in the user's terms. Positions in the schema and in the shipped files do not concern
// the user: the mistake is at the first position in one of the user's files, or else at the nearest thing around the
// path that the user wrote.
func (l *loader) cueErrorAt(e errors.Error, s side, path []string) {
	d := l.phraseError(e)
	d.Severity, d.Path = diag.Error, JoinPath(path...)
	for _, pos := range errors.Positions(e) {
		sp := l.files.span(pos)
		switch {
		case sp.file == nil || sp.file.side != s:
		case d.Range.IsZero():
			d.Range = sp.rng()
		case sp.rng() != d.Range:
			d.Related = append(d.Related, diag.Related{Range: sp.rng(), Message: shortenLine(string(sp.file.text[sp.from:sp.to])) + " stands here"})
		}
	}
	if d.Range.IsZero() {
		d.Range = l.rangeAround(path, s)
	}
	if d.Code != "C007" {
		d.Related = nil // how CUE got there, not where to look
	}
	l.diags = append(l.diags, d)
}

// rangeAround returns the location of the nearest field around a path, or the first file.
func (l *loader) rangeAround(path []string, s side) diag.Range {
	for n := len(path); n > 0; n-- {
		if at, ok := l.places[s][joinKey(path[:n])]; ok {
			return at.key.rng()
		}
	}
	for _, f := range l.files.all {
		if f.side == s {
			return f.startRange()
		}
	}
	return diag.Range{}
}

// aroundAny returns the location of the nearest field around a path that a person wrote, or the first file of a person.
func (l *loader) aroundAny(path []string) diag.Range {
	for n := len(path); n > 0; n-- {
		for s := range side(len(l.layers)) {
			if at, ok := l.places[written+s][joinKey(path[:n])]; ok {
				return at.key.rng()
			}
		}
	}
	for _, f := range l.files.all {
		if f.side.byHand() {
			return f.startRange()
		}
	}
	return diag.Range{}
}

// phraseError maps a CUE error to a code and a sentence. An error that is not mapped is shown
// unchanged, so that nothing is lost.
func (l *loader) phraseError(e errors.Error) diag.Diagnostic {
	format, args := e.Msg()
	message := fmt.Sprintf(format, args...)
	arg := func(i int) string {
		if i < len(args) {
			return shortenLine(strings.Trim(fmt.Sprint(args[i]), `"`))
		}
		return ""
	}
	switch {
	case format == "reference %q not found":
		return l.unresolvedName(arg(0))
	case strings.HasPrefix(format, "undefined field"):
		return diag.Diagnostic{Code: "C006", Message: "there is no field \"" + arg(0) + "\" to refer to"}
	case strings.HasPrefix(format, "conflicting values"):
		return diag.Diagnostic{Code: "C007", Message: describeConflict(args),
			Help: "take one of the two away; within your own files nothing overrides anything"}
	case strings.HasPrefix(format, "invalid value %v (out of bound") && len(args) == 2:
		return diag.Diagnostic{Code: "C007", Message: fmt.Sprintf("%s is outside of %s, which another place demands", shortenLine(fmt.Sprint(args[0])), shortenLine(fmt.Sprint(args[1]))),
			Help: "take one of the two away; within your own files nothing overrides anything"}
	case format == "field not allowed":
		return diag.Diagnostic{Code: "C020", Message: "unknown field"}
	case strings.HasPrefix(format, "package %q imported but not defined"), strings.HasPrefix(format, "builtin package %q undefined"):
		return diag.Diagnostic{Code: "C003", Message: "import " + arg(0) + " is not available", Allowed: allowedImports,
			Suggestion: diag.Nearest(arg(0), allowedImports)}
	case strings.HasPrefix(format, "imported and not used"), strings.HasPrefix(format, "unreferenced alias or let"):
		return diag.Diagnostic{Code: "C016", Message: arg(0) + " is declared and not used", Help: "take it out"}
	case strings.Contains(format, "cycle"):
		return diag.Diagnostic{Code: "C009", Message: "refers to itself, directly or through others, and so has no value"}
	case strings.Contains(format, "incomplete"), strings.Contains(format, "non-concrete"), strings.Contains(format, "required but not present"):
		return diag.Diagnostic{Code: "C008", Message: shortenLine(message)}
	}
	return diag.Diagnostic{Code: "C010", Message: shortenLine(message)}
}

// unresolvedName reports a name that refers to nothing: a misspelt definition or type, or a
// text without its quotes.
func (l *loader) unresolvedName(name string) diag.Diagnostic {
	d := diag.Diagnostic{Code: "C006", Message: "\"" + name + "\" refers to nothing: there is no field, definition or import of that name"}
	switch near := nearType(name); {
	case strings.HasPrefix(name, "#"):
		d.Allowed = l.known
		d.Suggestion = diag.Nearest(name, l.known)
	case near != "":
		d.Suggestion = near
	default:
		d.Help = "a text needs quotes"
	}
	return d
}

// types lists the names of CUE's types, and elsewhere maps names in other languages to them.
var (
	types     = []string{"string", "int", "number", "bool"}
	elsewhere = map[string]string{"integer": "int", "str": "string", "text": "string", "boolean": "bool"}
)

func nearType(name string) string {
	if t := elsewhere[name]; t != "" {
		return t
	}
	return diag.Nearest(name, types)
}

// describeConflict names both values and, if they differ, their types.
func describeConflict(args []any) string {
	if len(args) < 2 {
		return "two values disagree"
	}
	text := shortenLine(fmt.Sprint(args[0])) + " and " + shortenLine(fmt.Sprint(args[1])) + " cannot both hold"
	if len(args) == 4 {
		text += fmt.Sprintf(": %s and %s", article(fmt.Sprint(args[2])), article(fmt.Sprint(args[3])))
	}
	return text
}

// shortenLine makes a message a single, readable line.
func shortenLine(s string) string {
	return sanitize.Cut(strings.Join(strings.Fields(s), " "), 120)
}
