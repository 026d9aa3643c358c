package library

import (
	"strings"
	"time"
)

// Takes reports whether a document is selected.
func (o Only) Takes(d Document) (bool, error) {
	if o == (Only{}) {
		return true, nil
	}
	f := Filter{}
	if o.Path != "" {
		var err error
		if f, err = NewFilter([]string{o.Path}, nil); err != nil {
			return false, err
		}
	}
	return o.takes(d, f), nil
}

// String returns o as the filters of a question; "" for all.
func (o Only) String() string {
	var parts []string
	if o.Path != "" {
		parts = append(parts, "path:"+o.Path)
	}
	if o.Kind != "" {
		parts = append(parts, "kind:"+o.Kind)
	}
	if !o.Since.IsZero() {
		parts = append(parts, "after:"+o.Since.Format(time.DateOnly))
	}
	return strings.Join(parts, " ")
}
