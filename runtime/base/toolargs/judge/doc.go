// Package judge finds what is certainly wrong with the arguments of a tool of another server. It takes a JSON schema of
// any draft with references and alternatives and checks as the server's own validator would: a required argument with a
// default may be missing, since the validator fills it in; unknown arguments pass, since most validators drop them.
// What implementations of JSON Schema disagree on (regular expressions, formats, conditions, exactly one of several) is
// not checked at all, and neither is anything that mistakes in the schema make unreadable.
//
// Schemas are not trusted. Each is first rewritten from the keywords that are checked, with its references inside it
// (rewrite.go): nothing is ever loaded, no foreign expression runs, and size and depth are bounded. The library then
// checks the rest, in a bounded number of steps (judge.go).
//
// The only user is runtime/base/toolargs, which repairs arguments and words what is wrong with them.
package judge
