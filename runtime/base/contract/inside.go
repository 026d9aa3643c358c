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

type plainResult Result

// Inside returns the form in which a result goes from stage to stage: what is sent, and
// the locations of its findings. Result.UnmarshalJSON reads it, Outside removes it.
func (r Result) Inside() any {
	in := inside{Places: map[string]string{}, Follows: r.Follows}
	for _, f := range r.KeyFindings {
		if _, known := in.Places[f.Text]; f.Ref != "" && !known {
			in.Places[f.Text] = f.Ref
		}
	}
	if len(in.Places) == 0 && in.Follows == "" {
		return r
	}
	return struct {
		plainResult
		Inside inside `json:"$inside"`
	}{plainResult(r), in}
}

// UnmarshalJSON reads a result in either form. An unknown member is an error.
func (r *Result) UnmarshalJSON(raw []byte) error {
	var in struct {
		plainResult
		Inside inside `json:"$inside"`
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return err
	}
	*r = Result(in.plainResult)
	r.Follows = in.Inside.Follows
	for i, f := range r.KeyFindings {
		r.KeyFindings[i].Ref = in.Inside.Places[f.Text]
	}
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
