package event

// Asked is the Detail of a Step of a request: what it asks in words. Only a view that
// its user alone sees reads it; logs and traces have no questions.
type Asked struct{ Question string }

// Query is the Detail of a Retrieval or a Compose: what was looked for. It is kept as
// questions are, or as a digest of it.
type Query struct {
	Text    string // masked
	Filters string // which documents alone; "" for all
}

// Listed is the Detail of a Step of tools/list: what a client was shown. Logs and traces
// have no names of tools; metrics count.
type Listed struct {
	Tools  []string // nobody changes them any more
	Names  int      // of these, tools of upstream servers
	Hidden int      // tools of upstream servers that there are, and are not listed
	Change Change
	Again  int // tokens of its prompt that a model reads again for the change, about
}

// Change says how a list differs from the one that the session was shown before.
type Change string

// The changes. A request that stands alone has always a first list.
const (
	First    Change = "first"
	None     Change = "none"
	Appended Change = "appended"
	Renewed  Change = "renewed"
)
