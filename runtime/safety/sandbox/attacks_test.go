package sandbox

import "testing"

// TestFileAttacks holds the twenty file attacks against both ways to open files. Each case is a function of its own
// below or in the attack files beside this one; what a case is about stands in its line.
func TestFileAttacks(t *testing.T) {
	attacks := []struct {
		id, about string
		run       func(*testing.T, mode)
	}{
		{"F01", "paths that climb: .., ..\\, ...., percent-encoded, overlong UTF-8", attackClimb},
		{"F02", "absolute paths, ~, URLs, UNC, drives", attackAbsolute},
		{"F03", "a sibling whose name starts with the root's", attackSibling},
		{"F04", "links: file, directory, chain, loop, dangling, with a slash behind", attackLinks},
		{"F05", "a directory swapped for a link during opens and walks", attackSwap},
		{"F06", "a root that is a link, is replaced, is deleted", attackRootMoves},
		{"F07", "a link inside the root to a denied file", attackDeniedByLink},
		{"F08", "denied names in other spellings", attackSpelling},
		{"F09", "a denied directory as root, nested and overlapping roots", attackRootChoice},
		{"F10", "pipes, sockets, devices, file systems that the kernel makes up", attackSpecial},
		{"F11", "the process's own secrets under /proc", attackProc},
		{"F12", "sparse, growing and shrinking files", attackSize},
		{"F13", "huge and deep directories, names that harm a terminal", attackNames},
		{"F14", "an ignore file that lists what is denied", attackIgnore},
		{"F15", "archives and documents are never unpacked", attackPacked},
		{"F16", "bytes that pose as text", attackBinary},
		{"F17", "hard links, bind mounts, file systems that hang", attackMounts},
		{"F18", "files that are secret by name, one by one", attackSecretNames},
		{"F19", "one root asked through another", attackOtherRoot},
		{"F20", "reading writes nothing", attackWrites},
	}
	for _, a := range attacks {
		t.Run(a.id, func(t *testing.T) {
			t.Log(a.about)
			eachMode(t, a.run)
		})
	}
}
