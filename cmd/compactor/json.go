package main

import (
	"encoding/json"
	"io"
)

// printJSON writes a value as people and programs read it: indented, with <, > and & as
// they are.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
