// Package extract makes text of documents: Markdown, plain text, HTML, Jupyter
// notebooks, Word documents (docx) and PDF.
//
// An Extractor reads one kind of file, told by its name, and returns its title and its
// text, Markdown where the file has headings, lists, tables or code, and says what it
// left out: scripts, hidden and deleted text, pictures, macros, what goes beyond a
// bound. Letters are decoded as the file says, as its first bytes say, or as
// Windows-1252; the text is UTF-8. builtins/docs has one more, for source code.
//
// Text and HTML take time and memory by their bytes. What is packed, is parsed as a
// whole or has a library that can be made to loop is read by the Untrusted, which are
// for the child process of runtime/safety/confined only: runtime/retrieval/docs/extractor starts it. The
// text of a PDF has a form feed where a page ends, so that a quote has a page.
//
// The package opens no file, links to nothing that a document names, and starts no
// process.
package extract
