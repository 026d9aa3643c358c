package usage

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// machine identifies the scope in which process numbers are unique.
func machine() string {
	name, _ := os.Hostname()
	return name
}

// exists reports whether there is, or may be, a process with this number.
func exists(pid int) bool {
	const running = 259 // STILL_ACTIVE
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return !errors.Is(err, windows.ERROR_INVALID_PARAMETER)
	}
	defer windows.CloseHandle(process)
	var code uint32
	return windows.GetExitCodeProcess(process, &code) != nil || code == running
}
