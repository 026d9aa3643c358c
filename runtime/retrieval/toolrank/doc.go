// Package toolrank orders upstream tools by how well they fit a query. It needs no model and does
// no I/O: words are split like names, reduced to their stems, expanded by synonyms and topics, and
// weighted by the part of the tool that they occur in and by how few tools hold them. Lists of
// expressions and of kinds of things translate everyday language to the words of tool descriptions.
// A request for several things is split into its clauses, and the hits are spread over them. Words
// are split and stemmed by runtime/base/words, and weighted by runtime/retrieval; the lists say in
// their headers where they come from.
//
// Files:
//
//	index.go, names.go             what is indexed of a tool; which words of its name tell it from others
//	prose.go                       which sentences of a description count
//	query.go, lists.go             the words of a query and what they count; the word lists
//	thesaurus.go, said.go          synonyms and topics; everyday expressions
//	spell.go                       misspelt words, and words of the same origin
//	verbs.go, slots.go, where.go   actions, values and servers in a query
//	clauses.go, merge.go           splitting a request for several things; searching for each
//	weights.go                     the constants of the ranking
//	search.go, tally.go            the steps of a search; scores
//	spread.go                      the order of hits, so that each thing asked for is served
//	confidence.go, kindred.go      how likely it is that a hit fits
//	about.go, nothing.go           when no tool fits; hits that share only verbs with a query
//	why.go                         the reasons given with a hit
package toolrank

// Param is one argument of a tool. Nested arguments are listed like the others.
type Param struct {
	Name, Description string
	Enum              []string
	Required          bool
}

// Doc describes a tool. Server is the upstream's name, ServerText its own description; Keywords are
// the operator's own search words.
type Doc struct {
	Name, Title, Description, Server, ServerText string
	Params                                       []Param
	Tags, Keywords                               []string
}

// Options narrow a search.
type Options struct {
	// Limit is the number of hits wanted; 0 is 10.
	Limit int
	// Keep reports whether a document may be a hit; nil keeps all.
	Keep func(i int) bool
	// Uses returns how often a tool was called so far. It decides between tools that fit about
	// equally well; nil means no calls.
	Uses func(i int) int
}

// Hit is a tool that fits. Score is 0..1 and comparable between queries. Why lists the words of the
// query that matched, and where.
type Hit struct {
	Doc   int
	Score float64
	Why   []string
}

// Result is the answer to a query: hits, hits that are no more than the nearest tools, or nothing.
// Confidence, 0..1, is the probability that a tool among the hits fits.
//
// Unsure is set if that is unlikely; Missed then lists the words of the query that no hit has, the
// most telling first. If each is in some hit, Missed lists the words that the first hit lacks, and
// Apart is set. Nothing is set if no tool fits: Missed then lists the words that none of the
// nearest three has, and Near the servers whose tools came nearest, at most three.
type Result struct {
	Hits       []Hit
	Confidence float64
	Unsure     bool
	Apart      bool
	Nothing    bool
	Missed     []string
	Near       []string
}
