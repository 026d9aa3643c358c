package catalog

import (
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/notes"
)

// Library is the set of collections that a caller may search. No message to the caller
// names any other collection.
type Library = library.Set

// Notes are the caller's pins on documents of a Library.
type Notes = notes.Notes
