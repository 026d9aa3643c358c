// Package confined runs a piece of work in a child process, so that what somebody
// else has written can take neither the memory nor the time of the process that
// asks, nor end it.
//
// The child is our own program, started again with a hidden command. It is given
// its limits, a request and bytes on its standard input, lowers the limits of its own
// process, does the work and writes the result. What ends it before that is told as
// an Ending: the limit that was reached, or a crash with its last words. The child
// has no environment and none of our files, and it does not outlive its parent.
//
// What the work is, and what an ending means to a user, is the caller's part:
// runtime/config/bounded evaluates configurations with it, runtime/retrieval/docs/extractor reads
// documents.
package confined
