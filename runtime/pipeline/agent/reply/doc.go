// Package reply reads what a small model wrote. A reply is requested as one JSON object,
// or as tool calls, and arrives inside fences, after thoughts, with missing quotes, cut
// off, or with "#1" in place of a number. Each reply goes down a ladder, strip, parse,
// repair, fit, only as far as needed, and the result always satisfies the schema.
//
// The package has a parser of its own: runtime/base/rawjson walks JSON, and most replies
// are not JSON before they are repaired. Keys may lack quotes, ends may be missing, and
// repaired values are distinguished from intact ones.
//
// Files:
//
//	reply.go, search.go      how far down the ladder a reply goes; which of several objects is the answer
//	strip.go                 removing thoughts, chat template marks, fences and announcements
//	read.go, node.go         the parser: missing and surplus brackets, comments, keys without quotes
//	text.go, close.go        strings: escapes, quotes that do not end them, missing ends
//	word.go                  numbers, literals and text without quotes
//	fit.go, fitlist.go       fitting objects and lists: other spellings of names, wrappers, defaults
//	scalar.go                fitting numbers, booleans, texts and choices
//	mismatch.go, wanted.go   what the model is told about an unusable reply
//	calls.go                 tool calls in a text: known and unknown names, bare JSON
//	marks.go                 calls between the marks of model families; parameters in tags
//	spoken.go                calls as name(key="value"), or as Action and Action Input
//
// Everything here is a pure function of its arguments: no model, no clock, no files. Time
// and memory grow linearly with a text, and at most maxBytes of it are read.
package reply
