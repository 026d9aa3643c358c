package store

import (
	"io/fs"
	"os"
)

func openPlain(path string) (*os.File, error) { return os.Open(path) }

// What others may do is inherited from the directory here.
func owned(fs.FileInfo) error { return nil }

func safeDirectory(string) error { return nil }

const ownerOnly = false
