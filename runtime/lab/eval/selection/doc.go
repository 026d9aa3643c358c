// Package selection replays logs of sessions and scores the lists of tools that would
// have been shown.
//
// Each session is replayed call by call from what was learnt from other sessions: folds
// by task or session, another log, or all sources but one. A list is scored by whether
// the tool that was called next is among its first k ([Score]). The prediction is
// compared with two simple methods, and with a list that is changed only if that pays
// ([Kept]). The package opens no file; the clock is the caller's.
package selection
