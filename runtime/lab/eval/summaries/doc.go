// Package summaries scores summaries of tool results without a model as judge: was
// the identifier that a later call needed still in it, beside something that it
// belongs to?
//
// A case is a tool result with the identifiers that first appeared in it and were
// used afterwards. Of a summary it measures
//
//	anch    share kept with something they belong to: two of the words that stand
//	        next to the identifier in the source stand next to it in the summary
//	        (160 characters, its line, its record or the head of its table)
//	macro   share of the needed identifiers that occur verbatim; mean over cases
//	micro   the same over all identifiers
//	all     share of cases with nothing lost
//	parts   as macro, where a path also counts by its segments
//	faith   share of the identifiers, numbers and paths of the summary that occur in
//	        the source or in what it was read for; whole is the share of summaries
//	        without any other
//
// A bag of identifiers has a high macro and says nothing: quote anch. A summary
// over its budget, of four bytes a token, is cut there before it is scored, and
// only results of at least 1.5 times a budget count for it.
//
// The package opens no file and makes no summary; cmd/compactor does both.
package summaries
