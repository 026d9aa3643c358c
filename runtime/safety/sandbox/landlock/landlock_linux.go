package landlock

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Access rights in the kernel's terms. A file takes fewer rights than a directory.
const (
	readRights  = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	runRights   = readRights | unix.LANDLOCK_ACCESS_FS_EXECUTE
	writeRights = readRights | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_REFER | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	fileRights = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	allRights  = runRights | writeRights | unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO |
		unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM
)

// ABI versions from which on the kernel knows a right, or can restrict all threads itself.
const (
	referABI    = 2
	truncateABI = 3
	syncABI     = 8
)

// knownRights returns all rights except those that an older kernel does not have.
func knownRights(abi int) uint64 {
	rights := uint64(allRights)
	if abi < referABI {
		rights &^= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi < truncateABI {
		rights &^= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	return rights
}

func abiVersion() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
}

// allThreads reports whether every thread can be restricted: by the kernel, or by the Go runtime if cgo is not in use.
func allThreads(abi int) bool {
	if abi >= syncABI {
		return true
	}
	_, _, errno := syscall.AllThreadsSyscall(unix.SYS_PRCTL, unix.PR_GET_NO_NEW_PRIVS, 0, 0)
	return errno != syscall.ENOTSUP
}

func restrict(abi int, g Grants) error {
	handled := knownRights(abi)
	attr := unix.LandlockRulesetAttr{Handled_access_fs: handled}
	set, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr.Handled_access_fs), 0)
	if errno != 0 {
		return errno
	}
	defer unix.Close(int(set))
	for _, part := range []struct {
		paths  []string
		rights uint64
	}{{g.Read, readRights}, {g.Run, runRights}, {g.Write, writeRights}} {
		for _, path := range part.paths {
			if err := grantPath(int(set), path, part.rights&handled); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	return restrictThreads(abi, set)
}

// grantPath adds a rule for the file that a path names now. A missing file gets no rule.
func grantPath(set int, path string, rights uint64) error {
	if path == "" {
		return nil
	}
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= fileRights
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// restrictThreads restricts all threads. First it gives up privileges that starting a program could gain; the kernel demands
// it, so that a restricted process cannot confuse a more powerful one.
func restrictThreads(abi int, set uintptr) error {
	if abi >= syncABI {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return err
		}
		if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, unix.LANDLOCK_RESTRICT_SELF_TSYNC, 0); errno != 0 {
			return errno
		}
		return nil
	}
	if _, _, errno := syscall.AllThreadsSyscall6(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0); errno != 0 {
		return errno
	}
	if _, _, errno := syscall.AllThreadsSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0); errno != 0 {
		return errno
	}
	return nil
}
