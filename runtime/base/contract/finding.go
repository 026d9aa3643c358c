package contract

import "slices"

// Finding is one fact that was found. Only its text is sent; its location goes with it
// from stage to stage, so that no stage has to search the text for it.
type Finding struct {
	Text string
	Ref  string // the location, as in References; "" if there is no single one
}

// MarshalText returns the text.
func (f Finding) MarshalText() ([]byte, error) { return []byte(f.Text), nil }

// Texts returns the texts of findings.
func Texts(list []Finding) []string {
	out := make([]string, len(list))
	for i, f := range list {
		out[i] = f.Text
	}
	return out
}

// uniqueFindings drops empty findings and those whose text came before.
func uniqueFindings(in []Finding) []Finding {
	out := make([]Finding, 0, len(in))
	for _, f := range in {
		if f.Text != "" && !slices.ContainsFunc(out, func(o Finding) bool { return o.Text == f.Text }) {
			out = append(out, f)
		}
	}
	return out
}
