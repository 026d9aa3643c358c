// Package relation tells from the text of one file what a name in it refers to: whether it is called, passed on or only
// named, and on what. A Reader reads a file and returns mentions, which hold what the file shows: the qualifier, the
// import or declared type behind it, and the enclosing types. Decide then compares a mention with the definitions of
// that name in the whole tree.
//
// Nothing is compiled for it. What the text does not show is Maybe, never Yes.
package relation
