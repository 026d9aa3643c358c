// Package diag describes mistakes in a configuration: a stable code, the exact place,
// what was found, what is allowed and the nearest correct name.
//
// It knows neither CUE nor plans; runtime/config and runtime/pipeline/plan create
// diagnostics, commands print them as text, JSON or SARIF. Faults of the program itself
// are errors, never diagnostics.
package diag

import "fmt"

// Severity distinguishes what makes a configuration invalid from what is merely
// doubtful.
type Severity string

// The severities. Only Error makes a configuration invalid.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Range is a place in a file. Lines and columns count from 1, columns in characters
// (not bytes); the end is exclusive. Line 0 means the whole file or directory.
type Range struct {
	File    string `json:"file"` // slash-separated, as the user would write it
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	EndLine int    `json:"end_line"`
	EndCol  int    `json:"end_col"`
}

// String returns file:line:col, or only the file if there is no line.
func (r Range) String() string {
	if r.Line == 0 {
		return r.File
	}
	return fmt.Sprintf("%s:%d:%d", r.File, r.Line, r.Col)
}

// IsZero reports whether no place is known.
func (r Range) IsZero() bool { return r == Range{} }

// Related is a second place that the mistake involves.
type Related struct {
	Range   Range  `json:"range"`
	Message string `json:"message"`
}

// Diagnostic is one mistake.
type Diagnostic struct {
	Code       string // such as C020; see Codes
	Severity   Severity
	Range      Range
	Path       string   // in the configuration, such as pipelines.ask.stages.find.role
	Message    string   // one sentence, lower case, without a full stop
	Allowed    []string // valid values for that place
	Suggestion string   // the nearest correct name, empty if none is near
	Related    []Related
	Help       string // what to do, if Allowed does not say it
}

// Text returns the diagnostic on one line without its excerpt.
func (d Diagnostic) Text() string {
	return d.Range.String() + ": " + string(d.Severity) + " " + d.Code + ": " + d.subject()
}

// subject returns the path and what is wrong with it.
func (d Diagnostic) subject() string {
	if d.Path == "" {
		return cleanText(d.Message)
	}
	return cleanText(d.Path) + ": " + cleanText(d.Message)
}
