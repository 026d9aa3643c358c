// Package sandbox is the only way from compactor to the file system.
//
// A [Root] is one directory that the user opened for reading. Everything in it is named by a slash-separated path
// relative to the root; nothing outside can be named. [Root.Sub] is a view of a directory in it: the same opened root,
// whose rules hold on. A [Set] is the roots that one request may see. [ArtifactDir] is the one place that is written to.
//
// # How a file is opened
//
// The asked path is cleaned as text ([Set.Resolve], refusing absolute paths, drives, URLs and every ".." that climbs
// out), its links are expanded to a name without links, that name is held against the deny list, and then exactly that
// name is opened in a way that refuses links in all its components. A link that is swapped in between therefore fails
// the open; it never changes what is opened. On Linux the kernel does this (openat2); elsewhere, and where openat2 is
// refused, a chain of [os.Root] handles does it, each one compared with the name it was opened by. What was opened is
// examined through its descriptor: only regular files and directories on the root's own file system pass. A hard link is
// the file itself and cannot be told from it: it is read, also where its other name lies outside. No archive and no clone
// can bring one, and systems let only those make one who may read the file.
//
// # What is denied and what is ignored
//
// A denied name (secret directories and files, see denylist.go) cannot be read, listed or told apart from a missing
// one. An ignored name (.gitignore, .ignore, .git/info/exclude, as git reads them) is left out of listings and walks,
// but can be read when asked for by its name. What git tracks is listed all the same unless .ignore names it, for
// git's own rules are about files that it does not track; .git/index says so, which is not read of linked worktrees.
// Ignore rules never lift a denial. Above a root, ignore files count up to the
// top of the repository that it lies in, unless that repository ignores the root itself; the user's global git settings
// are not read, so that two machines list the same.
//
// Dot files such as .github are listed. Version control's own directories are not, and neither are directories of
// installed or cached things (node_modules, __pycache__ and their kind) in a root that has neither version control nor
// an ignore file at its top. Options.Hidden lists these too. Links are never followed by a walk.
//
// # What it must not do
//
// It never unpacks, decodes or redacts; it keeps no cache; it does not know roles, budgets or pipelines. Neighbours:
// runtime/safety/sandbox/landlock has the kernel hold a second wall around the whole process,
// builtins read through it, runtime/config says which roots there are, runtime/safety/redact looks at what was read.
package sandbox
