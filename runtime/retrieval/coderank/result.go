package coderank

import (
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// Result is the answer to a question.
type Result struct {
	// Hits are the files, best first. They are empty when nothing was found.
	Hits []Hit
	// Definitions are the best ones of all files, best first, if they answer the question better
	// than its files do; otherwise empty.
	Definitions []Definition
	// NotFound says why there is no answer; empty if there is one.
	NotFound string
	// Missing are the names and words of the question that occur nowhere.
	Missing    []Missing
	Confidence retrieval.Confidence
	Ahead      bool     // the first definition leads clearly, whether it is a sure answer or not
	Terms      []string // terms that were searched, by descending weight
	Scanned    int      // files counted
	Read       int      // files read by definition
}

// Definition is a place in the ranking over all files.
type Definition struct {
	Path string
	Place
	// Behind is how far its score is behind that of the best, 0 for the best
	// itself; one unit is a factor of e in how likely it is.
	Behind float64
}

// Hit is one file of the answer.
type Hit struct {
	Path   string
	Score  float64 // comparable within one result only
	Bucket Bucket
	Places []Place // best first; empty if only the path matches
	// Reasons say in a few words each why the file is here.
	Reasons []string
}

// Place is a definition, or some lines outside all definitions.
type Place struct {
	Line, EndLine int // 1-based; the line a reference should point to
	Focus         int // the most informative line within, 0 if unknown
	Name          string
	Kind          symbols.Kind
	Container     string
	Signature     string
	Doc           string
	Exact         bool // bears a name of the question
	Asked         bool // the question names this line, which the file may lack; Name is what a trace calls its function
}

// Missing is a name of the question that occurs nowhere in the tree.
type Missing struct {
	Name string
	Near []string // the nearest names that occur, at most three
}
