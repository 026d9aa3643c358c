package contract

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// insideMember is the member of a result, as expressions and later stages see it, for
// data that is not sent. No type may declare a member with this name, so no expression
// can ask for it.
const insideMember = "$inside"

// inside is what a result passes to later stages in addition to what is sent.
type inside struct {
	Places  map[string]string `json:"places,omitempty"` // of findings, by text, so that a filtered or sorted list keeps them
	Follows string            `json:"follows,omitempty"`
}

// resultForm is the form in which a result goes from stage to stage: what is sent and, in
// Inside, what is not.
type resultForm struct {
	Summary     string     `json:"summary"`
	References  []string   `json:"references"`
	KeyFindings []string   `json:"key_findings"`
	Confidence  Confidence `json:"confidence"`
	Notes       *string    `json:"notes"`
	Inside      inside     `json:"$inside,omitzero"`
}

// PlainForm returns the result with the data for later stages. ReadPlain and
// UnmarshalJSON read it, Outside removes that data.
func (r Result) PlainForm() any {
	out := resultForm{Summary: r.Summary, References: r.References, Confidence: r.Confidence, Notes: r.Notes, Inside: inside{Follows: r.Follows}}
	if r.KeyFindings != nil {
		out.KeyFindings = Texts(r.KeyFindings)
	}
	places := map[string]string{}
	for _, f := range r.KeyFindings {
		if _, known := places[f.Text]; f.Ref != "" && !known {
			places[f.Text] = f.Ref
		}
	}
	if len(places) > 0 {
		out.Inside.Places = places
	}
	return out
}

// ReadPlain returns a variable for the members of a result, with or without the data for
// stages, and a function that sets the result from it.
func (r *Result) ReadPlain() (form any, set func()) {
	f := &resultForm{}
	return f, func() {
		*r = Result{Summary: f.Summary, References: f.References, Confidence: f.Confidence, Notes: f.Notes, Follows: f.Inside.Follows}
		if f.KeyFindings != nil {
			r.KeyFindings = make([]Finding, len(f.KeyFindings))
		}
		for i, text := range f.KeyFindings {
			r.KeyFindings[i] = Finding{text, f.Inside.Places[text]}
		}
	}
}

// UnmarshalJSON reads a result in either form. An unknown member is an error.
func (r *Result) UnmarshalJSON(raw []byte) error {
	form, set := r.ReadPlain()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(form); err != nil {
		return err
	}
	set()
	return nil
}

// Outside returns a plain value as it may be sent: without the data that is only for
// stages. A value without any is returned unchanged; v itself is never modified. Values
// that come from a client or a model also pass through it: they must not set such data.
func Outside(v any) any {
	v, _ = stripInside(v)
	return v
}

func stripInside(v any) (out any, changed bool) {
	switch v := v.(type) {
	case map[string]any:
		var m map[string]any // a copy, made on the first change
		for k, e := range v {
			e, c := stripInside(e)
			inside := strings.EqualFold(k, insideMember) // ignoring case, as a decoder does
			if !c && !inside {
				continue
			}
			if m == nil {
				m = maps.Clone(v)
			}
			if m[k] = e; inside {
				delete(m, k)
			}
		}
		if m != nil {
			return m, true
		}
	case []any:
		var list []any
		for i, e := range v {
			e, c := stripInside(e)
			if !c {
				continue
			}
			if list == nil {
				list = slices.Clone(v)
			}
			list[i] = e
		}
		if list != nil {
			return list, true
		}
	}
	return v, false
}
