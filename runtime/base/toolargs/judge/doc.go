// Package judge says what is certainly wrong with the arguments of a tool that somebody else serves. It takes a JSON
// schema of any draft with references and alternatives and judges as the server's own validator would: a required
// argument that has a default may be missing, as the validator fills it in; unknown arguments are let be, as most
// validators drop them. What readers of schemas disagree on (regular expressions, formats, conditions, exactly one of
// several) is not judged at all, and neither is what the schema's own slips make unreadable.
//
// Schemas come from strangers. Each is first written anew from the keywords that are judged, with its references
// inside it (rewrite.go): nothing is ever loaded, no foreign expression runs, and size and depth are bounded. The
// library judges what is left, in a bounded number of steps (judge.go).
//
// Neighbours: runtime/base/toolargs mends arguments and words what is wrong with them; it is the only user.
package judge
