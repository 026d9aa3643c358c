// Package confined runs a piece of work in a child process, so that untrusted input can neither exhaust the memory
// or time of the calling process nor crash it.
//
// The child is our own program, started again with a hidden command. It reads its limits, a request and bytes from
// standard input, lowers the limits of its own process, does the work and writes the result. If it ends before
// that, the Ending says why: the limit that was reached, or a crash with its last words. The child has no
// environment and none of our open files, and it does not outlive its parent.
//
// The caller decides what the work is and what an ending means to a user: runtime/config/bounded evaluates
// configurations with it, runtime/retrieval/docs/extractor reads documents.
package confined
