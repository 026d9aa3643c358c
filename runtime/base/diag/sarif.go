package diag

import (
	"io"
	"net/url"
	"slices"
	"strings"
)

// SARIF prints the list as SARIF 2.1.0, the format that code hosts show next to a
// change. File names are relative to the repository's root, which is the working
// directory of the run; version is the tool's.
func SARIF(w io.Writer, l List, version string) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "compactor", Version: version, Rules: []sarifRule{}}
	index := map[string]int{}
	for _, c := range usedCodes(l) {
		index[c] = len(run.Tool.Driver.Rules)
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, ruleOf(c))
	}
	for _, d := range l {
		run.Results = append(run.Results, resultOf(d, index[d.Code]))
	}
	return encodeJSON(w, sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

func usedCodes(l List) []string {
	var codes []string
	for _, d := range l {
		codes = append(codes, d.Code)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

func ruleOf(code string) sarifRule {
	e, _ := Explain(code)
	return sarifRule{ID: code, Short: sarifText{e.Title}, Full: sarifText{e.Text}}
}

func resultOf(d Diagnostic, rule int) sarifResult {
	r := sarifResult{
		RuleID: d.Code, RuleIndex: rule, Level: string(d.Severity), Message: sarifText{fullSentence(d)},
		Locations: []sarifLocation{locationOf(d.Range, d.Path, "")},
	}
	for _, rel := range d.Related {
		r.Related = append(r.Related, locationOf(rel.Range, "", rel.Message))
	}
	return r
}

// fullSentence returns all of the diagnostic in one text, because viewers show little more
// than the message.
func fullSentence(d Diagnostic) string {
	text := d.subject()
	if d.Suggestion != "" {
		text += "; did you mean \"" + d.Suggestion + "\"?"
	}
	if len(d.Allowed) > 0 {
		text += " Allowed: " + joinAllowed(d.Allowed) + "."
	}
	if d.Help != "" {
		text += " Help: " + d.Help
	}
	return text
}

func locationOf(r Range, path, message string) sarifLocation {
	var l sarifLocation
	l.Physical.Artifact = sarifArtifact{URI: (&url.URL{Path: strings.TrimPrefix(r.File, "./")}).EscapedPath(), Base: "%SRCROOT%"}
	if r.Line > 0 {
		l.Physical.Region = &sarifRegion{r.Line, r.Col, r.EndLine, r.EndCol}
	}
	if path != "" {
		l.Logical = []sarifLogical{{Name: path}}
	}
	if message != "" {
		l.Message = &sarifText{message}
	}
	return l
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string    `json:"id"`
	Short sarifText `json:"shortDescription"`
	Full  sarifText `json:"fullDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
	Related   []sarifLocation `json:"relatedLocations,omitempty"`
}

type sarifLocation struct {
	Physical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	} `json:"physicalLocation"`
	Logical []sarifLogical `json:"logicalLocations,omitempty"`
	Message *sarifText     `json:"message,omitempty"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
	StartCol  int `json:"startColumn"`
	EndLine   int `json:"endLine"`
	EndCol    int `json:"endColumn"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
}
