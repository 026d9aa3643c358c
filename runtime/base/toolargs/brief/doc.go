// Package brief describes in a few words what a JSON schema accepts, as a type for a model to read: "string[]",
// "open|closed", "{page: string} | {database: string}". It follows references and opens alternatives and objects as far
// as the room allows; what is left out becomes "object" or "…". It checks nothing.
//
// Users: runtime/base/toolargs and runtime/gateway, which show schemas to models.
package brief
