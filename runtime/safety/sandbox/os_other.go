//go:build !unix

package sandbox

import (
	"io/fs"
	"os"
)

const openFlags = 0

// sameDevice cannot be told from a FileInfo here. Mount points are reparse points, which os.Root does not pass.
func sameDevice(a, b fs.FileInfo) bool { return true }

// linkCount: an open directory cannot be deleted here.
func linkCount(*os.Root) uint64 { return 1 }

func isNotDir(error) bool { return false }

// syncDir has no counterpart here: the system writes names through.
func syncDir(*os.Root) error { return nil }
