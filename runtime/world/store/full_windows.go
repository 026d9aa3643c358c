package store

import (
	"errors"

	"golang.org/x/sys/windows"
)

func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// isBroken reports a device error, and isCrowded that no more files can be opened.
func isBroken(err error) bool {
	return errors.Is(err, windows.ERROR_CRC) || errors.Is(err, windows.ERROR_IO_DEVICE)
}

func isCrowded(err error) bool { return errors.Is(err, windows.ERROR_TOO_MANY_OPEN_FILES) }

// noRoom always returns false: on Windows the system's own error reports a full disk.
func noRoom(string) bool { return false }

func isReadOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }
