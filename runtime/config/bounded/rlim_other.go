//go:build unix && !linux && !freebsd

package bounded

type rlim = uint64
