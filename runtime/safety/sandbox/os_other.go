//go:build !unix

package sandbox

import (
	"io/fs"
	"os"
)

const openFlags = 0

// sameDevice returns true: a FileInfo does not tell here. Mount points are reparse points, which os.Root refuses.
func sameDevice(a, b fs.FileInfo) bool { return true }

// linkCount returns 1: an open directory cannot be deleted here.
func linkCount(*os.Root) uint64 { return 1 }

func isNotDir(error) bool { return false }

// syncDir does nothing: the system writes names through.
func syncDir(*os.Root) error { return nil }
