package sandbox

// Wall describes what keeps opens below this root: the kernel's own containment if available, else the Go runtime's.
func (r *Root) Wall() string {
	if _, portable := r.core.tree.(*portableTree); portable {
		return "os.Root: every part of a path is opened by itself and links are refused"
	}
	return "openat2: the kernel refuses what leads out of the root"
}
