// Package toolrank orders upstream tools by how well they fit a query. It needs no
// model and does no I/O: words are split as names are, brought to their stems,
// joined to their synonyms and topics, and weighed by the part of the tool they
// stand in and by how few tools hold them. What people say is brought to what
// tools are described with by lists of expressions and of kinds of things. A
// request for several things is cut into its clauses, and the hits are spread
// over them. Words are cut and stemmed by runtime/base/words, and weighed by
// runtime/retrieval; the lists say in their headers where they come from.
package toolrank

// Param is one argument of a tool. Nested arguments are listed like the others.
type Param struct {
	Name, Description string
	Enum              []string
	Required          bool
}

// Doc is what is known of a tool. Server is the upstream's name, ServerText
// what it says about itself; Keywords are the operator's own search words.
type Doc struct {
	Name, Title, Description, Server, ServerText string
	Params                                       []Param
	Tags, Keywords                               []string
}

// Options narrow a search.
type Options struct {
	// Limit is the number of hits wanted; 0 is 10.
	Limit int
	// Keep says which documents may be hits; nil keeps all.
	Keep func(i int) bool
	// Uses is how often a tool was called so far. It decides between tools that
	// fit about equally well; nil is none.
	Uses func(i int) int
}

// Hit is a tool that fits. Score is 0..1 and comparable between queries. Why
// are the words of the query that matched, and where.
type Hit struct {
	Doc   int
	Score float64
	Why   []string
}

// Result is the answer to a query: hits, hits that are no more than the nearest,
// or none. Confidence, 0..1, says how likely a tool among the hits fits.
//
// Unsure is set when that is unlikely; Missed are then the words of the query
// that no hit has, those that tell most first. Where each is in some hit, Missed
// are those that the first one lacks, and Apart is set. Nothing is set when no tool fits:
// Missed are then the words that none of the nearest three has, and Near the
// servers whose tools came nearest, at most three.
type Result struct {
	Hits       []Hit
	Confidence float64
	Unsure     bool
	Apart      bool
	Nothing    bool
	Missed     []string
	Near       []string
}
