//go:build unix && !linux && !freebsd

package confined

type rlim = uint64
