// Package summaries scores summaries of tool results without a model as judge: is
// the identifier that a later call needed still in the summary, next to something
// that it belongs to?
//
// A case is a tool result with the identifiers that first appeared in it and were
// used afterwards. The measures of a summary are
//
//	anch    share kept with something they belong to: two of the words that are
//	        next to the identifier in the source are next to it in the summary
//	        (160 characters, its line, its record or the head of its table)
//	macro   share of the needed identifiers that occur verbatim; mean over cases
//	micro   the same over all identifiers
//	all     share of cases with nothing lost
//	parts   as macro, where a path also counts by its segments
//	faith   share of the identifiers, numbers and paths of the summary that occur in
//	        the source or in what it was read for; whole is the share of summaries
//	        in which all of them do
//
// A bag of identifiers has a high macro and says nothing: quote anch. A summary
// over its budget, at four bytes per token, is cut there before it is scored, and
// only results of at least 1.5 times a budget count for it.
//
// The package opens no file and makes no summary; cmd/compactor does both.
package summaries
