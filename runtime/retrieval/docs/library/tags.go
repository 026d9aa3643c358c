package library

import (
	"encoding/json"
	"slices"
	"strings"
)

// Tags are what a document says it is about: in lower case, in order, with commas between
// them. It is one text, so that documents can be compared.
type Tags string

// Bounds of the tags of a document.
const (
	maxTags = 64
	longTag = 80 // bytes
)

// NewTags are tags as somebody wrote them. One that is too long is left out.
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

// List are the single tags.
func (t Tags) List() []string {
	if t == "" {
		return nil
	}
	return strings.Split(string(t), ",")
}

// Has reports whether all of some tags are among them.
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

// UnmarshalJSON reads one.
func (t *Tags) UnmarshalJSON(data []byte) error {
	var list []string
	err := json.Unmarshal(data, &list)
	*t = NewTags(list)
	return err
}
