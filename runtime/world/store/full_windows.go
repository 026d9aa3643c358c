package store

import (
	"errors"

	"golang.org/x/sys/windows"
)

func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// isBroken reports an error of a device, and isCrowded that no more files may be opened.
func isBroken(err error) bool {
	return errors.Is(err, windows.ERROR_CRC) || errors.Is(err, windows.ERROR_IO_DEVICE)
}

func isCrowded(err error) bool { return errors.Is(err, windows.ERROR_TOO_MANY_OPEN_FILES) }

// noRoom is not asked: the system's own error says it here.
func noRoom(string) bool { return false }

func isReadOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }
