package plan

// Template is a role's prompt: text, and expressions over its input between.
type Template struct {
	Source string // as written
	Parts  []Part
}

// Part is a piece of text or, with Program set, what an expression comes to.
type Part struct {
	Text    string
	Program *Program
}

// Plain reports whether the prompt says the same for every input.
func (t *Template) Plain() bool {
	for _, p := range t.Parts {
		if p.Program != nil {
			return false
		}
	}
	return true
}
