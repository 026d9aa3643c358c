package index

// Passage is a text that is found as a whole, with the headings above it.
type Passage struct {
	ID      string // unique in the index
	Title   string // of the document or of the passage
	Section string // the headings above it
	Body    string
}

// Field is a part of a passage.
type Field int

// The fields.
const (
	Title Field = iota
	Section
	Body
	fields
)

// counts holds the occurrences in the fields of one passage.
type counts [fields]uint32
