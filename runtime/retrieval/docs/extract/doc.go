// Package extract extracts text from documents: Markdown, reStructuredText, AsciiDoc, plain text, HTML,
// Jupyter notebooks, Word documents (docx) and PDF.
//
// An Extractor reads one kind of file, recognized by its name, and returns its title and its text,
// Markdown if the file has headings, lists, tables or code, and reports the parts that it left out:
// scripts, hidden and deleted text, pictures, macros, text beyond a limit. Characters are decoded
// as the file says, as its first bytes say, or as Windows-1252; the text is UTF-8. builtins/docs
// has one more, for source code.
//
// Text and HTML take time and memory in proportion to their bytes. Formats that are packed, are
// parsed as a whole or have a library that can be made to loop are read by the Untrusted, which are
// for the child process of runtime/safety/confined only: runtime/retrieval/docs/extractor starts
// it. The text of a PDF has a form feed at the end of a page, so that a quote has a page.
//
// The package opens no file, follows no link of a document, and starts no process.
package extract
