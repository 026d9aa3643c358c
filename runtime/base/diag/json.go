package diag

import (
	"encoding/json"
	"io"
)

// jsonReport is the machine-readable form. Scripts rely on its field names.
type jsonReport struct {
	Valid       bool             `json:"valid"`
	Errors      int              `json:"errors"`
	Warnings    int              `json:"warnings"`
	Diagnostics []jsonDiagnostic `json:"diagnostics"`
}

type jsonDiagnostic struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	Range
	Path       string    `json:"path,omitempty"`
	Message    string    `json:"message"`
	Allowed    []string  `json:"allowed,omitempty"`
	Suggestion string    `json:"suggestion,omitempty"`
	Related    []Related `json:"related,omitempty"`
	Help       string    `json:"help,omitempty"`
}

// JSON prints the list as one object, even if it is empty.
func JSON(w io.Writer, l List) error {
	report := jsonReport{Valid: !l.HasErrors(), Diagnostics: []jsonDiagnostic{}}
	report.Errors, report.Warnings = l.Count()
	for _, d := range l {
		report.Diagnostics = append(report.Diagnostics, jsonDiagnostic{
			Code: d.Code, Severity: d.Severity, Range: d.Range, Path: d.Path, Message: d.Message,
			Allowed: d.Allowed, Suggestion: d.Suggestion, Related: d.Related, Help: d.Help,
		})
	}
	return encodeJSON(w, report)
}

func encodeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
