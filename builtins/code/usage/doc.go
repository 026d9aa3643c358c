// Package usage finds who uses a definition and what a definition uses: code.trace and
// code.callers.
//
// FindUses scans the tree for all names together; runtime/lang/relation decides which definition each
// use refers to. A use that may refer to several definitions is reported as possible, never as
// certain, and "nothing calls this" is said only if no evidence against it was found (denial.go).
//
//	trace*.go, uses*.go, sites.go     finding the uses of a name, and the definition each refers to
//	callers*.go                       the names whose callers are asked for, and the list of uses
//	subtypes.go, implementers.go      types that derive from a type
//	aliases.go, denial.go             uses under other names; evidence against "nothing calls this"
//	callees.go, users.go              what a definition calls, and where it is used, in a sentence
//	definers.go, resolve.go           which definition a call into another file refers to
package usage
