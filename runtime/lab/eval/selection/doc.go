// Package selection replays logs of sessions and scores the lists of tools that would
// have been shown.
//
// Each session is replayed call by call from what was learnt of other sessions: folds
// by task or session, another log, or all sources but one. What is asked of a list is
// whether the tool that was called next is among its first k ([Score]); beside the
// prediction stand two simple methods, and a list that is changed only where that pays
// ([Kept]). It reads what it is given and opens nothing; the clock is the caller's.
package selection
