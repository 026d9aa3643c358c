package schema

// Trim says how a value is made smaller where a reply has too many tokens: what
// is missed least goes first. It stands in the schema, so that it holds for the
// value wherever that is put. Paths lead from the value through its members.
type Trim struct {
	Steps []Cut

	Cut     []string // the list in which cuts are noted; nil for none
	Dropped []string // the number of references that did not resolve; nil for none
	Masked  []string // the number of secrets that were masked; nil for none
	Noted   []string // the list of remarks on the call itself; nil for none
}

// Cut is one step: its takes are made over and over, the first that still finds
// something, until the reply fits or none does.
type Cut struct {
	What  string // as it is noted; "" is not
	Takes []Take
}

// Take takes the last entry of a list, a third of a text, with From the last sentence
// behind that in a text, or with Away the whole member: one that is required becomes
// null.
type Take struct {
	Path []string
	Keep int    // entries of a list, or bytes of a text, that stay
	From string // in a text, at its last place; it goes with the last sentence
	Away bool
}
