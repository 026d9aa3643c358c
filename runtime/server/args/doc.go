// Package args checks the arguments of a tool call against the tool's JSON schema before the tool sees them, and mends
// what small models get wrong without being in doubt: numbers written as strings, one value where a list is wanted,
// arguments sent as a JSON text, names in another case. What it cannot mend it names in words a model can act on, all
// problems at once.
//
// It knows the flat part of JSON Schema that tools use (type, properties, required, additionalProperties, items, enum,
// const and the bounds). A schema node with $ref, anyOf or another keyword that needs a full validator is passed
// unjudged: an upstream server checks its own arguments. The package reads no files and fills in no defaults.
//
// Neighbours: runtime/server validates with it before Backend.Call, cmd/compactor before running a tool by hand.
package args
