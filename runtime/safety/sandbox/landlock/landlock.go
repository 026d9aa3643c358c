// Package landlock shuts this process out of all files except those it was granted: the second wall behind
// runtime/safety/sandbox, enforced by the Linux kernel (Landlock, since 5.13). If a bug in the first wall would open a
// file, the kernel refuses it, for reading, writing and starting programs alike. Networking is unaffected.
//
// The restriction cannot be undone, applies to every thread, and is inherited by every program that the process starts.
// So it is for processes that start no foreign programs except git, and is applied once everything that has to be
// looked up (configuration, roots, state) is known. Related: cmd/compactor decides when, runtime/gateway/process checks
// InForce before it starts a program, runtime/app/doctor reports the state.
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

// Grants are the files and directories that stay open, each with everything below it. Missing names are left out: a
// grant is for an existing file, and a directory that gets the name later is a different one.
type Grants struct {
	Read  []string
	Write []string // including read, create and remove
	Run   []string // including read
}

// Status is the outcome of a restriction.
type Status struct {
	ABI     int    // of the kernel; 0 if it has none
	InForce bool   // for this process
	Why     string // why it is not in force
	Do      string // what the user can do about it; "" for nothing
}

// Variable disables the wall if its value is "off": for a system with its libraries or certificates in unexpected
// places.
const Variable = "COMPACTOR_LANDLOCK"

var (
	mu      sync.Mutex
	current Status
	granted []string
)

// Restrict shuts the process out of everything that is not granted. Once that has succeeded, later calls change
// nothing. If the kernel or the build does not support it, nothing is restricted and the status says why.
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

// Support returns the status that Restrict would lead to, without restricting anything.
func Support() Status {
	s := Status{ABI: abiVersion()}
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

// InForce reports whether this process is restricted, and with it every program that it would start.
func InForce() bool {
	mu.Lock()
	defer mu.Unlock()
	return current.InForce
}

// Shut reports whether the wall blocks a path because it was not granted.
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

// System returns the grants that any program needs: libraries, certificates, host names, time zones, devices without
// content, and its own executable, to start itself again. No program in the library directories can be started: none is
// needed.
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

// Program returns the files that must be granted so that the kernel can start a program: the executable and the loader
// that it names. A script names a shell, which could start anything, so its interpreter is left out and a script cannot
// be started.
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

// maxLoaderName limits the name of a loader, in bytes: the longest path that Linux knows.
const maxLoaderName = 4096
