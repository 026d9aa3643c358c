// Package handoff writes research down and takes it up again: an artifact is a
// Markdown file that a person reads, that another session resumes, and that
// Parse turns back into the Document it was made of.
//
// Artifacts live in the one directory that is written to (sandbox.ArtifactDir),
// only when somebody asks for one. The package decides no secrets: the caller
// hands in the redactor, and the whole text passes it before it is written. It
// reads roots only to say which references still resolve.
package handoff
