package task

import "slices"

// Check is what a program can check of a model's reply.
type Check struct {
	Name string
	Doc  string // one line, for people
	Most bool   // takes a number of tokens
}

// The outcomes of a check that failed.
const (
	Drop     = "drop"     // the item
	Retry    = "retry"    // once, quoting what failed
	Fallback = "fallback" // what stands there without a model
)

// Checks lists all checks, by name.
func Checks() []Check {
	return []Check{
		{Name: "candidates", Doc: "is one of the candidates that were shown"},
		{Name: "grounded", Doc: "identifiers and numbers stand in what was shown"},
		{Name: "quotes", Doc: "quotes stand verbatim in what was shown"},
		{Name: "references", Doc: "references resolve"},
		{Name: "tokens", Doc: "has most tokens at most", Most: true},
	}
}

// CheckNamed returns the check of that name.
func CheckNamed(name string) (Check, bool) {
	list := Checks()
	i := slices.IndexFunc(list, func(c Check) bool { return c.Name == name })
	if i < 0 {
		return Check{}, false
	}
	return list[i], true
}
