// Package relation tells from the text of one file what a name in it refers to:
// whether it is called, handed on or only named, and on what. A reader looks at a
// file and returns mentions, which hold what the file shows: the qualifier, the
// import or the declared type behind it, the types around it. Decide then holds a
// mention against the definitions of that name in the whole tree.
//
// No program is compiled for it. What the text does not show is Maybe, never Yes.
package relation
