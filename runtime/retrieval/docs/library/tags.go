package library

import (
	"encoding/json"
	"slices"
	"strings"
)

// Tags are the subjects that a document says it is about: in lower case, sorted, separated by
// commas. They are one string, so that documents can be compared.
type Tags string

// Limits of the tags of a document.
const (
	maxTags = 64
	longTag = 80 // bytes
)

// NewTags normalizes tags. A tag that is too long is left out.
func NewTags(list []string) Tags {
	var out []string
	for _, t := range list {
		t = strings.ToLower(strings.Join(strings.Fields(strings.ToValidUTF8(strings.ReplaceAll(t, ",", " "), "")), " "))
		t = strings.TrimPrefix(t, "#")
		if t != "" && len(t) <= longTag && len(out) < maxTags {
			out = append(out, t)
		}
	}
	slices.Sort(out)
	return Tags(strings.Join(slices.Compact(out), ","))
}

// List returns the single tags.
func (t Tags) List() []string {
	if t == "" {
		return nil
	}
	return strings.Split(string(t), ",")
}

// Has reports whether all of the given tags are among t.
func (t Tags) Has(all Tags) bool {
	have := t.List()
	for _, one := range all.List() {
		if !slices.Contains(have, one) {
			return false
		}
	}
	return true
}

// MarshalJSON writes a list.
func (t Tags) MarshalJSON() ([]byte, error) { return json.Marshal(t.List()) }

// UnmarshalJSON reads a list.
func (t *Tags) UnmarshalJSON(data []byte) error {
	var list []string
	err := json.Unmarshal(data, &list)
	*t = NewTags(list)
	return err
}
