// Package githistory reads a repository's past through the git program: which
// commits there are, what each changed, and what a tree held. Trees are laid
// out as plain files in a directory of the caller's.
//
// A repository is not trusted. Git runs without the system's, the user's and,
// where it could start a program, the repository's configuration: no hook, no
// file system monitor, no external diff, no text conversion, no filter, no
// signature check, no transport. It gets an environment made from nothing, and
// only plumbing that reads is called, so the repository is never written to.
// Names in a tree may say anything ("..", links, devices): see [Layout].
//
// The package knows nothing of questions, ranking or requests, and imports
// nothing of compactor. Its neighbours are runtime/lab/commitbench, which makes questions
// of what is read here, and runtime/app/service, which hands it to the ranking as
// evidence of what files are about.
package githistory
