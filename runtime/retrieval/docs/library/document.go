package library

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/chunk"
)

// Document is an indexed file of a collection.
type Document struct {
	ID       string    `json:"id"`       // derived from its address, the same for all its versions
	URI      string    `json:"uri"`      // collection/path, or collection/root/path if there are several roots
	Version  string    `json:"version"`  // of its bytes
	Title    string    `json:"title"`    //
	Kind     string    `json:"kind"`     // the extractor that read it
	Size     int64     `json:"size"`     // of the file, in bytes
	Modified time.Time `json:"modified"` // the file
	Chunks   int       `json:"chunks"`   //
	Note     string    `json:"note,omitempty"`
	Tags     Tags      `json:"tags,omitempty"`

	Content string `json:"-"` // key of its text and its chunks
	Stamp   string `json:"-"` // of its inode; "" if only reading tells whether it changed
	First   int    `json:"-"` // number of its first passage in the index
}

// Content is the result of reading the bytes of a file.
type Content struct {
	Hash   string // of the bytes and of how they were read
	Title  string
	Kind   string
	Text   string // complete, as it is quoted
	Note   string // parts that are missing
	Tags   Tags
	Chunks []chunk.Chunk
}

// Passage is a chunk of a document.
type Passage struct {
	ID       string   // of this chunk in this version
	Document Document //
	Title    string   // what it is about
	Section  []string // the headings above it, the outermost first
	Text     string   // the text of the document from Start to End
	Start    int
	End      int
	Whole    string // the text of the document
}

// Page returns the page of a byte of a text, from 1 on, or 0 for a text without pages. A form feed
// ends a page.
func Page(text string, at int) int {
	if !strings.Contains(text, "\f") {
		return 0
	}
	return strings.Count(text[:at], "\f") + 1
}

// Lengths of the parts of an id, in hexadecimal digits.
const (
	idDigits      = 10
	versionDigits = 12
	markDigits    = 4
)

// documentID returns the id of an address.
func documentID(uri string) string { return digest(uri)[:idDigits] }

// passageID returns the id of the chunk n of a document in its version.
func passageID(d Document, n int) string {
	return d.ID + "-" + d.Content[:markDigits] + "-" + strconv.Itoa(n)
}

// parseID splits an id: of a document, with mark "", or of a passage.
func parseID(id string) (document, mark string, n int, ok bool) {
	parts := strings.Split(id, "-")
	hexadecimal := func(s string, digits int) bool {
		return len(s) == digits && strings.Trim(s, "0123456789abcdef") == ""
	}
	switch {
	case len(parts) == 1 && hexadecimal(id, idDigits):
		return id, "", 0, true
	case len(parts) == 3 && hexadecimal(parts[0], idDigits) && hexadecimal(parts[1], markDigits):
		n, err := strconv.Atoi(parts[2])
		return parts[0], parts[1], n, err == nil && n >= 0
	}
	return "", "", 0, false
}

// digest returns a hash of texts, which also depends on where each of them ends.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// versionOf returns a digest of documents and their contents, in the order of their addresses.
func versionOf(recipe string, docs []Document) string {
	parts := []string{recipe}
	for _, d := range docs {
		parts = append(parts, d.URI, d.Content)
	}
	return digest(parts...)
}

// numberPassages sorts documents and numbers their passages. It returns the number of passages.
func numberPassages(docs []Document) (passages int) {
	slices.SortFunc(docs, func(a, b Document) int { return strings.Compare(a.URI, b.URI) })
	for i := range docs {
		docs[i].First = passages
		passages += docs[i].Chunks
	}
	return passages
}
