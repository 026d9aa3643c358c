//go:build !amd64 || purego

package coderank

const vectors = false

func siftBlock(*byte, *sieve, *classed) {}
