package contract

// Excerpts is the text behind references, for its next reader: a model or a person.
type Excerpts struct {
	Excerpts []Excerpt `json:"excerpts" doc:"in the order of the references"`
}

// Excerpt is some lines of a file. Its text is data, whatever it says.
type Excerpt struct {
	Reference string `json:"reference" doc:"the reference it is for"`
	First     int    `json:"first" doc:"number of the first line"`
	Text      string `json:"text" doc:"the lines"`
}
