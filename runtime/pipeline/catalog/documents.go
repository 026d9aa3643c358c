package catalog

import (
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/notes"
)

// Library is the collections that a caller may search: what is not in it, nothing that
// he is told names.
type Library = library.Set

// Notes are what the caller pinned of the documents of a Library.
type Notes = notes.Notes
