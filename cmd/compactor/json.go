package main

import (
	"encoding/json"
	"io"
)

// printJSON writes a value for people and programs: indented, with <, > and & unescaped.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
