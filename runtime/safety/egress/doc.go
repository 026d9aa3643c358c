// Package egress is the only way out: the result of a pipeline is redacted, the text it quotes is made harmless,
// its references are checked against the tree, and it is cut to the token budget, in this order. Everything that a
// client, a terminal or a file gets comes from here.
//
// The package knows nothing about particular jobs. What is cut first from a reply that is too long is a property of
// the value's type (schema.Trim), whether that value is the whole reply or a part of one that an expression built.
//
// Files:
//
//	egress.go           the order of the steps; texts sent on their own; references that are dropped
//	tree.go             line counts of files, pages and documents, for checking references
//	fit.go              cutting in the order that a type declares; remarks on the call
//	shrink.go           cutting what is left without such an order
//	node.go, parse.go   JSON that keeps the order of its members
//	events.go           reporting that a reply was cut
package egress
