// Package sandbox is compactor's only access to the file system.
//
// A [Root] is a directory that the user opened for reading. Everything in it is named by a slash-separated path
// relative to the root; nothing outside can be named. [Root.Sub] is a view of a directory in it: the same opened root,
// whose rules still apply. A [Set] holds the roots that one request may see. [ArtifactDir] is the only place that is
// written to.
//
// # How a file is opened
//
// The requested path is cleaned as text ([Set.Resolve], which refuses absolute paths, drives, URLs and every ".." that
// climbs out), its links are expanded to a name without links, that name is checked against the deny list, and then
// exactly that name is opened in a way that refuses links in all its components. A link that is swapped in between
// therefore makes the open fail; it never changes what is opened. On Linux the kernel does this (openat2); elsewhere,
// and where openat2 is refused, a chain of [os.Root] handles does, each compared with the name it was opened by. What
// was opened is examined through its descriptor: only regular files and directories on the root's own file system pass.
// A hard link cannot be told apart from the file itself, so it is read even if its other name lies outside. Neither an
// archive nor a clone can bring such a link, and systems let a user make one only to a file that the user may read.
//
// # What is denied and what is ignored
//
// A denied name (secret directories and files, see denylist.go) cannot be read, listed or distinguished from a missing
// one. An ignored name (.gitignore, .ignore, .git/info/exclude, as git reads them) is left out of listings and walks,
// but can be read if a caller asks for it by name. What git tracks is listed anyway unless .ignore names it, because
// git's own rules are about files that it does not track; .git/index says so, which is not read for linked worktrees.
// Ignore rules never lift a denial. Above a root, ignore files count up to the top of the repository that it lies in,
// unless that repository ignores the root itself; global git settings are not read, so that two machines list the same.
//
// Dot files such as .github are listed. Version control's own directories are not, and neither are directories of
// installed or cached files (node_modules, __pycache__ and the like) in a root that has neither version control nor an
// ignore file at its top. Options.Hidden lists these too. A walk never follows links.
//
// # What it must not do
//
// The package never unpacks, decodes or redacts; it keeps no cache; it does not know roles, budgets or pipelines.
// Related packages: runtime/safety/sandbox/landlock has the kernel put a second wall around the whole process, builtins
// read through this package, runtime/config says which roots exist, runtime/safety/redact checks what was read.
//
// # Files
//
//	root.go, sub.go, outer.go            what may be a root; views; the repository around a root
//	set.go, lines.go                     the roots of a request; what a reference means; lines of a file
//	guard.go, anchor.go                  rules of overlapping roots, and of directories above a root
//	clean.go, locate.go                  what a requested path may look like; expanding links
//	denylist.go, deny.go, fold.go        secret names; recognizing them in any case and in backup copies
//	rules.go, ruleset.go                 patterns of ignore files and deny lists: parsing, matching
//	scope.go, tracked.go                 what ignore files leave out; what git tracks
//	walk.go, visit.go, gather.go         walking a tree: what is left out, in which order
//	list.go, start.go                    listing one directory; the rules where a walk or a listing begins
//	worktree.go                          linked worktrees, left out so that no definition is found twice
//	read.go, scan.go                     reading one file; reading many at once
//	tree.go, binary.go                   size limits and encodings; what is not text
//	tree_linux.go, dir_linux.go          opening with openat2; file systems that the kernel generates
//	tree_portable.go, open_portable.go   opening without openat2
//	os_*.go, tree_other.go               differences between systems
//	version.go, version_linux.go         whether a file is the same as before
//	core.go, workers.go                  closing a root that is in use; file systems that do not answer
//	artifacts.go, artifact_*.go          artifacts: where they are, how they are written
//	errors.go                            errors and their codes; showing a file name
package sandbox
