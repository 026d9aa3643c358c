// Package brief says in a few words what a JSON schema takes, as a type that a model reads: "string[]", "open|closed",
// "{page: string} | {database: string}". It follows references and looks into alternatives and objects as far as the
// words last; what is left out is "object" or "…". It judges nothing.
//
// Neighbours: runtime/base/toolargs and runtime/gateway, which show schemas to models.
package brief
