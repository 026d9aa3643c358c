// Package process starts the programs of upstream servers so that none of them outlives us.
//
// Each program has its own process group, which is ended as a whole: first its input is closed, then come SIGTERM and
// SIGKILL. If we are killed ourselves, we cannot do that, so a guard, a second process that only reads a pipe from us,
// ends the groups when that pipe closes. A program that left its group is found by a variable in its environment, and
// whatever a crash of both left behind is ended at the next start. Windows has job objects, which do all this in the
// kernel.
//
// The kernel's own signal at the death of the parent (Pdeathsig) is not used: it is bound to the thread that started
// the program, which Go may end at any time, and it does not reach grandchildren.
//
// Files:
//
//	launcher.go                            starting a program; ending all of them
//	process.go                             ending one program, step by step; why it ended
//	find.go, places.go, login_*.go         finding a program: PATH, login shell, directories of installers
//	environ.go                             which variables a program gets
//	tree_*.go, family_unix.go, exit_*.go   ending what a program started, without hitting a reused process id
//	table_*.go                             the system's processes, to find programs that left their group
//	keeper.go, guard_unix.go               the guard, which ends programs when we are killed
//	record_unix.go                         ending what a crash left behind
//	seal_unix.go                           no open file of ours is passed on to a program
//	tail.go                                the end of a program's stderr, masked
//	worked_*.go                            processor time used
package process
