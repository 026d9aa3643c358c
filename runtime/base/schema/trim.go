package schema

// Trim defines how a value is cut if a reply has too many tokens: the least important
// part goes first. It is part of the schema, so that it applies wherever the value is
// put. Paths lead from the value through its members.
type Trim struct {
	Steps []Cut

	Cut     []string // the list that records cuts; nil for none
	Dropped []string // the number of references that did not resolve; nil for none
	Masked  []string // the number of secrets that were masked; nil for none
	Noted   []string // the list of remarks on the call itself; nil for none
}

// Cut is one step. The first of its takes that still has an effect is applied, again
// and again, until the reply fits or none has an effect.
type Cut struct {
	What  string // the text to record; "" records nothing
	Takes []Take
}

// Take removes the last entry of a list, a third of a text, with From the last sentence
// after that mark in a text, or with Away the whole member: a required one becomes
// null.
type Take struct {
	Path []string
	Keep int    // entries of a list, or bytes of a text, that stay
	From string // a mark in a text, of which the last one counts; it is removed with its only sentence
	Away bool
}
