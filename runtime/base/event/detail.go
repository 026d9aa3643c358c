package event

// Asked is the Detail of a Step of a request: its question in words. Only a view that
// is visible to its user alone reads it; logs and traces contain no questions.
type Asked struct{ Question string }

// Query is the Detail of a Retrieval or a Compose: the text that was searched for. It
// is stored like questions, or as a digest.
type Query struct {
	Text    string // masked
	Filters string // restricts the search to these documents; "" for all
	Quotes  string // digests of the quotes of an answer, in the order of its citations
	Homes   string // of the collections that those are of, in the same order; "-" for none
}

// Listed is the Detail of a Step of tools/list: what a client was shown. Logs and
// traces have no names of tools; metrics count.
type Listed struct {
	Tools  []string // read-only
	Names  int      // how many of these are tools of upstream servers
	Hidden int      // existing tools of upstream servers that are not listed
	Change Change
	Again  int // approximate tokens of its prompt that a model has to read again because of the change
}

// Change tells how a list differs from the one that the session was shown before.
type Change string

// The kinds of change. A stateless request always has a first list.
const (
	First    Change = "first"
	None     Change = "none"
	Appended Change = "appended"
	Renewed  Change = "renewed"
)
