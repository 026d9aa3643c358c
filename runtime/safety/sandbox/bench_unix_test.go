//go:build unix

package sandbox

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func BenchmarkOpenBare(b *testing.B) {
	r := benchRoot(b, modes[0])
	var paths []string
	for _, e := range mustFiles(b, r) {
		paths = append(paths, filepath.Join(r.Path(), e.Path))
	}
	buf := make([]byte, 1<<20)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		fd, err := unix.Open(paths[i%len(paths)], unix.O_RDONLY|unix.O_CLOEXEC, 0)
		must(b, err)
		for {
			if n, err := unix.Read(fd, buf); n <= 0 || err != nil {
				break
			}
		}
		unix.Close(fd)
		i++
	}
}
