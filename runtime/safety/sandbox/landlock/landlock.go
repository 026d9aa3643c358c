// Package landlock shuts this process out of all files but those that it was told of: the second wall behind runtime/safety/sandbox,
// which the Linux kernel holds (Landlock, since 5.13). A file that a mistake in the first wall would open is refused by the
// kernel, for reading, writing and starting programs alike. Networking is left as it is.
//
// The restriction cannot be taken back, holds for every thread, and is inherited by every program that the process
// starts. So it is for processes that start no programs of others but git, and for those it comes after all that is looked
// for anywhere (configuration, roots, state) is known. Neighbours: cmd/compactor says when, runtime/gateway/process asks
// InForce before it starts a program, runtime/app/doctor says what is so.
package landlock

import (
	"debug/elf"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// Grants are the files and directories that stay open, each with all below it. Names that are missing are left out: a
// grant is for what is there, and a directory that takes a name later is another one.
type Grants struct {
	Read  []string
	Write []string // and read, make and remove
	Run   []string // and read
}

// Status is what came of a restriction.
type Status struct {
	ABI     int    // of the kernel; 0 for none
	InForce bool   // for this process
	Why     string // it is not in force
	Do      string // what the user can do about that; "" for nothing
}

// Variable switches the wall off where its value is "off": for a system whose libraries or certificates lie where
// nobody expects them.
const Variable = "COMPACTOR_LANDLOCK"

var (
	mu      sync.Mutex
	current Status
	granted []string
)

// Restrict shuts the process out of everything that is not granted. It does so once: a later call changes nothing. Where
// the kernel or the build cannot, nothing is restricted and the status says why.
func Restrict(g Grants) Status {
	mu.Lock()
	defer mu.Unlock()
	if current.InForce {
		return current
	}
	current = Support()
	if current.Why != "" {
		return current
	}
	if err := restrict(current.ABI, g); err != nil {
		current.Why = "the kernel refused it: " + err.Error()
		return current
	}
	current.InForce = true
	for _, list := range [][]string{g.Read, g.Write, g.Run} {
		for _, path := range list {
			if real, err := filepath.EvalSymlinks(path); err == nil {
				granted = append(granted, real)
			}
		}
	}
	return current
}

// Support says what Restrict would come to, without doing it.
func Support() Status {
	s := Status{ABI: abi()}
	switch {
	case os.Getenv(Variable) == "off":
		s.Why, s.Do = Variable+" is off", "leave it unset where compactor works without"
	case s.ABI == 0 && runtime.GOOS != "linux":
		s.Why = "it is a part of Linux"
	case s.ABI == 0:
		s.Why, s.Do = "this kernel has none, or it is switched off", "Linux has it from 5.13 on, where lsm= at boot does not leave it out"
	case !allThreads(s.ABI):
		s.Why, s.Do = "this build uses cgo", "build it with CGO_ENABLED=0, as releases and make install do"
	}
	return s
}

// InForce reports whether this process is restricted, and so would be every program that it starts.
func InForce() bool {
	mu.Lock()
	defer mu.Unlock()
	return current.InForce
}

// Shut reports whether the wall keeps a path closed that was not granted.
func Shut(path string) bool {
	mu.Lock()
	defer mu.Unlock()
	if !current.InForce {
		return false
	}
	for _, g := range granted {
		if path == g || strings.HasPrefix(path, strings.TrimSuffix(g, "/")+"/") {
			return false
		}
	}
	return true
}

// System are the grants that any program needs: libraries, certificates, names of hosts, time zones, devices without
// content, and its own file, to start itself again. Of the libraries none can be started: the programs among them are
// not needed.
func System() Grants {
	g := Grants{
		Read: []string{"/etc", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/nix/store", "/gnu/store", "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager", "/var/lib/ca-certificates", "/usr/share", "/usr/local/share",
			"/proc/self", "/proc/meminfo", "/proc/stat", "/proc/cpuinfo", "/proc/sys", "/sys/fs/cgroup", "/sys/kernel/mm", "/sys/devices/system/cpu",
			os.Getenv("SSL_CERT_FILE"), os.Getenv("SSL_CERT_DIR")},
		Write: []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", os.TempDir()},
	}
	if self, err := os.Executable(); err == nil {
		g.Run = append(g.Run, Program(self)...)
	}
	return g
}

// Program returns the files that a grant to run has to name so that the kernel starts a program: its own, and the
// loader that it asks for. A script asks for a shell, which could start anything, so its interpreter is not among them
// and a script stays shut.
func Program(path string) []string {
	files := []string{path}
	f, err := elf.Open(path)
	if err != nil {
		return files
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type != elf.PT_INTERP || p.Filesz > maxLoaderName {
			continue
		}
		name, err := io.ReadAll(p.Open())
		if loader := strings.TrimRight(string(name), "\x00"); err == nil && filepath.IsAbs(loader) {
			files = append(files, loader)
		}
	}
	return files
}

// maxLoaderName is the longest name of a loader that is read, in bytes: the longest path that Linux knows.
const maxLoaderName = 4096
