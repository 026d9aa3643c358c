// Package sanitize makes foreign text safe to show: the text of files and servers, and file names. What is shown is
// data: it cannot steer a terminal, address a model's chat template, hide from its reader or pass for a line of ours.
//
// The package knows no secrets: runtime/safety/redact finds those, before and after. Path reverses the escapes of Name,
// so that a reference that was shown still leads to its file.
package sanitize
