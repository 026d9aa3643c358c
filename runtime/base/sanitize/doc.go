// Package sanitize makes foreign text fit to be shown: text of files and servers, and the names of files. What is shown is
// data. It cannot steer a terminal, speak to a model's template, hide from its reader or pass for a line of ours.
//
// It knows no secrets: runtime/safety/redact finds those, before and after. Names that Name has escaped are read back by Path,
// so that a reference that was shown still leads to its file.
package sanitize
