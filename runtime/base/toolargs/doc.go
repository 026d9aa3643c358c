// Package toolargs checks the arguments of a tool call against the tool's JSON schema before the tool sees them, and
// repairs unambiguous mistakes of small models: numbers written as strings, one value instead of a list, arguments sent
// as JSON text, names in another case. What it cannot repair it reports for a model to act on, all problems at once.
//
// A Schema belongs to a tool of our own and is strict. It knows the flat part of JSON Schema that such tools use (type,
// properties, required, additionalProperties, items, enum, const and the bounds). An UpstreamSchema belongs to a tool
// of another server, which checks again: it rejects only what certainly cannot work (see judge), follows references and
// alternatives to repair, and leaves alone what may work unchanged. The package reads no files and fills in no
// defaults.
//
// Callers: runtime/mcp/server validates with a Schema before Backend.Call, cmd/compactor before running a tool by hand,
// runtime/gateway with an UpstreamSchema; of the subpackages, judge checks and brief describes what a schema accepts.
package toolargs
