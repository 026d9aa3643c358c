// Package selection learns which upstream tools sessions use, and ranks candidate tools for a session.
//
// A Learner reads the log of runtime/observe/usage once, when the first ranking is requested, and then follows new
// calls: those of its own process and, with a short delay, those that other processes write to the same log. Each
// profile has its own model: nothing learned in one is used in another, unless the configuration lets that one learn
// from it. Requests wait for the initial reading a moment at most; without it, rankings use words and servers, and say
// so. After deletions, or a change of the half-life, everything left is learned again.
//
// The learning itself is in runtime/retrieval/predict; builtins in a pipeline decide what is listed. The only lists
// kept here are the first ones of each profile, which remain valid for a while, so that successive sessions share what
// their model has cached.
package selection
