// Package toolargs checks the arguments of a tool call against the tool's JSON schema before the tool sees them, and mends
// what small models get wrong without being in doubt: numbers written as strings, one value where a list is wanted,
// arguments sent as a JSON text, names in another case. What it cannot mend it names in words a model can act on, all
// problems at once.
//
// A Schema is of a tool of our own and strict. It knows the flat part of JSON Schema that such tools use (type,
// properties, required, additionalProperties, items, enum, const and the bounds). A Foreign is of a tool that somebody
// else serves and checks again: it refuses only what certainly cannot work (see judge), follows references and
// alternatives to mend, and mends nothing that may work as it is. The package reads no files and fills in no defaults.
//
// Neighbours: runtime/mcp/server validates with a Schema before Backend.Call, cmd/compactor before running a tool by hand,
// runtime/gateway with a Foreign; below it judge judges and brief names what a schema takes.
package toolargs
