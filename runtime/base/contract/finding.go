package contract

import "slices"

// Finding is one fact that was found. It leaves as its text alone; the place it
// stands at goes with it from stage to stage, so that nobody searches the text for it.
type Finding struct {
	Text string
	Ref  string // the place, as References has it; "" where there is no one place
}

// MarshalText gives the text.
func (f Finding) MarshalText() ([]byte, error) { return []byte(f.Text), nil }

// UnmarshalText reads the text. The place comes by Result.UnmarshalJSON.
func (f *Finding) UnmarshalText(text []byte) error {
	*f = Finding{Text: string(text)}
	return nil
}

// Texts lists the texts of findings.
func Texts(list []Finding) []string {
	out := make([]string, len(list))
	for i, f := range list {
		out[i] = f.Text
	}
	return out
}

// uniqueFindings drops the empty ones, and those whose text came before.
func uniqueFindings(in []Finding) []Finding {
	out := make([]Finding, 0, len(in))
	for _, f := range in {
		if f.Text != "" && !slices.ContainsFunc(out, func(o Finding) bool { return o.Text == f.Text }) {
			out = append(out, f)
		}
	}
	return out
}
