// Package githistory reads a repository's history through the git program: the commits,
// the changes of each, and the content of a tree. Trees are written as plain files to a
// directory of the caller's choice.
//
// Repositories are not trusted. Git runs without the system's and the user's
// configuration, and without any part of the repository's configuration that could
// start a program: no hooks, file system monitor, external diff, text conversion,
// filters, signature checks or transports. Its environment is built from scratch, and
// only plumbing commands that read are called, so the repository is never written to.
// Names in a tree may be malicious ("..", links, devices): see [Layout].
//
// The package knows nothing of questions, ranking or requests, and imports no other
// package of compactor. Neighbours: runtime/lab/commitbench derives questions from the
// history, and runtime/app/service passes it to the ranking as evidence of what files
// are about.
package githistory
