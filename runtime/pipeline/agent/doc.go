// Package agent runs one role once. If a builtin grounds the role, the builtin finds the
// answer deterministically: a result exists before any model is asked, and is returned if
// none is. What a model says improves on it only where the text shown to the model supports
// it. A role without such a builtin has its model make a value from its input, which a
// program checks, with a fallback for failures.
//
// This package has the loop and the error handling. How the model is prompted, and how its
// reply is applied and checked, is in runtime/pipeline/task; runtime/base/sanitize/fence
// marks foreign text. The package sees a role, an input and capabilities; it never sees the
// server, the gateway or a store.
//
// Files:
//
//	agent.go                running a role: findings first, then the model; when the findings stay as they are
//	assist.go, recheck.go   what a model may change in the findings; confirming its choice and its sentences
//	widen.go                search words from the model if the question's own found nothing certain
//	made.go                 a value that the model makes; asking again after a failed check
//	fallback.go             the answer, or the error, if no model answers
//	template.go             the role's prompt, with values filled in; line counts for checking references
//	turn.go                 one request: limits of tokens and time, the next model after a failure, a second try
//	watch.go                progress while a model writes
//	bounds.go               cutting, cleaning and masking what leaves a role
//	explore.go              letting a model look around: whether, how long, with which part of the budget
//	explore_talk.go         the conversation: calls in a reply, old results left out
//	explore_tools.go        which tools the model may call; running them
//	explore_args.go         repairing its arguments and paths
//	explore_short.go        shortening long results
//	explore_places.go       which of the places it saw become candidates
package agent
