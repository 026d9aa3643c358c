//go:build !amd64 || purego

package rank

const vectors = false

func siftBlock(*byte, *sieve, *classed) {}
