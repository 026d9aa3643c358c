// Package handoff saves research and resumes it: an artifact is a Markdown file that a person can
// read, that another session can resume, and that Parse turns back into the Document it was made
// from.
//
// Artifacts live in the only directory that is written to (sandbox.ArtifactDir), and are created
// only on request. The package does not detect secrets itself: the caller provides the redactor,
// which processes the whole text before it is written. Roots are read only to check which
// references still resolve.
package handoff
