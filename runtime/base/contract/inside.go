package contract

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// insideMember is the member of a result, as expressions and later stages have
// it, that holds what does not leave. Its name is none that a type may declare,
// so that no expression can ask for it.
const insideMember = "$inside"

// inside is what a result tells later stages beside what leaves.
type inside struct {
	Places  map[string]string `json:"places,omitempty"` // of findings, by text: a list that was filtered or sorted keeps them
	Follows string            `json:"follows,omitempty"`
}

type plainResult Result

// Inside is the form in which a result goes from stage to stage: what leaves, and
// the places of its findings. Result.UnmarshalJSON reads it, Outside takes it off.
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

// UnmarshalJSON reads a result in either form. A member that it does not know is
// an error.
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

// Outside is a plain value as it may leave: without what is for stages only. What
// holds nothing of it is given back as it is; v itself is never changed. It is also
// how a value comes in that a client or a model made: nobody else says what is
// inside.
func Outside(v any) any {
	v, _ = outside(v)
	return v
}

func outside(v any) (out any, changed bool) {
	switch v := v.(type) {
	case map[string]any:
		var m map[string]any // a copy, once there is something to change
		for k, e := range v {
			e, c := outside(e)
			inside := strings.EqualFold(k, insideMember) // as a decoder reads it
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
			e, c := outside(e)
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
